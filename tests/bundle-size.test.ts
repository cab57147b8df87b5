import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from './support/test-app.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const DIST = join(ROOT, 'client/dist')
const SCRIPT_BUDGET = 235_000
const STYLE_BUDGET = 55_000
/** Each script of its own costs a request, and is compressed and compiled on its own. */
const SCRIPTS = 22

interface Chunk {
  file: string
  imports?: string[]
  css?: string[]
}
const routes = readFileSync(join(ROOT, 'client/src/routes.tsx'), 'utf8')
/** Every screen that the routes name, with the layout around it. */
const screens = [...routes.matchAll(/import\('\.\/(features\/[^']+-page\.tsx)'\)/g)].map(
  ([, file]) => `src/${file}`,
)
const parents = (screen: string) => (screen.includes('/auth/') ? [] : ['src/layout/shell.tsx'])

let manifest: Record<string, Chunk>
let testApp: TestApp
beforeAll(async () => {
  // Builds only when a source has changed, as every start does.
  const build = `import(${JSON.stringify(join(ROOT, 'server/launch/client.mjs'))}).then(({ buildClient }) =>
    buildClient({ root: ${JSON.stringify(ROOT)}, node: process.execPath, env: process.env }))`
  execFileSync(process.execPath, ['-e', build], { stdio: 'inherit' })
  manifest = JSON.parse(readFileSync(join(DIST, '.vite/manifest.json'), 'utf8'))
  testApp = await startTestApp()
}, 180_000)
afterAll(() => testApp[Symbol.asyncDispose]())

/** The chunks a browser needs before the screen can render, with all their static imports. */
function firstPaint(screen: string) {
  const found = new Map<string, Chunk>()
  const collect = (name: string) => {
    if (found.has(name)) return
    const chunk = manifest[name]
    if (!chunk) throw new Error(`the build has no ${name}`)
    found.set(name, chunk)
    for (const next of chunk.imports ?? []) collect(next)
  }
  for (const name of ['index.html', ...parents(screen), screen]) collect(name)
  const chunks = [...found.values()]
  return {
    scripts: [...new Set(chunks.map(({ file }) => file))],
    styles: [...new Set(chunks.flatMap(({ css = [] }) => css))],
  }
}
const zipped = (file: string) => gzipSync(readFileSync(join(DIST, file)), { level: 9 }).length
const gzippedSize = (files: string[]) => {
  const sizes = files.map((file) => [file, zipped(file)] as const).sort((a, b) => b[1] - a[1])
  return { total: sizes.reduce((sum, [, size]) => sum + size, 0), sizes }
}

test('the bundle size of every screen is checked', () => {
  expect(screens).toHaveLength(26)
})

describe('compressed, at first paint', () => {
  test.each(screens)('%s has at most 22 scripts of 235 KB and 55 KB of style', (screen) => {
    const { scripts, styles } = firstPaint(screen)
    expect(scripts.length, scripts.join('\n')).toBeLessThanOrEqual(SCRIPTS)
    const [script, style] = [gzippedSize(scripts), gzippedSize(styles)]
    expect(script.total, JSON.stringify(script.sizes, null, 1)).toBeLessThanOrEqual(SCRIPT_BUDGET)
    expect(style.total, JSON.stringify(style.sizes, null, 1)).toBeLessThanOrEqual(STYLE_BUDGET)
  })
})

test('an icon keeps its drawing for 20 px where a screen shows it so large, and only there', () => {
  const icons = join(ROOT, 'client/node_modules/@blueprintjs/icons/lib/esm/generated/components')
  const largeDrawing = (name: string) =>
    /PATHS_20 = \["([^"]+)"/.exec(readFileSync(join(icons, `${name}.js`), 'utf8'))?.[1] ?? name
  const scripts = Object.values(manifest).filter(({ file }) => file.endsWith('.js'))
  const built = scripts.map(({ file }) => readFileSync(join(DIST, file), 'utf8')).join()
  const large = ['history', 'office', 'people', 'search-text', 'tag', 'th-list', 'warning-sign', 'media']
  expect(large.filter((name) => !built.includes(largeDrawing(name)))).toEqual([])
  expect(
    ['plus', 'trash', 'search', 'download'].filter((name) => built.includes(largeDrawing(name))),
  ).toEqual([])
})

describe('how the server sends them', () => {
  const get = (url: string, headers: Record<string, string> = {}) =>
    testApp.app.inject({ method: 'GET', url, headers })

  test('every script and style is precompressed and cached for ever', async () => {
    const { scripts, styles } = firstPaint('src/features/orders/list/orders-page.tsx')
    for (const file of [...scripts, ...styles]) {
      const plain = readFileSync(join(DIST, file))
      for (const [encoding, open] of [
        ['br', brotliDecompressSync],
        ['gzip', gunzipSync],
      ] as const) {
        const answer = await get(`/${file}`, { 'accept-encoding': encoding })
        expect([answer.statusCode, answer.headers['content-encoding']]).toEqual([200, encoding])
        expect(answer.headers['cache-control']).toBe('public, max-age=31536000, immutable')
        expect(answer.headers.vary).toMatch(/accept-encoding/i)
        expect(open(answer.rawPayload).equals(plain)).toBe(true)
      }
    }
  })

  test('the page itself is revalidated each time, and sent only when it changed', async () => {
    const first = await get('/', { 'accept-encoding': 'br' })
    expect([first.statusCode, first.headers['cache-control']]).toEqual([200, 'no-cache'])
    const tag = String(first.headers.etag)
    expect(tag).toMatch(/^(W\/)?".+"$/)
    const again = await get('/', { 'accept-encoding': 'br', 'if-none-match': tag })
    expect([again.statusCode, again.body]).toEqual([304, ''])
  })
})

test('the list of the build’s files is not served', async () => {
  const answer = await testApp.app.inject('/.vite/manifest.json')
  expect([answer.statusCode, answer.json()]).toEqual([404, { detail: 'Not Found' }])
})
