import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const CODE = ['shared', 'migrations', 'server', 'worker', 'client', 'tests']
const textOf = (path: string) => readFileSync(join(ROOT, path), 'utf8')

const codeFiles = CODE.flatMap((folder) =>
  filesBelow(folder, /\.(tsx?|mjs|js|css|grit|md)$/, /\/(node_modules|\.types|dist|\.artifacts|\.cache)\//),
)
const documents = [
  ...readdirSync(ROOT).filter((name) => name.endsWith('.md')),
  ...filesBelow('docs', /\.md$/),
  'migrations/README.md',
]

function filesBelow(folder: string, name: RegExp, without?: RegExp) {
  return readdirSync(join(ROOT, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && name.test(entry.name))
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)))
    .filter((path) => !without?.test(`/${path}`))
}

const allMatches = (text: string, pattern: RegExp) =>
  [...text.matchAll(pattern)].map(([, ...parts]) => parts.join(''))

/** Items «1.4» of a page with numbered sections that contain numbered lists or numbered subsections. */
function itemsOf(text: string) {
  return text.split(/^## (?=\d)/m).flatMap((section) => {
    const number = /^\d+/.exec(section)?.[0]
    if (!number) return []
    const items = allMatches(section, /^(\d+)\. /gm).map((item) => `${number}.${item}`)
    return [number, ...items, ...allMatches(section, /^### (\d+\.\d+)/gm)]
  })
}

const specified = allMatches(textOf('docs/checklist.md'), /^- ([A-Z]+-\d+) /gm)
const decided = textOf('docs/decisions.md')
const defined = {
  id: new Set([...specified, ...allMatches(decided, /\*\*(D-\d\d)\b/g)]),
  check: new Set(allMatches(decided, /^\| (V\d\d) \|/gm)),
  promise: new Set(allMatches(textOf('docs/reliability.md'), /^\| (\d+) \|/gm)),
  beyond: new Set(itemsOf(textOf('docs/beyond.md'))),
  goal: new Set(allMatches(textOf('docs/goals.md'), /^\| (P\d+) \|/gm)),
  decision: new Set([...itemsOf(decided), ...allMatches(textOf('DECISIONS.md'), /^### (\d+)\. /gm)]),
}
type Kind = keyof typeof defined

const FAMILIES = [...new Set([...specified.map((id) => id.split('-')[0]), 'D'])].join('|')
/** Not ids although they look like them: standards, formats, placeholders and paths of SVG drawings. */
const OTHER_NAMES = /^(SHA|UTF|CRC|MPEG|ECMA|ISO|BT|M|P|XXXX|AAAA)-/
const ID = /\b[A-Z]{1,5}-\d{1,3}\b/g
/** «EVI-5 to EVI-14», «EVI-5 to 14» and «SIGN-6/7». */
const RANGE = new RegExp(`\\b(${FAMILIES})-(\\d+) to (?:\\1-)?(\\d+)\\b`, 'g')
const PAIR = new RegExp(`\\b(${FAMILIES})-\\d+/(\\d+)\\b`, 'g')

const between = (first: number, last: number) =>
  Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index)
const asId = (family: string, number: number) =>
  `${family}-${family === 'D' ? String(number).padStart(2, '0') : number}`
const numbersIn = (text: string, pattern: RegExp) =>
  allMatches(text, pattern).flatMap((list) => list.split(/, | and | to /))

/** All citations of a text, with their kinds. */
function citationsIn(text: string): [Kind, string][] {
  const cited: Record<Kind, string[]> = {
    id: [
      ...[...text.matchAll(ID)].map(([id]) => id).filter((id) => !OTHER_NAMES.test(id)),
      ...[...text.matchAll(RANGE)].flatMap(([, family = '', first, last]) =>
        between(Number(first), Number(last)).map((number) => asId(family, number)),
      ),
      ...[...text.matchAll(PAIR)].map(([, family = '', number]) => asId(family, Number(number))),
    ],
    check: allMatches(text, /\b(V\d\d)\b/g),
    promise: numbersIn(text, /\b(?:promises?|reliability) (\d+(?:(?:, | and )\d+)*)\b/g),
    beyond: allMatches(
      text,
      /\b[Bb]eyond(?:\.md, section)? (\d+(?:\.\d+)?)\b(?! (?:a|per|seconds?|days?)\b)/g,
    ),
    goal: numbersIn(text, /\bgoals? (P\d+(?:(?:, | and | to )P\d+)*)\b/g),
    decision: allMatches(text, /\bdecisions(?:,? section)? (\d+)\b/g),
  }
  return (Object.keys(cited) as Kind[]).flatMap((kind) => cited[kind].map((id): [Kind, string] => [kind, id]))
}

/** Lines that match, as path:line: text. */
const found = (paths: readonly string[], pattern: RegExp) =>
  paths.flatMap((path) =>
    textOf(path)
      .split('\n')
      .flatMap((line, index) => (pattern.test(line) ? [`${path}:${index + 1}: ${line.trim()}`] : [])),
  )

test('the pages define the expected numbers of ids', () => {
  expect(defined.id.size).toBeGreaterThan(480)
  expect(defined.check.size).toBe(20)
  expect(defined.promise.size).toBe(38)
  expect(defined.goal.size).toBe(21)
  expect([...defined.beyond]).toEqual(expect.arrayContaining(['1.4', '2.5', '4.4', '5']))
  expect([...defined.decision]).toEqual(expect.arrayContaining(['2', '84']))
})

test('a range, a pair and a list cite each of their ids', () => {
  expect(citationsIn('EVI-5 to EVI-7, SIGN-6/7, D-09 to D-10')).toEqual(
    ['EVI-5', 'EVI-7', 'SIGN-6', 'D-09', 'D-10', 'EVI-5', 'EVI-6', 'EVI-7', 'D-09', 'D-10', 'SIGN-7'].map(
      (id) => ['id', id],
    ),
  )
  expect(citationsIn('reliability 3, 6; goals P1 to P4; beyond 1.4')).toEqual([
    ['promise', '3'],
    ['promise', '6'],
    ['beyond', '1.4'],
    ['goal', 'P1'],
    ['goal', 'P4'],
  ])
})

test('every id that code, tests or documents cite is defined in docs/', () => {
  const unknown = [...codeFiles, ...documents].flatMap((path) =>
    citationsIn(textOf(path))
      .filter(([kind, id]) => !defined[kind].has(id))
      .map(([kind, id]) => `${path}: ${kind} ${id}`),
  )
  expect([...new Set(unknown)]).toEqual([])
})

test('no id is defined twice', () => {
  expect(specified.filter((id, index) => specified.indexOf(id) !== index)).toEqual([])
})

test('the entries of DECISIONS.md are numbered without a gap', () => {
  const numbers = allMatches(textOf('DECISIONS.md'), /^### (\d+)\. /gm).map(Number)
  expect(numbers).toEqual(between(1, numbers.length))
})

test('ARCHITECTURE.md names every feature of the server, in its group', () => {
  const rows = textOf('ARCHITECTURE.md').matchAll(/^\| `([\w-]+)` \| (.*?) \|/gm)
  const table = new Map(
    [...rows].map(([, group, features = '']) => [group, allMatches(features, /`([\w-]+)`/g)]),
  )
  const FEATURES = join(ROOT, 'server/src/features')
  for (const group of readdirSync(FEATURES))
    expect([group, table.get(group)?.toSorted()]).toEqual([group, readdirSync(join(FEATURES, group)).sort()])
})

describe('code and tests cite only what is in the repository', () => {
  const sources = codeFiles.filter((path) => !path.endsWith('.md'))
  test.each([
    ['an issue by its number', /\bissues? \d/],
    ['a condition of such an issue', /\bholds when \d/],
    ['a page of design notes', /\b(house|interface notes), section \d/],
  ])('none cites %s', (_, pattern) => {
    expect(found(sources, pattern)).toEqual([])
  })
})

describe.each(documents)('%s', (path) => {
  const text = textOf(path).replace(/^```.*?^```/gms, '')

  test('links to pages that exist', () => {
    const links = allMatches(text, /\]\(([^)#\s]+)(?:#[^)]*)?\)/g).filter((link) => !/^https?:/.test(link))
    expect(links.filter((link) => !existsSync(join(ROOT, dirname(path), link)))).toEqual([])
  })

  test('names files and folders that exist', () => {
    const named = allMatches(text, /`((?:shared|migrations|server|worker|client|tests|docs)\/[\w@./-]+)`/g)
    expect(named.filter((name) => !existsSync(join(ROOT, name)))).toEqual([])
  })
})
