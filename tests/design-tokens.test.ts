import { execFile } from 'node:child_process'
import { cp, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from './support/temporary-folder.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const run = promisify(execFile)

const COLOUR = 'Colours are tokens: name it in tokens.css, for both themes.'
const SIZE = 'Sizes of words are tokens: var(--font-…).'
const CORNER = 'Corners are tokens: var(--radius…).'
const DISTANCE = 'Distances are 1, 2, 4, 6, 8, 12, 16, 20, 24, 32, 40, 48 or 64 px.'

test('a style sheet with a literal colour, size, corner or distance is refused', async () => {
  const dir = temporaryFolder('aparencia')
  onTestFinished(() => rm(dir, { recursive: true }))
  const folder = 'client/src/features/orders'
  await mkdir(join(dir, folder), { recursive: true })
  await cp(join(ROOT, 'client/looks.grit'), join(dir, 'client/looks.grit'))
  await cp(join(ROOT, 'biome.json'), join(dir, 'biome.json'))
  await writeFile(join(dir, '.gitignore'), 'node_modules\n')

  const expected: [declaration: string, why: string[]][] = [
    ['color: #fff', [COLOUR]],
    ['box-shadow: 0 1px 2px rgb(17 20 24 / 6%)', [COLOUR]],
    ['font-size: 13px', [SIZE]],
    ['border-radius: 5px', [CORNER]],
    ['border-top-left-radius: 0 5px', [CORNER]],
    ['padding: 8px 10px', [DISTANCE]],
    ['margin-left: -7px', [DISTANCE]],
    ['row-gap: 14px', [DISTANCE]],
    ['color: var(--text-2)', []],
    ['font-size: var(--font-small)', []],
    ['border-radius: var(--radius) 50%', []],
    ['padding: 8px 12px 64px', []],
    ['margin: 0 auto -4px', []],
    ['gap: 1px 24px', []],
  ]
  const sheetOf = (n: number) => `${folder}/stray-${n}.css`
  for (const [n, [declaration]] of expected.entries())
    await writeFile(join(dir, sheetOf(n)), `.stray {\n  ${declaration};\n}\n`)

  // One run for all of them: it takes Biome a quarter of a second to start.
  const flags = ['ci', '--colors=off', '--reporter=json', '--max-diagnostics=none', folder]
  const { stdout } = await run(join(ROOT, 'node_modules/.bin/biome'), flags, { cwd: dir }).catch(
    (ended: { stdout: string }) => ended,
  )
  const { diagnostics }: Report = JSON.parse(stdout)
  const said = expected.map(([declaration], n) => [
    declaration,
    diagnostics.filter(({ location }) => location.path === sheetOf(n)).map(({ message }) => message),
  ])
  expect(said).toEqual(expected)
})

interface Report {
  diagnostics: { message: string; location: { path: string } }[]
}
