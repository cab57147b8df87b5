import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fingerprint } from './fingerprint.mjs'
import { programOf } from './packages.mjs'
import { Problem, run, say } from './processes.mjs'

const SOURCES = [
  'client/src',
  'client/public',
  'client/index.html',
  'client/vite.config.ts',
  'client/package.json',
  'docs/ajuda',
  'shared/src',
  'server/launch/service-worker.mjs',
  'pnpm-lock.yaml',
]

/**
 * Builds the client when its sources have changed. The stamp is written last, so that an interrupted build
 * has none.
 */
export async function buildClient({ root, node, env }) {
  const client = join(root, 'client')
  const mark = join(client, 'dist', '.sources')
  const wanted = fingerprint(root, SOURCES)
  if (existsSync(mark) && readFileSync(mark, 'utf8') === wanted) return
  say('Montando as telas…')
  rmSync(mark, { force: true })
  const code = await run(node, [programOf(client, 'vite'), 'build', '--logLevel', 'warn'], {
    cwd: client,
    env: { ...env, NODE_ENV: 'production' },
  })
  if (code !== 0) throw new Problem('A montagem das telas falhou; o motivo está acima.')
  const { buildServiceWorker } = await import('./service-worker.mjs')
  await buildServiceWorker(root)
  writeFileSync(mark, wanted)
}
