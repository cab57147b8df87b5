import { spawnSync } from 'node:child_process'
import { installPackage, mayInstall } from './debian.mjs'
import { run } from './processes.mjs'

/** Root answers for the account that the worker will have: what the system grants to root it may deny to that one. */
const SCRIPT = `
const [{ describeFfmpeg }, { describeSandbox }, { serviceAccount }] = await Promise.all([
  import('./worker/src/media/binaries.ts'),
  import('./worker/src/decoder/sandbox.ts'),
  import('./server/src/standalone/account.ts'),
])
const account = serviceAccount([process.execPath, process.cwd()])
if (account) {
  process.setgroups([])
  process.setgid(account.gid)
  process.setuid(account.uid)
}
console.error(await describeFfmpeg(process.env.FFMPEG_PATH ? { ffmpeg_path: process.env.FFMPEG_PATH } : {}))
console.error(await describeSandbox().catch((error) => 'leitura de arquivos: não verificada (' + error.message + ')'))`

/**
 * Prints which ffmpeg runs, with its version, and how isolated the processes are that read files. Root on
 * Debian or Ubuntu gets ffmpeg installed when there is none: npm has no build of it that is still mended.
 */
export async function prepareDecoding({ root, node, env }) {
  if (!env.FFMPEG_PATH && mayInstall() && !isInstalled(env)) await installPackage(env, 'o ffmpeg', ['ffmpeg'])
  return run(node, ['--input-type=module', '--eval', SCRIPT], { cwd: root, env })
}

const isInstalled = (env) =>
  ['ffmpeg', '/usr/bin/ffmpeg', '/usr/local/bin/ffmpeg'].some(
    (program) => spawnSync(program, ['-version'], { env, stdio: 'ignore' }).status === 0,
  )
