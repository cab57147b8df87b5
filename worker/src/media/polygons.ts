import type { Pixels } from './pixels.ts'

export type Corner = readonly [x: number, y: number]
/** Closed outlines in px; one within another that runs the other way round is a hole. */
export type Outlines = readonly (readonly Corner[])[]
export type Colour = readonly [red: number, green: number, blue: number]

/** Lines per row of pixels, which make slanted edges smooth. */
const LINES = 4

/** Fills what lies within the outlines (nonzero rule), in place; what lies outside of the picture is left out. */
export function fillOutlines({ data, raw }: Pixels, outlines: Outlines, colour: Colour) {
  const edges = outlines.flatMap(edgesOf)
  const ys = edges.flatMap(({ top, bottom }) => [top, bottom])
  const first = Math.max(0, Math.floor(Math.min(...ys)))
  const last = Math.min(raw.height - 1, Math.ceil(Math.max(...ys)))
  const xs = outlines.flatMap((outline) => outline.map(([x]) => x))
  const left = Math.max(0, Math.floor(Math.min(...xs)))
  const right = Math.min(raw.width, Math.ceil(Math.max(...xs)))
  const covered = new Float32Array(raw.width)
  for (let row = first; row <= last; row++) {
    covered.fill(0, left, right)
    for (let line = 0; line < LINES; line++)
      for (const [from, to] of spansAt(edges, row + (line + 0.5) / LINES)) cover(covered, from, to)
    for (let column = left; column < right; column++) {
      const share = covered[column] as number
      if (share > 0) blend(data, (row * raw.width + column) * raw.channels, raw.channels, colour, share)
    }
  }
}

interface Edge {
  top: number
  bottom: number
  xAt: (y: number) => number
  /** Of the winding number when it is crossed from the left. */
  step: 1 | -1
}

const edgesOf = (outline: readonly Corner[]): Edge[] =>
  outline.flatMap(([x, y], at) => {
    const [nextX, nextY] = outline[(at + 1) % outline.length] as Corner
    if (y === nextY) return []
    const slope = (nextX - x) / (nextY - y)
    return {
      ...{ top: Math.min(y, nextY), bottom: Math.max(y, nextY) },
      xAt: (line: number) => x + (line - y) * slope,
      step: y < nextY ? 1 : -1,
    }
  })

/** Where a line runs within the outlines, from the left. */
function spansAt(edges: readonly Edge[], y: number) {
  const crossings = edges
    .filter(({ top, bottom }) => top <= y && y < bottom)
    .map(({ xAt, step }) => ({ x: xAt(y), step }))
    .sort((a, b) => a.x - b.x)
  const spans: [from: number, to: number][] = []
  let winding = 0
  let from = 0
  for (const { x, step } of crossings) {
    if (winding === 0) from = x
    winding += step
    if (winding === 0) spans.push([from, x])
  }
  return spans
}

/** Adds one line's share of each pixel between two places. */
function cover(covered: Float32Array, from: number, to: number) {
  const [left, right] = [Math.max(0, from), Math.min(covered.length, to)]
  for (let column = Math.floor(left); column < right; column++) {
    const width = Math.min(right, column + 1) - Math.max(left, column)
    covered[column] = (covered[column] as number) + width / LINES
  }
}

function blend(data: Buffer, at: number, channels: number, colour: Colour, share: number) {
  const colours = Math.min(3, channels)
  const mixed = (channel: number, value: number) => {
    const before = data[at + channel] as number
    data[at + channel] = Math.round(before + (value - before) * share)
  }
  if (channels < 3) mixed(0, greyOf(colour))
  else for (let channel = 0; channel < colours; channel++) mixed(channel, colour[channel] as number)
  if (channels === 2 || channels === 4) mixed(channels - 1, 255)
}

/** Brightness as ITU-R BT.601 weighs the colours. */
const greyOf = ([red, green, blue]: Colour) => 0.299 * red + 0.587 * green + 0.114 * blue
