import { release } from '@garantia/shared/memory'
import sharp from 'sharp'
import { inMemory, type Pixels } from './pixels.ts'

/** Figures measured on a picture without recognising its content. */
export interface Quality {
  /** Variance of the Laplacian in the sharpest part; grows with detail. */
  sharpness: number
  /** 64 binary digits, of which copies of a picture differ in few; null when it has too little contrast. */
  perceptual_hash: string | null
}

/** Longest side in px at which pictures are measured: sharpness depends on the scale. */
export const JUDGED_SIDE = 960
/** The sharpest of 4 × 4 parts counts: a subject in one corner may have a blurred background. */
const PARTS = 4
/** Of every 16 rows 3 are read: the result differs by about one percent. */
const BAND = 16
const BAND_ROWS = 3
/**
 * Grey levels (0–255). Hashes of plain surfaces are noise and all alike: they would match unrelated orders.
 */
const LEAST_CONTRAST = 8

/** Sharpness and perceptual hash of a picture; expects it at JUDGED_SIDE. */
export async function qualityOf(pixels: Pixels): Promise<Quality> {
  const shades = await shadesOf(pixels)
  const quality = { sharpness: sharpest(shades), perceptual_hash: digitsOf(shades) }
  release(shades.data)
  return quality
}

/** Perceptual hash alone: 64 binary digits, or null when the picture has too little contrast. */
export const fingerprint = async (pixels: Pixels) => digitsOf(await shadesOf(pixels))

/** Grey levels of the rows that are read, band after band from the top. */
interface Shades {
  data: Uint8Array
  width: number
  bands: number
}

/** Red, green and blue weighted as in ITU-R BT.601; transparency is flattened onto black. */
async function shadesOf(pixels: Pixels): Promise<Shades> {
  const { data, raw } = pixels.raw.channels === 3 ? pixels : await coloured(pixels)
  const { width, height } = raw
  const bands = Math.max(1, Math.floor(height / BAND))
  const shades = new Uint8Array(bands * BAND_ROWS * width)
  let i = 0
  for (let row = 0; row < bands * BAND_ROWS; row++) {
    const y = Math.min(height - 1, Math.floor(row / BAND_ROWS) * BAND + (row % BAND_ROWS))
    const end = (y + 1) * width * 3
    // Hot loop, as are those below: every pixel passes, so indices are not checked.
    for (let at = y * width * 3; at < end; at += 3)
      shades[i++] =
        (77 * (data[at] as number) + 150 * (data[at + 1] as number) + 29 * (data[at + 2] as number)) >> 8
  }
  return { data: shades, width, bands }
}

const coloured = ({ data, raw }: Pixels) => inMemory(sharp(data, { raw }).flatten().toColourspace('srgb'))

interface Part {
  left: number
  right: number
  /** Bands, or rows of them. */
  top: number
  bottom: number
}

/** Splits the picture into equal parts, row by row; in a picture smaller than that, parts overlap. */
function parted(width: number, height: number, columns: number, rows: number): Part[] {
  const cut = (length: number, part: number, parts: number) => {
    const from = Math.min(length - 1, Math.floor((length * part) / parts))
    return [from, Math.max(from + 1, Math.floor((length * (part + 1)) / parts))] as const
  }
  return Array.from({ length: columns * rows }, (_, index) => {
    const [left, right] = cut(width, index % columns, columns)
    const [top, bottom] = cut(height, Math.floor(index / columns), rows)
    return { left, right, top, bottom }
  })
}

function sharpest(shades: Shades) {
  const parts = parted(shades.width, shades.bands, PARTS, PARTS)
  const best = Math.max(...parts.map((part) => laplacianVariance(shades, part)))
  return Math.round(best * 100) / 100
}

/**
 * Read at the middle row of each band; pixels at the left and right edge have no neighbours and are skipped.
 */
function laplacianVariance({ data, width }: Shades, { left, right, top, bottom }: Part) {
  const [from, to] = [Math.max(1, left), Math.min(width - 1, right)]
  let sum = 0
  let squares = 0
  for (let band = top; band < bottom; band++) {
    const middle = (band * BAND_ROWS + 1) * width
    for (let at = middle + from; at < middle + to; at++) {
      const contrast =
        (data[at - 1] as number) +
        (data[at + 1] as number) +
        (data[at - width] as number) +
        (data[at + width] as number) -
        4 * (data[at] as number)
      sum += contrast
      squares += contrast * contrast
    }
  }
  const count = (to - from) * (bottom - top)
  return count > 0 ? squares / count - (sum / count) ** 2 : 0
}

const COLUMNS = 9
const ROWS = 8

/** dHash: 1 where one of 8 × 8 cells is brighter than its right neighbour. */
function digitsOf(shades: Shades) {
  const means = parted(shades.width, shades.bands * BAND_ROWS, COLUMNS, ROWS).map((part) =>
    meanOf(shades, part),
  )
  if (Math.max(...means) - Math.min(...means) < LEAST_CONTRAST) return null
  return means
    .flatMap((mean, at) => (at % COLUMNS === 0 ? [] : [(means[at - 1] as number) > mean ? '1' : '0']))
    .join('')
}

function meanOf({ data, width }: Shades, { left, right, top, bottom }: Part) {
  let sum = 0
  for (let y = top; y < bottom; y++) {
    const end = y * width + right
    for (let at = y * width + left; at < end; at++) sum += data[at] as number
  }
  return sum / ((right - left) * (bottom - top))
}
