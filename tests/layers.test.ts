import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { expect, test } from 'vitest'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const SOURCES = ['shared/src', 'migrations', 'server/src', 'worker/src', 'client/src', 'tests']

/** The server's layers from the top; those on one line must not import each other. */
const LAYERS = [
  ['main.ts', 'migrate.ts'],
  ['app.ts'],
  ['api'],
  ['features/claims'],
  ['features/records', 'features/system'],
  ['features/evidence'],
  ['features/orders'],
  ['features/people', 'features/catalogue'],
  ['http'],
  ['kernel'],
]

/** Every module of the repository with the modules that it imports, types included. */
const imports = new Map(
  SOURCES.flatMap((folder) => modulesIn(join(ROOT, folder))).map((path) => [path, importsOf(path)]),
)

function modulesIn(folder: string) {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !/\/(node_modules|\.types|dist|\.artifacts)\//.test(path))
}

function importsOf(path: string) {
  const { importedFiles } = ts.preProcessFile(readFileSync(path, 'utf8'), true, true)
  return importedFiles
    .map(({ fileName }) => resolve(dirname(path), fileName))
    .filter((target, index) => importedFiles[index]?.fileName.startsWith('.') && existsSync(target))
}

function layerOf(path: string) {
  const place = relative(join(ROOT, 'server/src'), path)
  const found = LAYERS.findIndex((layer) => layer.some((one) => place === one || place.startsWith(`${one}/`)))
  const name = LAYERS[found]?.find((one) => place === one || place.startsWith(`${one}/`))
  return { rank: found, name }
}

test('no import of the server leads to a layer above or beside', () => {
  const upward: string[] = []
  let counted = 0
  for (const [from, targets] of imports)
    for (const to of targets) {
      const [upper, lower] = [layerOf(from), layerOf(to)]
      if (upper.rank < 0 || lower.rank < 0) continue
      counted++
      const isAllowed = upper.name === lower.name || upper.rank < lower.rank
      if (!isAllowed) upward.push(`${relative(ROOT, from)} → ${relative(ROOT, to)}`)
    }
  expect(counted).toBeGreaterThan(300)
  expect(upward).toEqual([])
})

test('every module of the server is in a layer, except the launcher of PostgreSQL', () => {
  const outside = [...imports.keys()]
    .map((path) => relative(join(ROOT, 'server/src'), path))
    .filter((place) => !place.startsWith('..') && layerOf(join(ROOT, 'server/src', place)).rank < 0)
  expect(outside.filter((place) => !/^standalone(\.ts|\/)/.test(place))).toEqual([])
})

test('there are no import cycles, type imports included', () => {
  expect(circlesIn(imports).map((circle) => circle.map((path) => relative(ROOT, path)))).toEqual([])
})

test('a cycle is found where there is one', () => {
  const graph = new Map([
    ['a', ['b']],
    ['b', ['c']],
    ['c', ['a', 'd']],
    ['d', []],
  ])
  expect(circlesIn(graph)).toEqual([['a', 'b', 'c']])
})

/** Strongly connected components of more than one module (Tarjan 1972), each sorted. */
function circlesIn(graph: ReadonlyMap<string, readonly string[]>) {
  const index = new Map<string, number>()
  const lowest = new Map<string, number>()
  const stack: string[] = []
  const circles: string[][] = []
  const visit = (node: string) => {
    index.set(node, index.size)
    lowest.set(node, index.get(node) ?? 0)
    stack.push(node)
    for (const next of graph.get(node) ?? []) {
      if (!index.has(next) && graph.has(next)) visit(next)
      if (stack.includes(next)) lowest.set(node, Math.min(lowest.get(node) ?? 0, lowest.get(next) ?? 0))
    }
    if (lowest.get(node) !== index.get(node)) return
    const component = stack.splice(stack.indexOf(node))
    if (component.length > 1) circles.push(component.sort())
  }
  for (const node of graph.keys()) if (!index.has(node)) visit(node)
  return circles
}

test.each([
  ['lucia', 'server/src/kernel/sessions.ts'],
  ['fluent-ffmpeg', 'worker/src/media/ffmpeg.ts'],
])('%s is imported by one file, so that it can be replaced (DECISIONS 86, 87)', (name, place) => {
  const importing = [...imports.keys()].filter((path) =>
    ts
      .preProcessFile(readFileSync(path, 'utf8'), true, true)
      .importedFiles.some(({ fileName }) => fileName === name),
  )
  expect(importing.map((path) => relative(ROOT, path))).toEqual([place])
})
