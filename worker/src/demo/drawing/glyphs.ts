import { createRequire } from 'node:module'
import { type Font, openSync } from 'fontkit'

type Weight = 500 | 600 | 700

const fonts = new Map<Weight, Font>()
/** Fonts come from a package: on a machine without any, no text would be drawn. */
function fontOf(weight: Weight) {
  const known = fonts.get(weight)
  if (known) return known
  const file = `@fontsource/barlow-condensed/files/barlow-condensed-latin-${weight}-normal.woff`
  const font = openSync(createRequire(import.meta.url).resolve(file)) as Font
  fonts.set(weight, font)
  return font
}

interface Setting {
  x: number
  y: number
  size: number
  fill: string
  weight?: Weight
  align?: 'start' | 'middle' | 'end'
  /** Between characters, as a fraction of the size. */
  spacing?: number
  opacity?: number
}

/** A line of text as outlines, in SVG. */
export function textOutline(
  text: string,
  { x, y, size, weight = 600, align = 'start', spacing = 0, ...look }: Setting,
) {
  const font = fontOf(weight)
  const scale = size / font.unitsPerEm
  const { glyphs, positions } = font.layout(text)
  let pen = 0
  const outlines = glyphs.map((glyph, place) => {
    const at = pen
    pen += (positions[place]?.xAdvance ?? 0) + spacing * font.unitsPerEm
    return `<path transform="translate(${at.toFixed(0)} 0)" d="${glyph.path.toSVG()}"/>`
  })
  const start = x - (align === 'middle' ? pen / 2 : align === 'end' ? pen : 0) * scale
  return `<g transform="translate(${start.toFixed(1)} ${y}) scale(${scale.toFixed(5)} ${(-scale).toFixed(5)})" fill="${look.fill}" opacity="${look.opacity ?? 1}">${outlines.join('')}</g>`
}
