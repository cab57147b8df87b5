import {
  BLURRED_BELOW,
  type ColourPixels,
  JUDGED_SIDE,
  parted,
  rowsOf,
  type Shades,
  shadesOf,
  sharpnessOf,
} from '@garantia/shared/evidence/sharpness'

/** Parts of a picture to each side; what is photographed is in the inner half. */
const PARTS = 8
/** Grey levels from which nothing is left to be read, and the share of a part that a reflection has of them. */
const BLOWN = 252
const BLOWN_SHARE = 0.85
/** Mean grey level of the middle below which letters are lost. */
const DARK_BELOW = 36

export type PictureProblem = 'blurred' | 'glare' | 'dark'

/** What makes a picture useless, as far as it can be measured; expects it at JUDGED_SIDE. */
export function problemsOf(pixels: ColourPixels, mayReflect: boolean): PictureProblem[] {
  const shades = shadesOf(pixels)
  const middle = parted(shades.width, rowsOf(shades), PARTS, PARTS)
    .filter((_, index) => isInner(index % PARTS) && isInner(Math.floor(index / PARTS)))
    .map((part) => levelsIn(shades, part))
  const mean = middle.reduce((sum, part) => sum + part.mean, 0) / middle.length
  // In the dark nothing is sharp.
  if (mean < DARK_BELOW) return ['dark']
  return [
    ...(sharpnessOf(shades) < BLURRED_BELOW ? (['blurred'] as const) : []),
    ...(mayReflect && middle.some(({ blown }) => blown > BLOWN_SHARE) ? (['glare'] as const) : []),
  ]
}

const isInner = (place: number) => place >= PARTS / 4 && place < PARTS - PARTS / 4

function levelsIn({ data, width }: Shades, { left, right, top, bottom }: ReturnType<typeof parted>[number]) {
  let sum = 0
  let blown = 0
  for (let y = top; y < bottom; y++)
    for (let at = y * width + left; at < y * width + right; at++) {
      const level = data[at] as number
      sum += level
      if (level >= BLOWN) blown++
    }
  const count = (right - left) * (bottom - top)
  return { mean: sum / count, blown: blown / count }
}

/** What a photo shows of these; none when this browser cannot look at it. */
export async function problemsOfPhoto(photo: Blob, mayReflect: boolean): Promise<PictureProblem[]> {
  try {
    const picture = await createImageBitmap(photo)
    const pixels = pixelsOf(picture)
    picture.close()
    return pixels ? problemsOf(pixels, mayReflect) : []
  } catch {
    return []
  }
}

/** The picture at JUDGED_SIDE, halved step by step: browsers shrink at once by leaving pixels out, which looks sharper. */
function pixelsOf(picture: ImageBitmap): ColourPixels | null {
  const scale = Math.min(1, JUDGED_SIDE / Math.max(picture.width, picture.height))
  const wanted = { width: Math.round(picture.width * scale), height: Math.round(picture.height * scale) }
  let from: CanvasImageSource = picture
  let { width, height } = picture
  for (;;) {
    const next = {
      width: Math.max(wanted.width, Math.ceil(width / 2)),
      height: Math.max(wanted.height, Math.ceil(height / 2)),
    }
    const canvas = document.createElement('canvas')
    Object.assign(canvas, next)
    const drawing = canvas.getContext('2d', { willReadFrequently: true })
    if (!drawing) return null
    drawing.imageSmoothingQuality = 'high'
    drawing.drawImage(from, 0, 0, width, height, 0, 0, next.width, next.height)
    ;({ width, height } = next)
    from = canvas
    if (width === wanted.width && height === wanted.height)
      return { data: drawing.getImageData(0, 0, width, height).data, width, height, channels: 4 }
  }
}
