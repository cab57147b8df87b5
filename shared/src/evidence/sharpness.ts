/** Longest side in px at which pictures are measured: sharpness depends on the scale. */
export const JUDGED_SIDE = 960
/** Variance of the Laplacian below which nothing in the picture is in focus; measured at JUDGED_SIDE. */
export const BLURRED_BELOW = 40
/** The sharpest of 4 × 4 parts counts: a subject in one corner may have a blurred background. */
const PARTS = 4
/** Of every 16 rows 3 are read: the result differs by about one percent. */
const BAND = 16
const BAND_ROWS = 3

/** Grey levels (0–255) of the rows that are read, band after band from the top. */
export interface Shades {
  data: Uint8Array
  width: number
  bands: number
}
/** Rows in `Shades.data`. */
export const rowsOf = ({ bands }: Shades) => bands * BAND_ROWS

/** Red, green and blue, and what else comes with them, of each pixel. */
export interface ColourPixels {
  data: ArrayLike<number>
  width: number
  height: number
  channels: 3 | 4
}

/** Red, green and blue weighted as in ITU-R BT.601; transparency is not looked at. */
export function shadesOf({ data, width, height, channels }: ColourPixels): Shades {
  const bands = Math.max(1, Math.floor(height / BAND))
  const shades = new Uint8Array(bands * BAND_ROWS * width)
  let i = 0
  for (let row = 0; row < bands * BAND_ROWS; row++) {
    const y = Math.min(height - 1, Math.floor(row / BAND_ROWS) * BAND + (row % BAND_ROWS))
    const end = (y + 1) * width * channels
    // Hot loop, as is the one below: every pixel passes, so indices are not checked.
    for (let at = y * width * channels; at < end; at += channels)
      shades[i++] =
        (77 * (data[at] as number) + 150 * (data[at + 1] as number) + 29 * (data[at + 2] as number)) >> 8
  }
  return { data: shades, width, bands }
}

export interface Part {
  left: number
  right: number
  /** Bands, or rows of them. */
  top: number
  bottom: number
}

/** Splits a picture into equal parts, row by row; in a picture smaller than that, parts overlap. */
export function parted(width: number, height: number, columns: number, rows: number): Part[] {
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

/** Variance of the Laplacian in the sharpest part; grows with detail. */
export function sharpnessOf(shades: Shades) {
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
