import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import ts from 'typescript'
import { describe, expect, test } from 'vitest'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const FOLDER = join(ROOT, 'docs/ajuda')
/** Each picture is there in both themes, of which a reader loads one. */
const THEMES = ['imagens', 'imagens/escuro']
const MOST_BYTES = 2_000_000

const pages = new Map(
  readdirSync(FOLDER)
    .filter((name) => name.endsWith('.md'))
    .map((name) => [name, readFileSync(join(FOLDER, name), 'utf8')]),
)
/** What `find` gives for each page, with the page's name. */
const inPages = <Found>(find: (text: string) => Found[]) =>
  [...pages].flatMap(([name, text]) => find(text).map((found) => ({ name, found })))
const matches = (pattern: RegExp) => (text: string) => [...text.matchAll(pattern)].map(([, one = '']) => one)

const sources = ['client/src', 'shared/src', 'server/src', 'worker/src'].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !/\.test\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name)),
)
const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim()

/** Every text of the product: of its screens, and the reasons that they show. */
const texts = new Set<string>()
function collectTexts(node: ts.Node) {
  if (ts.isStringLiteralLike(node) || ts.isJsxText(node)) texts.add(oneLine(node.text))
  ts.forEachChild(node, collectTexts)
}
for (const path of sources)
  collectTexts(ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true))

/** The full stop of a sentence may stand outside of its text. */
const isText = (quoted: string) => texts.has(quoted) || texts.has(quoted.replace(/\.$/, ''))

describe('the manual of docs/ajuda', () => {
  test('quotes only texts that the product has', () => {
    const quoted = [/\*\*([^*]+)\*\*/g, /«([^»]+)»/g].flatMap((quotes) => inPages(matches(quotes)))
    expect(quoted.length).toBeGreaterThan(200)
    expect(quoted.filter(({ found }) => !isText(found))).toEqual([])
    expect(isText('Salvar tudo agora')).toBe(false)
  })

  test('lists each page in its index, and nothing else', () => {
    const listed = matches(/^- \[[^\]]*\]\(([^)]+)\)/gm)(pages.get('README.md') ?? '')
    expect(listed.sort()).toEqual([...pages.keys()].filter((name) => name !== 'README.md').sort())
  })

  test('gives each page the title of its entry in the index', () => {
    const entries = [...(pages.get('README.md') ?? '').matchAll(/^- \[([^\]]*)\]\(([^)]+)\)/gm)]
    const titles = entries.map(([, title, file = '']) => [
      title,
      /^# (.*)$/m.exec(pages.get(file) ?? '')?.[1],
    ])
    expect(titles.filter(([listed, own]) => listed !== own)).toEqual([])
  })

  test('shows every picture it has, each with a text, in both themes, those of one together in 2 MB', async () => {
    const shown = inPages((text) => [...text.matchAll(/!\[([^\]]*)\]\(imagens\/([^)]+)\)/g)])
    expect(shown.filter(({ found: [, alt = ''] }) => alt.length < 10)).toEqual([])
    const named = [...new Set(shown.map(({ found: [, , file] }) => file))].sort()
    for (const theme of THEMES) {
      const folder = join(FOLDER, theme)
      const files = readdirSync(folder).filter((name) => name.endsWith('.webp'))
      expect([theme, files.sort()]).toEqual([theme, named])
      const sizes = files.map((file) => statSync(join(folder, file)).size)
      expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(MOST_BYTES)
      // The size that help-text.tsx gives each before it has loaded.
      for (const file of files) {
        const { width, height } = await sharp(join(folder, file)).metadata()
        expect([file, width, height]).toEqual([file, 1280, 800])
      }
    }
  })
})
