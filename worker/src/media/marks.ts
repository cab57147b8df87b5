import { createRequire } from 'node:module'
import {
  arrowOutline,
  inDrawingOrder,
  LABEL_BESIDE,
  letterOf,
  type Mark,
  type Point,
  strokeOf,
  turnedMark,
} from '@garantia/shared/evidence/marks'
import type { PictureBox } from '@garantia/shared/evidence/picture-box'
import { type Font, openSync } from 'fontkit'
import type { Pixels } from './pixels.ts'
import { type Colour, type Corner, fillOutlines, type Outlines } from './polygons.ts'

const RED: Colour = [200, 25, 35]
const WHITE: Colour = [255, 255, 255]
/** Of the white edge around lines, as a share of their thickness. */
const EDGE = 0.35
/** Above and below the capitals of a text, as a share of the size of its letters. */
const ABOVE = 0.3
const CURVE_STEPS = 8
const ELLIPSE_STEPS = 96

/**
 * Draws a photo's marks onto its pixels, in place, turned as the photo is. Nothing is left of what lies under a cover:
 * its box becomes one colour, since from what is blurred or pixelated letters have been guessed (Hill et al., «On the
 * (In)effectiveness of Mosaicing and Blurring as Tools for Document Redaction», PoPETs 2016).
 */
export function drawMarks(pixels: Pixels, marks: readonly Mark[], degrees: number) {
  const { width, height } = pixels.raw
  const stroke = strokeOf(width, height)
  const edge = stroke * EDGE
  const px = ({ x, y }: Point): Corner => [x * width, y * height]
  const turned = marks.map((mark) => turnedMark(mark, degrees))
  for (const mark of inDrawingOrder(turned, (mark) => mark)) {
    if (mark.kind === 'cover') coverBox(pixels, mark.box)
    else if (mark.kind === 'arrow') {
      const [from, to] = [px(mark.from), px(mark.to)]
      fillOutlines(pixels, [arrowOutline(from, to, stroke, edge)], WHITE)
      fillOutlines(pixels, [arrowOutline(from, to, stroke)], RED)
    } else if (mark.kind === 'circle') {
      fillOutlines(pixels, ring(mark.box, pixels.raw, stroke / 2 + edge), WHITE)
      fillOutlines(pixels, ring(mark.box, pixels.raw, stroke / 2), RED)
    } else drawText(pixels, mark.text, px(mark.at))
  }
}

/** Sets whole pixels, also those that the box only touches, to their mean colour. */
function coverBox({ data, raw }: Pixels, { left, top, width, height }: PictureBox) {
  const [fromX, toX] = [
    Math.floor(left * raw.width),
    Math.min(raw.width, Math.ceil((left + width) * raw.width)),
  ]
  const [fromY, toY] = [
    Math.floor(top * raw.height),
    Math.min(raw.height, Math.ceil((top + height) * raw.height)),
  ]
  const { channels } = raw
  const pixels = (toX - fromX) * (toY - fromY)
  const each = (visit: (at: number) => void) => {
    for (let y = fromY; y < toY; y++) for (let x = fromX; x < toX; x++) visit((y * raw.width + x) * channels)
  }
  const sums = new Array<number>(channels).fill(0)
  each((at) => {
    for (let channel = 0; channel < channels; channel++)
      sums[channel] = (sums[channel] as number) + (data[at + channel] as number)
  })
  const mean = Buffer.from(sums.map((sum) => Math.round(sum / Math.max(1, pixels))))
  each((at) => mean.copy(data, at))
}

/** The outline of an ellipse within a box, so thick to both sides, in px. */
function ring({ left, top, width, height }: PictureBox, raw: Pixels['raw'], thick: number): Outlines {
  const [centreX, centreY] = [(left + width / 2) * raw.width, (top + height / 2) * raw.height]
  const [radiusX, radiusY] = [(width * raw.width) / 2, (height * raw.height) / 2]
  const ellipse = (more: number): Corner[] =>
    Array.from({ length: ELLIPSE_STEPS }, (_, step) => {
      const angle = (2 * Math.PI * step) / ELLIPSE_STEPS
      return [
        centreX + Math.max(0, radiusX + more) * Math.cos(angle),
        centreY + Math.max(0, radiusY + more) * Math.sin(angle),
      ]
    })
  return [ellipse(thick), ellipse(-thick).reverse()]
}

let font: Font | undefined
/** Comes from a package: on a machine without fonts no text would be drawn. */
const boldFont = () => {
  font ??= openSync(
    createRequire(import.meta.url).resolve('@expo-google-fonts/inter/700Bold/Inter_700Bold.ttf'),
  ) as Font
  return font
}

/** White letters on a red box around a place, which is moved into the picture where it would leave it. */
function drawText(pixels: Pixels, text: string, [centreX, centreY]: Corner) {
  const font = boldFont()
  const { glyphs, positions } = font.layout(text)
  const advance = positions.reduce((sum, { xAdvance }) => sum + xAdvance, 0)
  const size = letterOf(pixels.raw.width, pixels.raw.height, advance / font.unitsPerEm)
  const scale = size / font.unitsPerEm
  const [width, height] = [
    advance * scale + 2 * LABEL_BESIDE * size,
    font.capHeight * scale + 2 * ABOVE * size,
  ]
  const left = within(centreX - width / 2, pixels.raw.width - width)
  const top = within(centreY - height / 2, pixels.raw.height - height)
  fillOutlines(
    pixels,
    [
      [
        [left, top],
        [left + width, top],
        [left + width, top + height],
        [left, top + height],
      ],
    ],
    RED,
  )
  let pen = left + LABEL_BESIDE * size
  const baseline = top + ABOVE * size + font.capHeight * scale
  for (const [at, glyph] of glyphs.entries()) {
    const outlines = outlinesOf(glyph.path.commands, (x, y) => [pen + x * scale, baseline - y * scale])
    if (outlines.length > 0) fillOutlines(pixels, outlines, WHITE)
    pen += (positions[at]?.xAdvance ?? 0) * scale
  }
}

const within = (value: number, most: number) => Math.max(0, Math.min(most, value))

/** The outlines of a letter, its curves as short lines. */
function outlinesOf(commands: PathCommands, place: Place) {
  const outlines: Corner[][] = []
  let outline: Corner[] = []
  let [x, y] = [0, 0]
  const curve = (points: readonly Corner[]) => {
    const all = [[x, y] as Corner, ...points]
    for (let step = 1; step <= CURVE_STEPS; step++) outline.push(place(...bezierAt(all, step / CURVE_STEPS)))
    ;[x, y] = points.at(-1) as Corner
  }
  for (const { command, args } of commands) {
    const points = pairsOf(args)
    if (command === 'moveTo') {
      outline = []
      outlines.push(outline)
    }
    if (command === 'moveTo' || command === 'lineTo') {
      ;[x, y] = points[0] as Corner
      outline.push(place(x, y))
    } else if (command !== 'closePath') curve(points)
  }
  return outlines.filter(({ length }) => length > 2)
}

type Place = (x: number, y: number) => Corner
type PathCommands = readonly { command: string; args: readonly number[] }[]

const pairsOf = (args: readonly number[]) =>
  Array.from({ length: args.length / 2 }, (_, at) => [args[2 * at], args[2 * at + 1]] as unknown as Corner)

/** De Casteljau's construction of a point of a curve, from its control points. */
function bezierAt(points: readonly Corner[], share: number): Corner {
  if (points.length === 1) return points[0] as Corner
  const between = points.slice(1).map(([x, y], at): Corner => {
    const [fromX, fromY] = points[at] as Corner
    return [fromX + (x - fromX) * share, fromY + (y - fromY) * share]
  })
  return bezierAt(between, share)
}
