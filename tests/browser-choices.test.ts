import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { choiceFor, STATES } from './e2e/audited-states.ts'
import { KINDS } from './e2e/double-press-rows.ts'

const E2E = new URL('e2e/', import.meta.url)
const textOf = (isMeant: (name: string) => boolean) =>
  readdirSync(E2E)
    .filter(isMeant)
    .map((name) => readFileSync(new URL(name, E2E), 'utf8'))
    .join('\n')

test.each(Object.entries(STATES))(
  'the default run audits every state of %s, and among them each width and each theme',
  (_, states) => {
    const looks = states.map((name) => choiceFor(name).looks)
    expect(looks.filter(({ length }) => length === 0)).toEqual([])
    expect(new Set(looks.flat().map(({ width }) => width))).toEqual(new Set([1440, 1280, 390]))
    expect(new Set(looks.flat().map(({ theme }) => theme))).toEqual(new Set(['light', 'dark']))
  },
)

test('a state is listed once, is audited at a width once, and occurs in a spec', () => {
  const names = Object.values(STATES).flat()
  expect(new Set(names).size).toBe(names.length)
  for (const name of names) {
    const widths = choiceFor(name).looks.map(({ width }) => width)
    expect(new Set(widths).size).toBe(widths.length)
  }
  const text = textOf((name) => name.endsWith('.spec.ts'))
  // Their names are put together.
  const built =
    /^(os-garantia-(baixa|estorno|corrigir-resposta|nota-de-credito|visita-\w+)|(companies|admin)-(carregando|erro))$/
  expect(names.filter((name) => !text.includes(`'${name}'`) && !built.test(name))).toEqual([])
})

test('the default run presses a button of each kind twice', () => {
  const rows = textOf((name) => name.startsWith('double-press'))
  expect(new Set(Array.from(rows.matchAll(/^ +kind: '(.*)',$/gm), ([, kind]) => kind))).toEqual(
    new Set(KINDS),
  )
})
