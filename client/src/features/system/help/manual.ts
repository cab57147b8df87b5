import { folded } from '@garantia/shared/format'
import { lexer, type Token } from 'marked'
import { hasWords } from '../../../lib/has-words.ts'
import { anchorOf } from './anchor.ts'

/** The pages as they stand in docs/ajuda: one text for the screens and for who reads the repository. */
const sources = import.meta.glob<string>('../../../../../docs/ajuda/*.md', {
  query: '?raw',
  import: 'default',
  eager: true,
})
const FOLDER = '../../../../../docs/ajuda/'
const INDEX = 'README'

interface Section {
  heading: string
  /** Id of the heading in the page; empty for the page itself. */
  anchor: string
  /** What is searched: heading and text without their marks. */
  text: string
}
export interface ManualPage {
  /** Its name in the address: «lista-de-os». */
  name: string
  title: string
  tokens: Token[]
  /** The page itself, then each heading of it. */
  sections: Section[]
}
export interface ManualGroup {
  heading: string
  pages: ManualPage[]
}
/** A place of the manual that a search found. */
export interface FoundSection {
  page: ManualPage
  section: Section
}

const withoutMarks = (text: string) =>
  text
    .replace(/\]\([^)]*\)/g, ' ')
    .replace(/[*`#|![\]]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()

function pageOf(name: string): ManualPage {
  const source = sources[`${FOLDER}${name}.md`] ?? ''
  const [start = '', ...rest] = source.split(/^## /m)
  const title = /^# (.*)$/m.exec(start)?.[1] ?? name
  const sections = rest.map((part) => {
    const [heading = ''] = part.split('\n', 1)
    return { heading, anchor: anchorOf(heading), text: withoutMarks(part) }
  })
  return {
    name,
    title,
    tokens: lexer(source),
    sections: [{ heading: title, anchor: '', text: withoutMarks(start) }, ...sections],
  }
}

/** The pages in the order of the index, README.md, below its headings. */
function readGroups(): ManualGroup[] {
  const [, ...groups] = (sources[`${FOLDER}${INDEX}.md`] ?? '').split(/^## /m)
  return groups.map((group) => ({
    heading: group.split('\n', 1)[0] ?? '',
    pages: [...group.matchAll(/^- \[[^\]]*\]\(([a-z0-9-]+)\.md\)/gm)].map(([, name = '']) => pageOf(name)),
  }))
}

const groups = readGroups()
export const manual = {
  index: pageOf(INDEX),
  groups,
  pages: groups.flatMap(({ pages }) => pages),
}

/** Titles and headings with one of the typed words, if title and heading have them all; titles first. */
export function findHeadings(typed: string): FoundSection[] {
  const words = folded(typed).split(/\s+/)
  const fits = (page: ManualPage, { heading }: Section) =>
    hasWords(`${heading} ${page.title}`, typed) && words.some((word) => folded(heading).includes(word))
  const found = manual.pages.flatMap((page) =>
    page.sections.filter((section) => fits(page, section)).map((section) => ({ page, section })),
  )
  return found.sort((a, b) => Number(a.section.anchor !== '') - Number(b.section.anchor !== ''))
}

/** The pages that have all typed words, with the sections that have them. */
export const findPages = (typed: string) =>
  manual.pages
    .filter((page) => hasWords(page.sections.map(({ text }) => text).join(' '), typed))
    .map((page) => ({
      page,
      sections: page.sections.filter(({ anchor, text }) => anchor !== '' && hasWords(text, typed)),
    }))
