import type { PictureBox } from '@garantia/shared/evidence/picture-box'
import { type FoundText, LEAST_SCORE, READ_SIDE } from '@garantia/shared/evidence/reading'
import { release } from '@garantia/shared/memory'
import { barcodesIn } from './barcodes.ts'
import { type Frames, joined, PLATE, readPattern, VIN } from './ctc.ts'
import { imageOf, readImageMetadata, rethrowAsDamaged } from './image-reader.ts'
import { linePicture, sidesOf } from './line-picture.ts'
import { inMemory, type Pixels } from './pixels.ts'
import type { Quad } from './text-lines.ts'
import { ENGINE, type RecognisedLine, type TextRecogniser, textRecogniser } from './text-recogniser.ts'
import type { PictureReading, ReadingWish, Run, Source } from './types.ts'

/**
 * Where lines are looked for, the next one only if nothing was read: 960 px find 113 of 115 plates, 1280 one more;
 * 1920 px take four times as long and find fewer.
 */
const SEARCHED_SIDES = [960, 1280]
/** Of a photo with more lines, as of a printed page, the largest are read. */
const MOST_LINES = 24
const LEAST_HEIGHT = 10
/** Width by height of lines that can be such a text; those of a motorcycle's plate have two of them. */
const PROPORTIONS: Record<'plate' | 'vin' | 'odometer', readonly [least: number, most: number]> = {
  plate: [1, 9],
  vin: [5, 40],
  odometer: [1, 14],
}
type TextKind = keyof typeof PROPORTIONS
/** Best texts of a kind that are kept. */
const MOST_KEPT = 6

/**
 * The plates, chassis numbers, mileages and codes in a picture, turned by `turn` degrees, the most likely first.
 * CannotConvert when it is damaged or has too many pixels.
 */
export async function readPicture(
  source: Source,
  { kinds, turn = 0 }: ReadingWish,
  run: Run,
): Promise<PictureReading> {
  const image = await imageOf(source, await readImageMetadata(source), { side: READ_SIDE, turn }, run)
  const picture = await inMemory(image.opened().flatten({ background: '#fff' })).catch(rethrowAsDamaged)
  try {
    const texts = kinds.filter((kind): kind is TextKind => kind !== 'code')
    const found = texts.length > 0 ? await readTexts(await textRecogniser(), picture, texts, run) : []
    return { found: kinds.includes('code') ? [...found, ...(await codes(picture))] : found, engine: ENGINE }
  } finally {
    release(picture.data)
  }
}

async function codes(picture: Pixels): Promise<FoundText[]> {
  return (await barcodesIn(picture)).map(({ text, corners }) => ({
    kind: 'code',
    text: text.slice(0, 500),
    score: 0,
    margin: 0,
    box: boxAround(
      corners.map(({ x, y }) => [x, y] as const),
      picture,
    ),
  }))
}

interface Line {
  quad: Quad
  width: number
  height: number
  recognised: RecognisedLine
}

async function readTexts(
  recogniser: TextRecogniser,
  picture: Pixels,
  kinds: readonly TextKind[],
  run: Run,
): Promise<FoundText[]> {
  // Most photos without a category show none of several kinds: the second look is for those that ought to.
  for (const side of kinds.length > 1 ? SEARCHED_SIDES.slice(0, 1) : SEARCHED_SIDES) {
    const lines: Line[] = []
    for (const quad of largest(await recogniser.lines(picture, side), kinds)) {
      run.signal.throwIfAborted()
      const recognised = await recogniser.recognise(linePicture(picture, quad))
      lines.push({ quad, ...sidesOf(quad), recognised })
    }
    const found = kinds.flatMap((kind) => textsOf(kind, lines, picture))
    if (found.length > 0) return found
  }
  return []
}

function largest(quads: readonly Quad[], kinds: readonly TextKind[]) {
  return quads
    .map((quad) => ({ quad, ...sidesOf(quad) }))
    .filter(({ width, height }) => {
      const proportion = width / height
      const isPossible = kinds.some(
        (kind) => proportion >= PROPORTIONS[kind][0] && proportion <= PROPORTIONS[kind][1],
      )
      return height >= LEAST_HEIGHT && isPossible
    })
    .toSorted((a, b) => b.width * b.height - a.width * a.height)
    .slice(0, MOST_LINES)
    .map(({ quad }) => quad)
}

function textsOf(kind: TextKind, lines: readonly Line[], picture: Pixels): FoundText[] {
  const found =
    kind === 'odometer'
      ? lines.flatMap((line) => mileageIn(line, picture))
      : [
          ...lines.flatMap((line) => patterned(kind, line.recognised.frames, [line.quad], picture)),
          ...(kind === 'plate' ? twoLined(lines, picture) : []),
        ]
  const best = new Map<string, FoundText>()
  for (const one of found.toSorted((a, b) => areaOf(b) - areaOf(a)))
    if (!best.has(one.text)) best.set(one.text, one)
  return [...best.values()].slice(0, MOST_KEPT)
}
const areaOf = ({ box }: FoundText) => box.width * box.height

function patterned(
  kind: 'plate' | 'vin',
  frames: Frames,
  quads: readonly Quad[],
  picture: Pixels,
): FoundText[] {
  const read = readPattern(frames, kind === 'plate' ? PLATE : VIN)
  if (!read || read.score < LEAST_SCORE) return []
  return [{ kind, ...read, box: boxAround(quads.flat(), picture) }]
}

/** Plates of motorcycles: letters above, figures below. */
function twoLined(lines: readonly Line[], picture: Pixels) {
  return lines.flatMap((upper) =>
    lines
      .filter((lower) => isBelow(upper, lower))
      .flatMap((lower) =>
        patterned(
          'plate',
          joined(upper.recognised.frames, lower.recognised.frames),
          [upper.quad, lower.quad],
          picture,
        ),
      ),
  )
}

function isBelow(upper: Line, lower: Line) {
  const [a, b] = [boundsOf(upper.quad), boundsOf(lower.quad)]
  const shared = Math.min(a.right, b.right) - Math.max(a.left, b.left)
  const alike = (one: number, other: number) => Math.max(one, other) <= 2 * Math.min(one, other)
  const middle = (bounds: Bounds) => (bounds.top + bounds.bottom) / 2
  const down = middle(b) - middle(a)
  return (
    alike(upper.height, lower.height) &&
    shared > Math.min(a.right - a.left, b.right - b.left) / 2 &&
    down > upper.height / 3 &&
    down < 2 * upper.height
  )
}

/** Figures with points between, «km» behind or not; what is shorter is a temperature or a mark of a scale. */
const MILEAGE = /^\D{0,3}?(\d{1,3}(?:[.,]\d{3})+|\d{4,7})\s*(km)?$/i
const LEAST_CONFIDENCE = 0.85

function mileageIn({ quad, recognised: { text, confidence } }: Line, picture: Pixels): FoundText[] {
  const figures = MILEAGE.exec(text.trim())?.[1]?.replace(/\D/g, '')
  if (!figures || confidence < LEAST_CONFIDENCE) return []
  return [
    {
      kind: 'odometer',
      text: String(Number(figures)),
      score: Math.log(confidence) * figures.length,
      margin: 0,
      box: boxAround(quad, picture),
    },
  ]
}

interface Bounds {
  left: number
  right: number
  top: number
  bottom: number
}
const boundsOf = (points: readonly (readonly [number, number])[]): Bounds => {
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)]
  return { left: Math.min(...xs), right: Math.max(...xs), top: Math.min(...ys), bottom: Math.max(...ys) }
}

function boxAround(
  points: readonly (readonly [number, number])[],
  { raw: { width, height } }: Pixels,
): PictureBox {
  const { left, right, top, bottom } = boundsOf(points)
  const within = (value: number, most: number) => Math.max(0, Math.min(most, value)) / most
  const [from, above] = [within(left, width), within(top, height)]
  return {
    left: from,
    top: above,
    width: within(right, width) - from,
    height: within(bottom, height) - above,
  }
}
