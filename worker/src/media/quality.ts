import { release } from '@garantia/shared/memory'
import sharp from 'sharp'
import { inMemory, type Pixels } from './pixels.ts'

/** What can be said of a picture without knowing what it shows. */
export interface Quality {
  /** Variance of the Laplacian where the picture is sharpest; grows with detail. */
  sharpness: number
  /** 64 binary digits that copies of a picture share but for a few; null when it shows too little. */
  perceptual_hash: string | null
}

/** Side at which pictures are judged: the figure depends on the scale, so all are brought to one. */
export const JUDGED_SIDE = 960
/** A photo may have its subject in one corner and a blurred background: the best of these parts counts. */
const PARTS = 4
/** Of so many rows three are looked at: they tell what all of them would, but for a percent. */
const BAND = 16
const BAND_ROWS = 3
/** Fingerprints of plain surfaces are noise, and all alike: they would meet in every other order. */
const LEAST_CONTRAST = 8

export async function qualityOf(pixels: Pixels): Promise<Quality> {
  const shades = await shadesOf(pixels)
  const quality = { sharpness: sharpest(shades), perceptual_hash: digitsOf(shades) }
  release(shades.data)
  return quality
}

/** 64 binary digits, as for `perceptual_hash`. */
export const fingerprint = async (pixels: Pixels) => digitsOf(await shadesOf(pixels))

/** Brightness of the rows that are looked at, band after band from the top. */
interface Shades {
  data: Uint8Array
  width: number
  bands: number
}

/** As ITU-R BT.601 weighs red, green and blue; what is behind something transparent is dark. */
async function shadesOf(pixels: Pixels): Promise<Shades> {
  const { data, raw } = pixels.raw.channels === 3 ? pixels : await coloured(pixels)
  const { width, height } = raw
  const bands = Math.max(1, Math.floor(height / BAND))
  const shades = new Uint8Array(bands * BAND_ROWS * width)
  let i = 0
  for (let row = 0; row < bands * BAND_ROWS; row++) {
    const y = Math.min(height - 1, Math.floor(row / BAND_ROWS) * BAND + (row % BAND_ROWS))
    const end = (y + 1) * width * 3
    // Every pixel goes through here or through the loops below: no question is asked of any of them.
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

/** The picture in so many equal parts, row after row; where it is smaller than that they share what there is. */
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

/** Around the middle row of each band; the edges of the picture have no neighbours. */
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

/** Does each of 8 × 8 places grow darker towards its right neighbour? (dHash) */
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
