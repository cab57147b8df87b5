import { z } from 'zod'
import { isStorable } from '../fields.ts'
import { counted } from '../format.ts'
import { pictureBox, share } from './picture-box.ts'

/** Most marks of one photo, and characters of one text. */
export const MARKS_MAX = 30
export const MARK_TEXT_MAX = 60
/** Shorter sides, and arrows, are slips of the hand. */
const LEAST_SHARE = 0.005
const TOO_SMALL = 'Fora da foto, ou pequena demais'

const point = z.object({ x: share, y: share })
export type Point = z.output<typeof point>
/** In shares, whichever side is longer. */
export const lengthOf = (from: Point, to: Point) => Math.hypot(to.x - from.x, to.y - from.y)

const markBox = pictureBox.refine(
  ({ left, top, width, height }) =>
    width >= LEAST_SHARE && height >= LEAST_SHARE && left + width <= 1.000_001 && top + height <= 1.000_001,
  TOO_SMALL,
)
const markText = z
  .string('Deve ser um texto')
  .trim()
  .min(1, 'Escreva o texto')
  .max(MARK_TEXT_MAX, `Máximo de ${MARK_TEXT_MAX} caracteres`)
  .refine((value) => isStorable(value) && !/\p{Control}/u.test(value), 'Contém caracteres inválidos')
  .refine(
    (value) => !/\p{Emoji_Presentation}|\uFE0F/u.test(value),
    'Figuras não podem ser desenhadas na foto',
  )

/**
 * What a person draws beside a photo: an arrow that points `to` something, an ellipse within a box, a text around its
 * centre, or a box that nobody may see. Places are shares of the upright photo, before a person has turned it.
 */
export const mark = z.discriminatedUnion(
  'kind',
  [
    z
      .object({ kind: z.literal('arrow'), from: point, to: point })
      .refine(({ from, to }) => lengthOf(from, to) >= LEAST_SHARE, TOO_SMALL),
    z.object({ kind: z.literal('circle'), box: markBox }),
    z.object({ kind: z.literal('text'), at: point, text: markText }),
    z.object({ kind: z.literal('cover'), box: markBox }),
  ],
  'Marca desconhecida',
)
export type Mark = z.output<typeof mark>
export type MarkKind = Mark['kind']

const marks = z.array(mark).max(MARKS_MAX, `Máximo de ${MARKS_MAX} marcas por foto`)
/** All marks of a photo; none removes them. */
export const marksInput = z.object({
  marks,
  /** Those that the caller saw before; a photo that has others by now is refused. */
  seen_marks: marks.optional(),
})
export type MarksInput = z.output<typeof marksInput>
export const MARKED_MEANWHILE =
  'Outra pessoa mudou as marcas desta foto enquanto você marcava. As suas ainda não foram salvas: confira e salve de novo.'

/** The stored value of a column; null when it is not readable. */
export const readMarks = (value: unknown): Mark[] | null => marks.safeParse(value ?? []).data ?? null
/** The same for what is only shown: none when it is not readable. */
export const storedMarksOf = (value: unknown): Mark[] => readMarks(value) ?? []

/** As the conversion draws them: covered parts first, so that nothing else is hidden. */
export const inDrawingOrder = <T>(list: readonly T[], markOf: (one: T) => Mark) => [
  ...list.filter((one) => markOf(one).kind === 'cover'),
  ...list.filter((one) => markOf(one).kind !== 'cover'),
]

const WORDS: Record<MarkKind, readonly [string, string]> = {
  arrow: ['seta', 'setas'],
  circle: ['círculo', 'círculos'],
  text: ['texto', 'textos'],
  cover: ['parte encoberta', 'partes encobertas'],
}
export const MARK_KINDS = Object.keys(WORDS) as MarkKind[]

/** How many of each kind there are; kinds without one are absent. */
export const countsOf = (marks: readonly Mark[]) =>
  Object.fromEntries(
    MARK_KINDS.map((kind) => [kind, marks.filter((one) => one.kind === kind).length] as const).filter(
      ([, count]) => count > 0,
    ),
  ) as Partial<Record<MarkKind, number>>

/** «2 setas, 1 parte encoberta»; of a kind that this release does not know the name. */
export const countWords = (counts: Readonly<Record<string, number>>) =>
  Object.entries(counts)
    .map(([kind, count]) => {
      const [one, many] = WORDS[kind as MarkKind] ?? [kind, kind]
      return counted(count, one, many)
    })
    .join(', ')

const turnedPoint = ({ x, y }: Point, degrees: number): Point => {
  if (degrees === 90) return { x: 1 - y, y: x }
  if (degrees === 180) return { x: 1 - x, y: 1 - y }
  if (degrees === 270) return { x: y, y: 1 - x }
  return { x, y }
}

/** Where a mark is in the photo turned by 0, 90, 180 or 270 degrees clockwise. */
export function turnedMark(mark: Mark, degrees: number): Mark {
  if (mark.kind === 'arrow')
    return { ...mark, from: turnedPoint(mark.from, degrees), to: turnedPoint(mark.to, degrees) }
  if (mark.kind === 'text') return { ...mark, at: turnedPoint(mark.at, degrees) }
  const { left, top, width, height } = mark.box
  const [one, other] = [
    turnedPoint({ x: left, y: top }, degrees),
    turnedPoint({ x: left + width, y: top + height }, degrees),
  ]
  return { ...mark, box: boxBetween(one, other) }
}

/** The box that has two points as opposite corners. */
export const boxBetween = (one: Point, other: Point) => ({
  left: Math.min(one.x, other.x),
  top: Math.min(one.y, other.y),
  width: Math.abs(one.x - other.x),
  height: Math.abs(one.y - other.y),
})

/** Of lines and letters, as shares of the longer side of the picture. */
const LINE = 0.007
const LETTER = 0.028

/** Thickness of lines in px of a picture of that size. */
export const strokeOf = (width: number, height: number) => Math.max(2, LINE * Math.max(width, height))
/** Beside the letters of a text, as a share of their size. */
export const LABEL_BESIDE = 0.45
/** Size in px of the letters of a text that is so many of them wide: a long one is as small as its picture is narrow. */
export const letterOf = (width: number, height: number, letters: number) =>
  Math.min(Math.max(12, LETTER * Math.max(width, height)), (width * 0.96) / (letters + 2 * LABEL_BESIDE))

type Corner = readonly [x: number, y: number]

/** The outline of an arrow in px: shaft and head, and `edge` px around them. */
export function arrowOutline(from: Corner, to: Corner, stroke: number, edge = 0): Corner[] {
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]]
  const length = Math.hypot(dx, dy) || 1
  const [ux, uy] = [dx / length, dy / length]
  const at = (along: number, across: number): Corner => [
    from[0] + ux * along - uy * across,
    from[1] + uy * along + ux * across,
  ]
  const head = Math.min(length, 5 * stroke)
  const neck = length - head - edge
  const slope = (2 * stroke) / head
  // What lies so far outside of a line that rises by `slope` stands so much above it.
  const above = edge * Math.hypot(1, slope)
  const [shaft, wing, tip] = [stroke / 2 + edge, 2 * stroke + slope * edge + above, length + above / slope]
  return [
    at(-edge, shaft),
    at(neck, shaft),
    at(neck, wing),
    at(tip, 0),
    at(neck, -wing),
    at(neck, -shaft),
    at(-edge, -shaft),
  ]
}
