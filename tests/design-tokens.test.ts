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
  const sheet = join(dir, 'client/src/features/orders/stray.css')
  await mkdir(join(dir, 'client/src/features/orders'), { recursive: true })
  await cp(join(ROOT, 'client/looks.grit'), join(dir, 'client/looks.grit'))
  await cp(join(ROOT, 'biome.json'), join(dir, 'biome.json'))
  await writeFile(join(dir, '.gitignore'), 'node_modules\n')

  /** The diagnostics of one declaration. */
  const said = async (declaration: string) => {
    await writeFile(sheet, `.stray {\n  ${declaration};\n}\n`)
    const biome = join(ROOT, 'node_modules/.bin/biome')
    const answer = await run(biome, ['ci', '--colors=off', sheet], { cwd: dir }).catch((error) => error)
    return [COLOUR, SIZE, CORNER, DISTANCE].filter((why) => `${answer.stdout}${answer.stderr}`.includes(why))
  }

  expect(await said('color: #fff')).toEqual([COLOUR])
  expect(await said('box-shadow: 0 1px 2px rgb(17 20 24 / 6%)')).toEqual([COLOUR])
  expect(await said('font-size: 13px')).toEqual([SIZE])
  expect(await said('border-radius: 5px')).toEqual([CORNER])
  expect(await said('border-top-left-radius: 0 5px')).toEqual([CORNER])
  expect(await said('padding: 8px 10px')).toEqual([DISTANCE])
  expect(await said('margin-left: -7px')).toEqual([DISTANCE])
  expect(await said('row-gap: 14px')).toEqual([DISTANCE])
  for (const sound of [
    'color: var(--text-2)',
    'font-size: var(--font-small)',
    'border-radius: var(--radius) 50%',
    'padding: 8px 12px 64px',
    'margin: 0 auto -4px',
    'gap: 1px 24px',
  ])
    expect(await said(sound), sound).toEqual([])
})
