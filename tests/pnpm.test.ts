import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from './support/temporary-folder.ts'

type WithPnpm = <T>(
  wanted: string,
  context: { root: string; env: NodeJS.ProcessEnv },
  work: (program: string) => Promise<T>,
) => Promise<T>
// The launcher is plain JavaScript: it runs before anything is installed.
const { withPnpm }: { withPnpm: WithPnpm } = await import(
  new URL('../server/launch/pnpm.mjs', import.meta.url).href
)

const dir = temporaryFolder('pnpm')
const archive = join(dir, 'pnpm-1.2.3.tgz')
mkdirSync(join(dir, 'package'))
writeFileSync(join(dir, 'package', 'package.json'), JSON.stringify({ bin: { pnpm: 'pnpm.cjs' } }))
writeFileSync(join(dir, 'package', 'pnpm.cjs'), '// the program')
execFileSync('tar', ['-czf', archive, '-C', dir, 'package'])
const hash = createHash('sha512').update(readFileSync(archive)).digest('hex')
/** An npm that fetches this archive into the folder after --pack-destination. */
writeFileSync(join(dir, 'npm'), `#!/bin/sh\ncp ${archive} "$5"\n`, { mode: 0o755 })
const context = { root: dir, env: { ...process.env, PATH: `${dir}:${process.env.PATH}` } }

test('pnpm is run only if it has the hash that package.json names', async () => {
  const run = async (program: string) => readFileSync(program, 'utf8')
  expect(await withPnpm(`pnpm@1.2.3+sha512.${hash}`, context, run)).toBe('// the program')

  let program = ''
  const other = withPnpm(`pnpm@1.2.3+sha512.${'0'.repeat(128)}`, context, async (path) => (program = path))
  await expect(other).rejects.toThrow('O pnpm@1.2.3 que o registro entregou não é o de package.json')
  expect(program).toBe('')

  await withPnpm(`pnpm@1.2.3+sha512.${hash}`, context, async (path) => (program = path))
  expect(existsSync(program)).toBe(false)
})
