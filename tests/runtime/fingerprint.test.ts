import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../support/temporary-folder.ts'

// The launcher is plain JavaScript: it runs before anything is installed.
const launcher = new URL('../../server/launch/', import.meta.url)
const { fingerprint }: { fingerprint: (root: string, sources: string[]) => string } = await import(
  new URL('fingerprint.mjs', launcher).href
)

test('what was built is built again when a source changes, and only then (INST-1)', async () => {
  const root = temporaryFolder('fontes')
  const write = async (path: string, text: string) => {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), text)
  }
  const now = () => fingerprint(root, ['src', 'lock.yaml', 'absent'])
  await write('src/a/one.ts', '1')
  await write('lock.yaml', 'a: 1')
  const first = now()
  expect(first).toMatch(/^[0-9a-f]{64}$/)

  await write('src/a/one.test.ts', 'a test')
  await write('src/node_modules/kysely/index.js', 'a package')
  await write('src/.types/one.d.ts', 'made')
  expect(now()).toBe(first)

  const seen = new Set([first])
  for (const [path, text] of [
    ['src/a/one.ts', '2'],
    ['src/a/two.ts', ''],
    ['lock.yaml', 'a: 2'],
    ['absent', 'now here'],
  ] as const) {
    await write(path, text)
    seen.add(now())
  }
  expect(seen.size).toBe(5)
})
