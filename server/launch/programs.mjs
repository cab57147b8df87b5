import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { join } from 'node:path'
import { fingerprint } from './fingerprint.mjs'
import { Problem, run, say } from './processes.mjs'

const SOURCES = [
  'server/src',
  'server/launch/bundle.mjs',
  'server/launch/verifier.mjs',
  'client/src/verifier',
  'client/src/tokens.css',
  'worker/src',
  'shared/src',
  'migrations',
  'pnpm-lock.yaml',
]
/** A product that still runs loads parts of its own bundle later, so the last ones are kept. */
const KEPT = 3

/**
 * The folder with server.js, worker.js, commands.js, demo.js and verificar.html of the current sources: they are made when
 * there is none. A bundle loads in half the time of its sources, which run where nothing may be written: then the
 * result is undefined. Throws Problem when bundling fails.
 */
export async function buildPrograms({ root, node, env }) {
  const dist = join(root, 'server', 'dist')
  const dir = join(dist, fingerprint(root, SOURCES).slice(0, 16))
  if (existsSync(dir)) return dir
  if (!isWritable(join(root, 'server'))) return undefined
  say('Montando os programas…')
  mkdirSync(dist, { recursive: true })
  const made = mkdtempSync(join(dist, '.novo-'))
  chmodSync(made, 0o755)
  try {
    const code = await run(node, [join(root, 'server', 'launch', 'bundle.mjs'), made], { cwd: root, env })
    if (code !== 0) throw new Problem('A montagem dos programas falhou; o motivo está acima.')
    rename(made, dir)
  } finally {
    rmSync(made, { recursive: true, force: true })
  }
  removeOldest(dist)
  return dir
}

/** Shows the folder when it is complete. Two builders at once make the same, and the first stays. */
function rename(made, dir) {
  try {
    renameSync(made, dir)
  } catch (error) {
    if (!existsSync(dir)) throw error
  }
}

function isWritable(folder) {
  try {
    accessSync(folder, constants.W_OK)
    return true
  } catch {
    return false
  }
}

function removeOldest(dist) {
  const byAge = readdirSync(dist)
    .filter((name) => !name.startsWith('.'))
    .map((name) => join(dist, name))
    .sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs)
  for (const old of byAge.slice(KEPT)) rmSync(old, { recursive: true, force: true })
}
