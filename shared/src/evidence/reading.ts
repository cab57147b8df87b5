import { z } from 'zod'
import type { EvidenceCategory } from './category.ts'

/** What is read in a photo: a plate, a chassis number, a mileage, a code on a part. */
export const READING_KINDS = ['plate', 'vin', 'odometer', 'code'] as const
export type ReadingKind = (typeof READING_KINDS)[number]

const share = z.number().min(0).max(1)
/** Place in the upright picture; all four as shares of its sides. */
export const readingBox = z.object({ left: share, top: share, width: share, height: share })
export type ReadingBox = z.output<typeof readingBox>

/** One text found in a photo. */
export const foundText = z.object({
  kind: z.enum(READING_KINDS),
  text: z.string().min(1).max(500),
  /** Natural logarithm of its probability: 0 is certain, -3 is 5 %. */
  score: z.number(),
  /** How far the next best text lies behind, on the same scale. */
  margin: z.number(),
  box: readingBox,
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
