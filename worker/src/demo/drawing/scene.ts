import type { SeededRandom } from '../random.ts'

/** Data shown in a drawing; every text in it belongs to the order. */
export interface Subject {
  chassis: string
  plate: string
  mileage: number
  model: string
  /** Colour of the body, as CSS. */
  paint: string
  faults: readonly { code: string; text: string }[]
  part: { name: string; number: string; kind: PartKind }
}
export type PartKind = 'disc' | 'battery' | 'plugs'

/**
 * Returns SVG for a ground of 1280 × 960, drawn well beyond its edges so that it may be turned and shifted.
 */
export type Scene = (subject: Subject, random: SeededRandom) => string

export const background = (fill: string) =>
  `<rect x="-500" y="-500" width="2280" height="1960" fill="${fill}"/>`

export const gradient = (
  id: string,
  stops: readonly [number, string][],
  direction = 'x1="0" y1="0" x2="0" y2="1"',
) =>
  `<linearGradient id="${id}" ${direction}>${stops.map(([at, colour]) => `<stop offset="${at}" stop-color="${colour}"/>`).join('')}</linearGradient>`

export const glow = (id: string, stops: readonly [number, string, number][], place = '') =>
  `<radialGradient id="${id}" ${place}>${stops.map(([at, colour, opacity]) => `<stop offset="${at}" stop-color="${colour}" stop-opacity="${opacity}"/>`).join('')}</radialGradient>`

/** Scratches, dust or drops: many short strokes at random places. */
export function strokes(
  random: SeededRandom,
  {
    count,
    colour,
    opacity,
    length,
    width = 1.5,
    slant = 0,
  }: { count: number; colour: string; opacity: number; length: number; width?: number; slant?: number },
) {
  let path = ''
  for (let place = 0; place < count; place++) {
    const [x, y] = [random.between(-100, 1380), random.between(-100, 1060)]
    const reach = random.between(0.2, 1) * length
    const tilt = slant + random.between(-0.25, 0.25)
    path += `M${x.toFixed(0)} ${y.toFixed(0)}l${(reach * Math.cos(tilt)).toFixed(0)} ${(reach * Math.sin(tilt)).toFixed(0)}`
  }
  return `<path d="${path}" stroke="${colour}" stroke-opacity="${opacity}" stroke-width="${width}" stroke-linecap="round" fill="none"/>`
}

export const polarPoint = (degrees: number, radius: number, x = 0, y = 0) =>
  [
    x + radius * Math.cos((degrees * Math.PI) / 180),
    y + radius * Math.sin((degrees * Math.PI) / 180),
  ] as const
