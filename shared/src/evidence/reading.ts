import { z } from 'zod'
import { correctedChassis, otherPlatePattern } from '../br/vehicle.ts'
import { EVIDENCE_CATEGORIES, type EvidenceCategory } from './category.ts'
import { pictureBox } from './picture-box.ts'

/** What is read in a photo: a plate, a chassis number, a mileage, a code on a part. */
export const READING_KINDS = ['plate', 'vin', 'odometer', 'code'] as const
export type ReadingKind = (typeof READING_KINDS)[number]

/** Longest side in px of the picture that is looked at: more shows no other text. */
export const READ_SIDE = 2048

/** One text found in a photo. */
export const foundText = z.object({
  kind: z.enum(READING_KINDS),
  text: z.string().min(1).max(500),
  /** Natural logarithm of its probability: 0 is certain, -3 is 5 %. */
  score: z.number(),
  /** How far the next best text lies behind, on the same scale. */
  margin: z.number(),
  box: pictureBox,
})
export type FoundText = z.output<typeof foundText>

/** Texts below it are noise: nothing is said of them, and nothing is kept. */
export const LEAST_SCORE = -3

const KIND_OF: Partial<Record<EvidenceCategory, ReadingKind>> = {
  placa: 'plate',
  chassi: 'vin',
  chassi_no_vidro: 'vin',
  odometro: 'odometer',
  pecas: 'code',
}
/** What a photo of this category has to show; null where nothing is read. */
export const readingKindOf = (category: EvidenceCategory | null) => (category && KIND_OF[category]) ?? null
/** The texts that tell the category of a photo without one; a mileage does not, since many things show figures. */
const TELLING: readonly ReadingKind[] = ['plate', 'vin', 'code']
/** What a photo of this category is searched for; without a category, for what would tell it. */
export function searchedKinds(category: EvidenceCategory | null): readonly ReadingKind[] {
  if (category === null) return TELLING
  const kind = readingKindOf(category)
  return kind ? [kind] : []
}
/** The categories whose photos are read, each with the kind of text. */
export const READ_CATEGORIES = Object.entries(KIND_OF)

/** What was found in one photo, as it is stored. */
const storedReading = z.object({
  /** What its category made it be searched for; null when it had none. */
  kind: z.enum(READING_KINDS).nullable(),
  /** Degrees by which it was turned. */
  rotation: z.number().int(),
  found: z.array(foundText),
  /** Models and program that have read it. */
  engine: z.string(),
})
export type StoredReading = z.output<typeof storedReading>

/** The stored value of a column; null when it has none. */
export const storedReadingOf = (value: unknown): StoredReading | null =>
  storedReading.nullable().catch(null).parse(value)

export const READING_VERDICTS = ['match', 'mismatch', 'unreadable', 'suggestion'] as const
/**
 * What a photo says beside its order: `match` when the order's text was read in it, which means that the texts are
 * equal and nothing more; `mismatch` when it surely shows another one; `suggestion` for an empty field, a mileage
 * or a code; `unreadable` when nothing can be said.
 */
export const reading = z.object({
  kind: z.enum(READING_KINDS),
  verdict: z.enum(READING_VERDICTS),
  text: z.string().nullable(),
  score: z.number().nullable(),
  margin: z.number().nullable(),
  box: pictureBox.nullable(),
  engine: z.string(),
})
export type Reading = z.output<typeof reading>

/** The order's fields that photos are compared with. */
export interface ReadVehicle {
  vehicle_plate: string | null
  vehicle_chassis: string | null
}

/** What is hardly likelier than a text with another character, a Q for an O, confirms nothing. */
const LEAST_MARGIN = 0.5
/** A text that contradicts the order, or fills an empty field, has to be this sure. */
const SURE_SCORE = -1.5
const SURE_MARGIN = 2
const isSure = ({ score, margin }: FoundText) => score >= SURE_SCORE && margin >= SURE_MARGIN

/** The reading of a photo beside its order as it is now; null while its category asks for another one. */
export function readingOf(
  stored: StoredReading | null,
  file: { evidence_category: EvidenceCategory | null; rotation: number },
  vehicle: ReadVehicle,
): Reading | null {
  if (!stored || stored.kind !== readingKindOf(file.evidence_category) || stored.rotation !== file.rotation)
    return null
  const { kind, engine } = stored
  if (kind === null) return null
  const found = stored.found.filter((one) => one.kind === kind)
  const [verdict, said] = judge(kind, found, expectedOf(kind, vehicle))
  const { text = null, score = null, margin = null, box = null } = said ?? {}
  return { kind, verdict, text, score, margin, box, engine }
}

function judge(
  kind: ReadingKind,
  found: readonly FoundText[],
  expected: string | null,
): [Reading['verdict'], FoundText?] {
  const [first] = found
  if (!first) return ['unreadable']
  if (kind === 'odometer' || kind === 'code') return ['suggestion', first]
  const sure = found.find(isSure)
  if (!expected) return sure ? ['suggestion', sure] : ['unreadable']
  const same = found.find(({ text }) => text === expected)
  if (same) return same.margin >= LEAST_MARGIN ? ['match', same] : ['unreadable']
  if (!sure || found.some(({ text }) => isLikeText(kind, text, expected))) return ['unreadable']
  return ['mismatch', sure]
}

const expectedOf = (kind: ReadingKind, { vehicle_plate, vehicle_chassis }: ReadVehicle) =>
  kind === 'plate'
    ? vehicle_plate
    : kind === 'vin'
      ? (correctedChassis(vehicle_chassis ?? '') ?? vehicle_chassis)
      : null

/**
 * Whether two plates may be one: the same in the other pattern, or apart only by a Q for an O, or where a letter and a
 * figure of one shape are both allowed. No reader of single characters tells them surely.
 */
function isLikeText(kind: ReadingKind, text: string, expected: string) {
  if (kind !== 'plate') return false
  return otherPlatePattern(text) === expected || shapeOf(text) === shapeOf(expected)
}
const shapeOf = (plate: string) =>
  plate.slice(0, 3).replaceAll('Q', 'O') +
  plate.charAt(3) +
  plate.charAt(4).replace(/[OQD]/, '0').replace('I', '1') +
  plate.slice(5)

/** A category for a photo without one, and the text that tells it. */
export const suggestedCategory = z.object({
  category: z.enum(EVIDENCE_CATEGORIES),
  kind: z.enum(READING_KINDS),
  text: z.string(),
})
export type SuggestedCategory = z.output<typeof suggestedCategory>

const CATEGORY_OF = { plate: 'placa', vin: 'chassi', code: 'pecas' } as const

/**
 * The category that was told by what was read in a photo without one; null where nothing sure was read, or texts of
 * more than one kind, as on a document of the vehicle.
 */
export function suggestionOf(
  stored: StoredReading | null,
  file: { evidence_category: EvidenceCategory | null; rotation: number },
): SuggestedCategory | null {
  if (file.evidence_category !== null || stored?.kind !== null || stored.rotation !== file.rotation)
    return null
  const sure = stored.found.filter((one) => one.kind === 'code' || isSure(one))
  const [first] = sure
  if (!first || first.kind === 'odometer' || sure.some(({ kind }) => kind !== first.kind)) return null
  return { category: CATEGORY_OF[first.kind], kind: first.kind, text: first.text }
}

/**
 * What a photo offers for the fields of an order that does not exist yet: the texts that are surely read. A mileage only
 * where nothing else is, since plates and documents have figures too.
 */
export function vehicleTextsOf(found: readonly FoundText[]) {
  const vehicle = found.filter(({ kind }) => kind === 'plate' || kind === 'vin')
  const offered = vehicle.length > 0 ? vehicle.filter(isSure) : found.slice(0, 1)
  return offered.flatMap(({ kind, text }) => (kind === 'code' ? [] : { kind, text }))
}

/**
 * Texts that surely identify one thing and may be looked for in other orders: not a mileage, and nothing of a photo
 * without a category, which may show any other vehicle.
 */
export const searchedTexts = ({ kind, found }: Pick<StoredReading, 'kind' | 'found'>) => [
  ...new Set(
    (kind === null ? [] : found)
      .filter((one) => one.kind !== 'odometer' && (one.kind === 'code' || isSure(one)))
      .map(({ kind, text }) => `${kind}:${text}`),
  ),
]
