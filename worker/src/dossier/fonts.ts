import { createRequire } from 'node:module'
import { type Font, openSync } from 'fontkit'

const { resolve } = createRequire(import.meta.url)
const fileOf = (name: string) => resolve(`@expo-google-fonts/inter/${name}.ttf`)
export const FONT_FILE = {
  text: fileOf('400Regular/Inter_400Regular'),
  bold: fileOf('700Bold/Inter_700Bold'),
} as const
export type Weight = keyof typeof FONT_FILE

const opened: Partial<Record<Weight, Font>> = {}
function fontOf(weight: Weight): Font {
  const font = opened[weight] ?? (openSync(FONT_FILE[weight]) as Font)
  opened[weight] = font
  return font
}

/** Characters the font has no glyph for (emoji, Chinese, control characters) become a question mark. */
export function printable(text: string) {
  const known = fontOf('text')
  return text
    .normalize('NFC')
    .replace(/\r\n?/g, '\n')
    .replace(/[^\n\x20-\x7e]/gu, (character) =>
      /\p{C}/u.test(character) || !known.hasGlyphForCodePoint(character.codePointAt(0) ?? 0)
        ? '?'
        : character,
    )
}

const widths = new Map<string, number>()
/** Width of one character in thousandths of the font's size, without kerning. */
function widthOf(character: string, weight: Weight) {
  const key = `${weight} ${character}`
  const known = widths.get(key)
  if (known !== undefined) return known
  const font = fontOf(weight)
  const width = (font.glyphForCodePoint(character.codePointAt(0) ?? 32).advanceWidth * 1000) / font.unitsPerEm
  widths.set(key, width)
  return width
}

/** Width of a line of printable text in points. */
export function textWidth(text: string, size: number, weight: Weight = 'text') {
  let sum = 0
  for (const character of text) sum += widthOf(character, weight)
  return (sum * size) / 1000
}

/** The lines a printable text takes in that width (points); a word that is wider than a line is broken. */
export function wrapped(text: string, width: number, size: number, weight: Weight = 'text'): string[] {
  return text.split('\n').flatMap((paragraph) => {
    const lines: string[] = []
    let line = ''
    for (const word of paragraph.split(' ')) {
      const longer = line === '' ? word : `${line} ${word}`
      if (textWidth(longer, size, weight) <= width) {
        line = longer
        continue
      }
      if (line !== '') lines.push(line)
      const pieces = broken(word, width, size, weight)
      lines.push(...pieces.slice(0, -1))
      line = pieces.at(-1) ?? ''
    }
    return [...lines, line]
  })
}

function broken(word: string, width: number, size: number, weight: Weight) {
  const pieces: string[] = []
  let piece = ''
  let taken = 0
  for (const character of word) {
    const own = textWidth(character, size, weight)
    if (piece !== '' && taken + own > width) {
      pieces.push(piece)
      piece = ''
      taken = 0
    }
    piece += character
    taken += own
  }
  return [...pieces, piece]
}

/** Kerning can widen a line of one letter by this much. */
const KERNED = 0.9
/**
 * The printable text with line breaks in words that are wider than that width (points). pdfkit breaks them too, but
 * takes a second for a word of a thousand characters.
 */
export const breakable = (text: string, width: number, size: number, weight: Weight = 'text') =>
  printable(text).replace(/\S{20,}/g, (word) =>
    textWidth(word, size, weight) > width ? broken(word, width * KERNED, size, weight).join('\n') : word,
  )

/** The text if it fits into that width (points), else its beginning with an ellipsis. */
export function shortened(text: string, width: number, size: number, weight: Weight = 'text') {
  if (textWidth(text, size, weight) <= width) return text
  const characters = [...text]
  while (characters.length > 0 && textWidth(`${characters.join('')}…`, size, weight) > width) characters.pop()
  return `${characters.join('').trimEnd()}…`
}
