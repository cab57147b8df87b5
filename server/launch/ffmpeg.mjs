import { execFile } from 'node:child_process'
import { installPackage, mayInstall } from './debian.mjs'
import { run } from './processes.mjs'

/** Root answers for the account that the worker will have: what the system grants to root it may deny to that one. */
const SCRIPT = `
const [{ describeFfmpeg }, { describeSandbox }, { accountNamed, canReach, isRoot }, { dropTo }] = await Promise.all([
  import('./worker/src/media/binaries.ts'),
  import('./worker/src/decoder/sandbox.ts'),
  import('./server/src/standalone/account.ts'),
  import('./server/src/standalone/privileges.ts'),
])
const account = accountNamed('garantia') ?? { uid: 65534, gid: 65534 }
if (isRoot() && [process.execPath, process.cwd()].every((path) => canReach(path, account))) dropTo(account)
console.error(await describeFfmpeg(process.env.FFMPEG_PATH ? { ffmpeg_path: process.env.FFMPEG_PATH } : {}))
console.error(await describeSandbox().catch((error) => 'leitura de arquivos: não verificada (' + error.message + ')'))`

/** Root on Debian or Ubuntu gets ffmpeg installed when there is none: npm has no build of it that is still mended. */
export async function installFfmpeg({ env }) {
  if (env.FFMPEG_PATH || !mayInstall() || (await isInstalled(env))) return
  await installPackage(env, 'o ffmpeg', ['ffmpeg'])
}

/**
 * Prints which ffmpeg runs, with its version, and how isolated the processes are that read files: what a worker says
 * when it has started.
 */
export async function prepareDecoding({ root, node, env }) {
  await installFfmpeg({ env })
  return run(node, ['--input-type=module', '--eval', SCRIPT], { cwd: root, env })
}

async function isInstalled(env) {
  for (const program of ['ffmpeg', '/usr/bin/ffmpeg', '/usr/local/bin/ffmpeg'])
    if (await runs(program, env)) return true
  return false
}

const runs = (program, env) =>
  new Promise((resolve) => execFile(program, ['-version'], { env }, (error) => resolve(!error)))
