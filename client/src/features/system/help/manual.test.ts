import { type Token, walkTokens } from 'marked'
import { describe, expect, test } from 'vitest'
import { helpPageOf } from '../../../layout/help-address.ts'
import { strokeLabel } from '../../../ui/keys/shortcut-keys.ts'
import { findHeadings, findPages, manual } from './manual.ts'

const sources = import.meta.glob<string>('../../../**/*.{ts,tsx}', {
  query: '?raw',
  import: 'default',
  eager: true,
})
const everyPage = [manual.index, ...manual.pages]

/** All tokens of a page, those inside of others too. */
function tokensOf(tokens: Token[]) {
  const all: Token[] = []
  void walkTokens(tokens, (token) => void all.push(token))
  return all
}
const found = (type: string) =>
  everyPage.flatMap(({ name, tokens }) =>
    tokensOf(tokens)
      .filter((token) => token.type === type)
      .map((token) => ({ name, token })),
  )

describe('the manual', () => {
  test('is read in the order of its index, each page once', () => {
    expect(manual.groups.map(({ heading }) => heading)).toEqual(['Tarefas', 'Telas'])
    expect(manual.pages.length).toBeGreaterThan(20)
    expect(new Set(manual.pages.map(({ name }) => name)).size).toBe(manual.pages.length)
  })

  test('has no part that the screen would leave out', () => {
    const shown = [
      'heading',
      'space',
      'paragraph',
      'list',
      'blockquote',
      'table',
      'text',
      'escape',
      'strong',
    ].concat(['em', 'codespan', 'link', 'image'])
    // Items of lists and cells of tables have no type of their own.
    const types = everyPage.flatMap(({ tokens }) => tokensOf(tokens).flatMap(({ type }) => type ?? []))
    expect([...new Set(types)].filter((type) => ![...shown, 'list_item'].includes(type))).toEqual([])
    const depths = found('heading').map(({ token }) => (token as { depth: number }).depth)
    expect([...new Set(depths)].sort()).toEqual([1, 2])
  })

  test('links only to pages and headings that it has', () => {
    const isBroken = ({ name, token }: { name: string; token: Token }) => {
      const [file = '', anchor = ''] = (token as { href: string }).href.split('#')
      const page = everyPage.find((one) => one.name === (file.replace(/\.md$/, '') || name))
      return !page?.sections.some((section) => section.anchor === anchor)
    }
    expect(found('link').length).toBeGreaterThan(50)
    expect(found('link').filter(isBroken)).toEqual([])
  })

  test('shows only pictures that it has', () => {
    const images = found('image').map(({ token }) => (token as { href: string }).href)
    expect(images.length).toBeGreaterThan(15)
    expect(images.filter((href) => !href.includes('.webp'))).toEqual([])
  })

  test('names only keys that the screens have', () => {
    const texts = Object.entries(sources)
      .filter(([path]) => !path.includes('.test.'))
      .flatMap(([, source]) => [...source.matchAll(/'([^'\n]+)'/g)].map(([, text = '']) => text))
    const sequences = texts.filter((text) => /^g [a-z]$/.test(text)).flatMap((text) => text.split(' '))
    // The browser's own, those made from a number or a capital, and what is typed.
    const own = ['Ctrl+V', 'Alt+1', 'Alt+2', 'Alt+3', 'Alt+4', 'Shift+R', ...'123456789', '@', 'g', 'l']
    const known = new Set([...own, ...texts.map(strokeLabel), ...sequences])
    const keys = found('codespan').map(({ name, token }) => `${name}: ${(token as { text: string }).text}`)
    expect(keys.length).toBeGreaterThan(60)
    expect(keys.filter((key) => !known.has(key.replace(/^[^:]*: /, '')))).toEqual([])
  })

  test('has a page for every screen', () => {
    const routes = sources['../../../routes.tsx'] ?? ''
    const paths = [...routes.matchAll(/path: '(\/[^']*)'/g)]
      .map(([, path = '']) => path.replace('$id', '12'))
      .filter((path) => path !== '/' && !path.startsWith('/ajuda'))
    expect(paths.length).toBeGreaterThan(14)
    const names = manual.pages.map(({ name }) => name)
    expect(paths.filter((path) => !names.includes(helpPageOf(path) ?? ''))).toEqual([])
    expect(names).toContain(helpPageOf('/os/12', 'evidencias'))
    expect([helpPageOf('/os/12', 'evidencias'), helpPageOf('/os/12', 'historico')]).toEqual([
      'evidencias',
      'os',
    ])
    expect([helpPageOf('/os/12/edit'), helpPageOf('/ajuda/painel')]).toEqual(['nova-os', undefined])
  })

  test('is found by words without accents, in titles, headings and texts', () => {
    const headings = (typed: string) =>
      findHeadings(typed).map(({ page, section }) => `${page.name}#${section.anchor}`)
    expect(headings('CONCESSIONARIAS')).toEqual(['concessionarias#'])
    expect(headings('duas etapas')).toContain('configuracoes#ligar-a-verificação-em-duas-etapas')
    expect(headings('nao cabe pacote')).toEqual(['pacote-e-dossie#quando-não-cabe'])
    expect(headings('zebra')).toEqual([])
    expect(findPages('protegido por senha').map(({ page }) => page.name)).toEqual(['arquivo-recusado'])
  })
})
