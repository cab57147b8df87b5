import sharp from 'sharp'
import type { Pixels } from './picture.ts'

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
/** Fingerprints of plain surfaces are noise, and all alike: they would meet in every other order. */
const LEAST_CONTRAST = 8

export async function qualityOf(pixels: Pixels): Promise<Quality> {
  const { data, width, height } = await grey(pixels)
  return { sharpness: sharpest(data, width, height), perceptual_hash: await fingerprint(pixels) }
}

async function grey({ data, raw }: Pixels, size?: { width: number; height: number }) {
  const image = sharp(data, { raw }).flatten()
  const { data: shades, info } = await (size ? image.resize({ ...size, fit: 'fill' }) : image)
    .greyscale()
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { data: shades, width: info.width, height: info.height }
}

function sharpest(shades: Buffer, width: number, height: number) {
  const cut = (length: number, part: number) =>
    Math.min(length - 1, Math.max(1, Math.floor((length * part) / PARTS)))
  let best = 0
  for (let row = 0; row < PARTS; row++)
    for (let column = 0; column < PARTS; column++)
      best = Math.max(
        best,
        laplacianVariance(shades, width, {
          left: cut(width, column),
          right: cut(width, column + 1),
          top: cut(height, row),
          bottom: cut(height, row + 1),
        }),
      )
  return Math.round(best * 100) / 100
}

interface Part {
  left: number
  right: number
  top: number
  bottom: number
}
function laplacianVariance(shades: Buffer, width: number, { left, right, top, bottom }: Part) {
  let sum = 0
  let squares = 0
  for (let y = top; y < bottom; y++) {
    const from = y * width
    const [above, row, below] = [from - width, from, from + width].map((start) =>
      shades.subarray(start, start + width),
    ) as [Buffer, Buffer, Buffer]
    // Every pixel goes through here: no question is asked of any of them. The edges are left out by the parts.
    for (let x = left; x < right; x++) {
      const edge =
        (row[x - 1] as number) +
        (row[x + 1] as number) +
        (above[x] as number) +
        (below[x] as number) -
        4 * (row[x] as number)
      sum += edge
      squares += edge * edge
    }
  }
  const count = (right - left) * (bottom - top)
  return count > 0 ? squares / count - (sum / count) ** 2 : 0
}

/** Does each of 8 × 8 places grow darker towards its right neighbour? (dHash) */
export async function fingerprint(pixels: Pixels) {
  const { data, width, height } = await grey(pixels, { width: 9, height: 8 })
  if (Math.max(...data) - Math.min(...data) < LEAST_CONTRAST) return null
  let digits = ''
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width - 1; x++)
      digits += (data[y * width + x] ?? 0) > (data[y * width + x + 1] ?? 0) ? '1' : '0'
  return digits
}
