import { run } from './processes.mjs'

const SCRIPT = `
const { describeFfmpeg } = await import('./worker/src/media/binaries.ts')
console.error(await describeFfmpeg(process.env.FFMPEG_PATH ? { ffmpeg_path: process.env.FFMPEG_PATH } : {}))`

/** Prints which ffmpeg runs: the configured one, the system's or the packaged one, with its version. */
export const sayFfmpeg = ({ root, node, env }) =>
  run(node, ['--input-type=module', '--eval', SCRIPT], { cwd: root, env })
