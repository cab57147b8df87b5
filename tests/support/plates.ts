import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { textOutline } from '@garantia/worker/demo/drawing/glyphs'
import { numberPlate } from '@garantia/worker/demo/drawing/plates'
import sharp from 'sharp'
import { prepareZXingModule, writeBarcode } from 'zxing-wasm/writer'

const [WIDTH, HEIGHT] = [1280, 960]

export interface DrawnPlate {
  /** Motorcycles have letters above figures. */
  isMotorcycle?: boolean
  isNight?: boolean
  /** Degrees. */
  tilt?: number
  /** Factor of 1280 × 960 px; 3.125 makes 12 megapixels. */
  scale?: number
}

interface Drawing {
  name: string
  svg: string
  scale?: number
}

/** A car's tail with this plate. */
export function platePhoto(plate: string, how: DrawnPlate = {}): Drawing {
  const { isMotorcycle = false, isNight = false, tilt = 0, scale = 1 } = how
  return {
    name: plate,
    scale,
    svg: `<rect width="100%" height="100%" fill="#5b6770"/>
    <path d="M0 300Q640 240 1280 300V760Q640 820 0 760z" fill="#7a1620"/>
    <g transform="rotate(${tilt} 640 480) skewX(${-tilt / 3})">
    ${isMotorcycle ? motorcyclePlate(plate) : numberPlate(plate, 420, 420, 440)}</g>
    ${isNight ? '<rect width="100%" height="100%" fill="#020410" fill-opacity=".82"/>' : ''}`,
  }
}

const motorcyclePlate = (plate: string) =>
  `<rect x="500" y="340" width="280" height="250" rx="12" fill="#f2f4f5" stroke="#111" stroke-width="5"/>
  <rect x="502" y="342" width="276" height="42" fill="#1e4ba0"/>
  ${line(plate.slice(0, 3), 476)}${line(plate.slice(3), 574)}`
const line = (text: string, y: number) =>
  textOutline(text, { x: 640, y, size: 108, fill: '#15181c', align: 'middle', spacing: 0.05 })

/** One line of text on a label. */
export const labelPhoto = (text: string, size = 70): Drawing => ({
  name: text,
  svg: `<rect width="100%" height="100%" fill="#8d949b"/>
    <rect x="120" y="400" width="1040" height="160" fill="#eceff1"/>
    ${textOutline(text, { x: 640, y: 505, size, fill: '#15181c', align: 'middle', spacing: 0.08 })}`,
})

/** Writes the drawings to `dir` as photos; returns the path of each by its name. */
export async function drawPhotos(dir: string, drawings: readonly Drawing[]) {
  const pages = drawings.map(({ name, svg, scale = 1 }) => ({
    path: join(dir, `${name.replaceAll(/\W/g, '-')}.jpg`),
    svg: `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH * scale}" height="${HEIGHT * scale}" viewBox="0 0 ${WIDTH} ${HEIGHT}">${svg}</svg>`,
  }))
  const drawing = execFile(process.execPath, [fileURLToPath(new URL('./rasterise.ts', import.meta.url))])
  drawing.stdin?.end(JSON.stringify(pages))
  const [code] = await once(drawing, 'exit')
  if (code !== 0) throw new Error(`The drawings ended with ${code}`)
  return new Map(drawings.map(({ name }, index) => [name, pages[index]?.path ?? '']))
}

/** A label with a code. */
export async function codePhoto(dir: string, text: string, format: 'QRCode' | 'DataMatrix' | 'Code128') {
  const program = createRequire(import.meta.url).resolve('zxing-wasm/writer/zxing_writer.wasm')
  const wasmBinary = new Uint8Array(await readFile(program)).buffer
  await prepareZXingModule({ overrides: { wasmBinary }, fireImmediately: true })
  const { image, error } = await writeBarcode(text, { format, scale: 6 })
  if (!image) throw new Error(error)
  const code = await sharp(Buffer.from(await image.arrayBuffer()))
    .png()
    .toBuffer()
  const path = join(dir, `${format}.jpg`)
  const ground = sharp({ create: { width: WIDTH, height: HEIGHT, channels: 3, background: '#8d949b' } })
  await ground
    .composite([{ input: code }])
    .rotate(4, { background: '#8d949b' })
    .jpeg({ quality: 85 })
    .toFile(path)
  return path
}
