import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { programOf } from './packages.mjs'
import { onParentExit } from './parents.mjs'
import { run, say, stopWith } from './processes.mjs'

/** The product needs at most 50 s to stop: 20 for conversions, 10 for the server, 20 for the database. */
const STOP_TIMEOUT_MS = 60_000

/** The program that starts and watches the others: bundled, which takes half of the memory, or its source. */
export const supervisor = ({ PROGRAMS_DIR }) =>
  PROGRAMS_DIR ? join(PROGRAMS_DIR, 'standalone.js') : 'server/src/standalone.ts'

/**
 * Runs the product until it ends or is asked to stop; returns its exit code. Where Node can (22.15, not on
 * Windows) the supervisor takes the place of this process, which would only wait for it with 100 MB of
 * memory.
 */
export async function serve({ root, node, env }, args, { hot = false } = {}) {
  if (!hot && process.execve) return replaceBy(node, [supervisor(env), ...args], { cwd: root, env })
  // Its own process group: Ctrl-C reaches only this process, which then stops the others in order.
  const product = spawn(node, [supervisor(env), ...args], {
    cwd: root,
    env,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    detached: true,
  })
  let screens
  if (hot) {
    product.on('message', ({ type }) => {
      if (type === 'ready') screens ??= serveScreens({ root, node, env })
    })
  }
  const ended = new Promise((resolve, reject) => {
    product.once('error', reject)
    product.once('exit', (code, signal) => {
      if (signal) say(`O Garantia foi interrompido (${signal}).`)
      resolve(code ?? 1)
    })
  })

  function stop() {
    screens?.kill()
    if (product.connected) product.send('stop')
    setTimeout(() => {
      say('O Garantia não encerrou a tempo e foi interrompido.')
      product.kill('SIGKILL')
    }, STOP_TIMEOUT_MS).unref()
  }
  stopWith(stop)
  onParentExit(env, stop)
  return ended.finally(() => screens?.kill())
}

/** Puts a program in the place of this process, which signals then reach directly; runs it as a child where Node cannot. */
export function replaceBy(node, args, { cwd, env }) {
  if (!process.execve) return run(node, args, { cwd, env })
  process.chdir(cwd)
  return process.execve(node, [node, ...args], definedOnly(env))
}

const definedOnly = (env) =>
  Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined))

/**
 * Starts Vite with a preloaded line that exits when the channel closes: Vite does not notice when its parent
 * is killed.
 */
function serveScreens({ root, node, env }) {
  const client = join(root, 'client')
  const exitOnDisconnect = "data:text/javascript,process.on('disconnect', () => process.exit())"
  return spawn(node, ['--import', exitOnDisconnect, programOf(client, 'vite'), '--clearScreen', 'false'], {
    cwd: client,
    env: { ...env, API_URL: `http://${env.HOST || '127.0.0.1'}:${env.PORT || 8000}` },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    detached: true,
  })
}
