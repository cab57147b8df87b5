import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { programOf } from './packages.mjs'
import { Problem, run, say } from './processes.mjs'

const SOURCES = [
  'client/src',
  'client/public',
  'client/index.html',
  'client/vite.config.ts',
  'client/package.json',
  'shared/src',
  'pnpm-lock.yaml',
]

/**
 * Builds the client when its sources have changed. The stamp is written last, so that an interrupted build
 * has none.
 */
export async function buildClient({ root, node, env }) {
  const client = join(root, 'client')
  const mark = join(client, 'dist', '.sources')
  const wanted = fingerprint(root)
  if (existsSync(mark) && readFileSync(mark, 'utf8') === wanted) return
  say('Montando as telas…')
  rmSync(mark, { force: true })
  const code = await run(node, [programOf(client, 'vite'), 'build', '--logLevel', 'warn'], {
    cwd: client,
    env: { ...env, NODE_ENV: 'production' },
  })
  if (code !== 0) throw new Problem('A montagem das telas falhou; o motivo está acima.')
  writeFileSync(mark, wanted)
}

function fingerprint(root) {
  const hash = createHash('sha256')
  for (const source of SOURCES)
    for (const file of filesOf(root, source)) hash.update(`${file}\n`).update(readFileSync(join(root, file)))
  return hash.digest('hex')
}

function filesOf(root, path) {
  if (!existsSync(join(root, path))) return []
  try {
    return readdirSync(join(root, path))
      .sort()
      .flatMap((name) => filesOf(root, join(path, name)))
  } catch {
    return path.endsWith('.test.ts') ? [] : [path]
  }
}
