import type { Pixels } from './pixels.ts'
import type { Point, Quad } from './text-lines.ts'

/** Height in pixels of a line as the recogniser expects it. */
export const LINE_HEIGHT = 48
/** A line of 17 characters is about 500 px wide; longer ones carry nothing that is looked for. */
const WIDEST = 1200
const NARROWEST = 16
const MOST_SAMPLES = 4

const distance = ([ax, ay]: Point, [bx, by]: Point) => Math.hypot(bx - ax, by - ay)

/** Sides in pixels of a line. */
export const sidesOf = ([topLeft, topRight, bottomRight, bottomLeft]: Quad) => ({
  width: Math.max(distance(topLeft, topRight), distance(bottomLeft, bottomRight)),
  height: Math.max(distance(topLeft, bottomLeft), distance(topRight, bottomRight)),
})

/** Cuts one line out of a picture of three channels and sets it upright; averages where it shrinks. */
export function linePicture({ data, raw }: Pixels, quad: Quad): Pixels {
  const { width, height } = sidesOf(quad)
  const across = Math.round((LINE_HEIGHT * width) / Math.max(1, height))
  const columns = Math.max(NARROWEST, Math.min(WIDEST, across))
  const samples = Math.max(1, Math.min(MOST_SAMPLES, Math.round(height / LINE_HEIGHT)))
  const [[left, top], [rightX, rightY], , [downX, downY]] = quad
  // The rectangle was found in a map of other proportions, so it is a parallelogram here.
  const [stepX, stepY] = [(rightX - left) / columns, (rightY - top) / columns]
  const [fallX, fallY] = [(downX - left) / LINE_HEIGHT, (downY - top) / LINE_HEIGHT]
  const out = Buffer.alloc(columns * LINE_HEIGHT * 3)
  const sums = [0, 0, 0]
  for (let row = 0; row < LINE_HEIGHT; row++)
    for (let column = 0; column < columns; column++) {
      sums.fill(0)
      for (let sample = 0; sample < samples * samples; sample++) {
        const u = column + ((sample % samples) + 0.5) / samples
        const v = row + (Math.floor(sample / samples) + 0.5) / samples
        addPoint(data, raw, left + u * stepX + v * fallX - 0.5, top + u * stepY + v * fallY - 0.5, sums)
      }
      const at = (row * columns + column) * 3
      for (let channel = 0; channel < 3; channel++)
        out[at + channel] = (sums[channel] as number) / (samples * samples)
    }
  return { data: out, raw: { width: columns, height: LINE_HEIGHT, channels: 3 } }
}

/** Adds the colour at a point between four pixels; the picture's edge continues beyond it. */
function addPoint(data: Buffer, { width, height }: Pixels['raw'], x: number, y: number, sums: number[]) {
  const [inX, inY] = [Math.max(0, Math.min(width - 1, x)), Math.max(0, Math.min(height - 1, y))]
  const [left, top] = [Math.floor(inX), Math.floor(inY)]
  const [right, bottom] = [Math.min(width - 1, left + 1), Math.min(height - 1, top + 1)]
  const [shareX, shareY] = [inX - left, inY - top]
  for (let channel = 0; channel < 3; channel++) {
    const at = (px: number, py: number) => data[(py * width + px) * 3 + channel] as number
    const above = at(left, top) * (1 - shareX) + at(right, top) * shareX
    const below = at(left, bottom) * (1 - shareX) + at(right, bottom) * shareX
    sums[channel] = (sums[channel] as number) + above * (1 - shareY) + below * shareY
  }
}
