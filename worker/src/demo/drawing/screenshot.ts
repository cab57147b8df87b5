import { integer } from '@garantia/shared/format'
import type { SeededRandom } from '../random.ts'
import { textOutline } from './glyphs.ts'
import { background, type Scene } from './scene.ts'

const WIDTH = 1280
const HEIGHT = 960
const HEADER_HEIGHT = 108
const GAP = 16

const SKINS = [
  { page: '#0b1624', tiles: ['#12243a', '#1c3b5c', '#0f2136'], bar: '#12508a', ink: '#dbe7f3' },
  { page: '#e9eef3', tiles: ['#ffffff', '#cfdbe6', '#f6f9fc'], bar: '#1f6fbf', ink: '#15181c' },
  { page: '#16140f', tiles: ['#2b2619', '#463c22', '#1f1b12'], bar: '#8a5a12', ink: '#f4ead2' },
  { page: '#10221a', tiles: ['#173526', '#2a5a41', '#122b1f'], bar: '#1c7a4d', ink: '#dff3e7' },
] as const
const CURVES = ['#4fb8ff', '#ff9f1c', '#34c77b', '#ff5a4d', '#b68cff'] as const
const MEASUREMENTS: readonly (readonly [name: string, unit: string, least: number, most: number])[] = [
  ['Rotação', 'r/min', 720, 3400],
  ['Temperatura da água', '°C', 82, 108],
  ['Sonda lambda', 'mV', 90, 880],
  ['Pressão do óleo', 'kPa', 110, 480],
  ['Avanço da ignição', '°', 4, 31],
  ['Carga do motor', '%', 14, 86],
  ['Tensão da bateria', 'mV', 11_600, 14_300],
  ['Vazão de ar', 'mg', 180, 940],
]

/** Splits a length at random into parts, none of them very small. */
function splitLength(random: SeededRandom, length: number, parts: number) {
  const shares = Array.from({ length: parts }, () => random.between(0.6, 1.6))
  const sum = shares.reduce((all, share) => all + share, 0)
  return shares.map((share) => (length - GAP * (parts - 1)) * (share / sum))
}

/** A random measured value over time, as a filled curve. */
function curve(random: SeededRandom, width: number, height: number, colour: string) {
  const steps = 24
  let level = random.between(0.2, 0.9)
  const points = Array.from({ length: steps + 1 }, (_, step) => {
    level = Math.min(0.97, Math.max(0.05, level + random.between(-0.24, 0.24)))
    return `L${((width * step) / steps).toFixed(0)} ${(height * (1 - level)).toFixed(0)}`
  }).join('')
  return `<path d="M0 ${height}${points}L${width} ${height}z" fill="${colour}" fill-opacity=".42"/><path d="M0 ${height}${points}" stroke="${colour}" stroke-width="5" fill="none"/>`
}

/** A screenshot of the diagnostic scanner: faults and measured values, in a random arrangement. */
export const screenshot: Scene = ({ model, chassis, mileage, faults }, random) => {
  const skin = random.oneOf(SKINS)
  const ink = { weight: 500, fill: skin.ink } as const
  const rows = splitLength(random, HEIGHT - HEADER_HEIGHT - GAP * 2, random.whole(2, 3))
  const faultRow = random.whole(0, rows.length - 1)
  let y = HEADER_HEIGHT + GAP
  const tiles = rows.map((height, row) => {
    let x = GAP
    const columns = splitLength(random, WIDTH - GAP * 2, random.whole(2, 3))
    const widest = columns.indexOf(Math.max(...columns))
    const shown = columns.map((width, column) => {
      const [name, unit, least, most] = random.oneOf(MEASUREMENTS)
      const isFaultList = row === faultRow && column === widest
      const content = isFaultList
        ? `${textOutline(`FALHAS: ${faults.length}`, { x: 20, y: 46, size: 32, ...ink, weight: 700 })}${faults.map(({ code, text }, place) => `${textOutline(code, { x: 20, y: 102 + place * 92, size: 36, weight: 700, fill: '#ff9f1c' })}${textOutline(text, { x: 20, y: 138 + place * 92, size: 28, ...ink })}`).join('')}`
        : `<g transform="translate(0 ${height * 0.36})">${curve(random, width, height * 0.64, random.oneOf(CURVES))}</g>
           ${textOutline(name, { x: 20, y: 44, size: 28, ...ink })}${textOutline(`${integer(random.whole(least, most))} ${unit}`, { x: 20, y: 92, size: 44, ...ink, weight: 700 })}`
      const tile = `<svg x="${x.toFixed(0)}" y="${y.toFixed(0)}" width="${width.toFixed(0)}" height="${height.toFixed(0)}"><rect width="100%" height="100%" rx="10" fill="${random.oneOf(skin.tiles)}"/>${content}</svg>`
      x += width + GAP
      return tile
    })
    y += height + GAP
    return shown.join('')
  })
  return `${background(skin.page)}<rect width="${WIDTH}" height="${HEADER_HEIGHT}" fill="${skin.bar}"/>
    ${textOutline(model, { x: 24, y: 50, size: 40, weight: 700, fill: '#fff' })}
    ${textOutline(`VIN ${chassis}`, { x: 24, y: 92, size: 30, weight: 500, fill: '#fff' })}
    ${textOutline(`${integer(mileage)} km`, { x: WIDTH - 24, y: 70, size: 40, weight: 600, fill: '#fff', align: 'end' })}${tiles.join('')}`
}
