/** A point in pixels. */
export type Point = readonly [x: number, y: number]
/** Corners of one line of text: top left, top right, bottom right, bottom left. */
export type Quad = readonly [Point, Point, Point, Point]

/** Probability of text, 0 to 1, for each pixel of a picture. */
export interface TextMap {
  width: number
  height: number
  values: Float32Array
}

/** As PaddleOCR's own post-processing of its detector (DB, Liao 2020), with a looser bound for a whole line. */
const LEAST_OF_PIXEL = 0.3
const LEAST_OF_LINE = 0.5
/** The detector is trained on lines that were shrunk by about this factor. */
const GROWTH = 1.6
const LEAST_PIXELS = 6
const LEAST_SIDE = 3

/** The lines of text in a map, each as the smallest rectangle around it, in pixels of the map. */
export function textLines(map: TextMap): Quad[] {
  const { width, values } = map
  const seen = new Uint8Array(values.length)
  const queue = new Int32Array(values.length)
  const found: Quad[] = []
  for (let start = 0; start < values.length; start++) {
    if (seen[start] || (values[start] as number) <= LEAST_OF_PIXEL) continue
    const size = spread(map, start, seen, queue)
    if (size < LEAST_PIXELS) continue
    const pixels = queue.subarray(0, size)
    let sum = 0
    for (const pixel of pixels) sum += values[pixel] as number
    const quad = sum / size >= LEAST_OF_LINE ? rectangleAround(edgesOf(pixels, width)) : null
    if (quad) found.push(quad)
  }
  return found
}

/** Puts the pixels that are connected with `start` into `queue`; returns their number. */
function spread({ width, height, values }: TextMap, start: number, seen: Uint8Array, queue: Int32Array) {
  let [taken, size] = [0, 1]
  queue[0] = start
  seen[start] = 1
  while (taken < size) {
    const pixel = queue[taken++] as number
    const [x, y] = [pixel % width, Math.floor(pixel / width)]
    for (let row = Math.max(0, y - 1); row <= Math.min(height - 1, y + 1); row++)
      for (let column = Math.max(0, x - 1); column <= Math.min(width - 1, x + 1); column++) {
        const next = row * width + column
        if (seen[next] || (values[next] as number) <= LEAST_OF_PIXEL) continue
        seen[next] = 1
        queue[size++] = next
      }
  }
  return size
}

/** The corners of the outermost pixels of each row. */
function edgesOf(pixels: Int32Array, width: number): Point[] {
  const rows = new Map<number, [number, number]>()
  for (const pixel of pixels) {
    const [x, y] = [pixel % width, Math.floor(pixel / width)]
    const [left, right] = rows.get(y) ?? [x, x]
    rows.set(y, [Math.min(left, x), Math.max(right, x)])
  }
  return [...rows].flatMap(([y, [left, right]]): Point[] => [
    [left, y],
    [right + 1, y],
    [left, y + 1],
    [right + 1, y + 1],
  ])
}

/** Convex hull, counter-clockwise (Andrew's monotone chain). */
function hullOf(points: readonly Point[]): Point[] {
  const sorted = points.toSorted(([ax, ay], [bx, by]) => ax - bx || ay - by)
  const half = (list: readonly Point[]) => {
    const chain: Point[] = []
    for (const point of list) {
      while (chain.length > 1 && turn(chain.at(-2) as Point, chain.at(-1) as Point, point) <= 0) chain.pop()
      chain.push(point)
    }
    return chain.slice(0, -1)
  }
  return [...half(sorted), ...half(sorted.toReversed())]
}
const turn = ([ox, oy]: Point, [ax, ay]: Point, [bx, by]: Point) =>
  (ax - ox) * (by - oy) - (ay - oy) * (bx - ox)

/** The smallest rectangle around the points, at any angle, grown by GROWTH; null when it is too thin for text. */
function rectangleAround(points: readonly Point[]): Quad | null {
  const hull = hullOf(points)
  let best: { area: number; corners: Point[]; shortest: number } | undefined
  for (const [index, [ax, ay]] of hull.entries()) {
    const [bx, by] = hull[(index + 1) % hull.length] as Point
    const length = Math.hypot(bx - ax, by - ay)
    if (length === 0) continue
    const [ux, uy] = [(bx - ax) / length, (by - ay) / length]
    const along = hull.map(([x, y]) => x * ux + y * uy)
    const across = hull.map(([x, y]) => y * ux - x * uy)
    const [left, right] = [Math.min(...along), Math.max(...along)]
    const [top, bottom] = [Math.min(...across), Math.max(...across)]
    const [width, height] = [right - left, bottom - top]
    if (best && width * height >= best.area) continue
    const grown = (width * height * GROWTH) / (2 * (width + height))
    const corner = (u: number, v: number): Point => [u * ux - v * uy, u * uy + v * ux]
    best = {
      area: width * height,
      shortest: Math.min(width, height),
      corners: [
        corner(left - grown, top - grown),
        corner(right + grown, top - grown),
        corner(right + grown, bottom + grown),
        corner(left - grown, bottom + grown),
      ],
    }
  }
  return best && best.shortest >= LEAST_SIDE ? ordered(best.corners) : null
}

function ordered(corners: readonly Point[]): Quad {
  const byX = corners.toSorted(([ax], [bx]) => ax - bx)
  const byY = (pair: Point[]) => pair.sort(([, ay], [, by]) => ay - by) as [Point, Point]
  const [topLeft, bottomLeft] = byY(byX.slice(0, 2))
  const [topRight, bottomRight] = byY(byX.slice(2))
  return [topLeft, topRight, bottomRight, bottomLeft]
}
