import {
  type Part,
  parted,
  rowsOf,
  type Shades,
  shadesOf,
  sharpnessOf,
} from '@garantia/shared/evidence/sharpness'
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

/**
 * Grey levels (0–255). Hashes of plain surfaces are noise and all alike: they would match unrelated orders.
 */
const LEAST_CONTRAST = 8

/** Sharpness and perceptual hash of a picture; expects it at JUDGED_SIDE. */
export async function qualityOf(pixels: Pixels): Promise<Quality> {
  const shades = await shadesOfPixels(pixels)
  const quality = { sharpness: sharpnessOf(shades), perceptual_hash: digitsOf(shades) }
  release(shades.data)
  return quality
}

/** Perceptual hash alone: 64 binary digits, or null when the picture has too little contrast. */
export const fingerprint = async (pixels: Pixels) => digitsOf(await shadesOfPixels(pixels))

/** Transparency is flattened onto black. */
async function shadesOfPixels(pixels: Pixels): Promise<Shades> {
  const { data, raw } = pixels.raw.channels === 3 ? pixels : await coloured(pixels)
  return shadesOf({ data, width: raw.width, height: raw.height, channels: 3 })
}

const coloured = ({ data, raw }: Pixels) => inMemory(sharp(data, { raw }).flatten().toColourspace('srgb'))

const COLUMNS = 9
const ROWS = 8

/** dHash: 1 where one of 8 × 8 cells is brighter than its right neighbour. */
function digitsOf(shades: Shades) {
  const means = parted(shades.width, rowsOf(shades), COLUMNS, ROWS).map((part) => meanOf(shades, part))
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
