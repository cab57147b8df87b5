import type { RequiredCategory } from '../brands/schema.ts'
import type { EvidenceCategory } from './category.ts'

/** One category the brand asks for, and how far the order has come with it. */
export interface CategoryProgress extends RequiredCategory {
  have: number
  evidence_ids: number[]
}
export const isFilled = ({ have, min }: CategoryProgress) => have >= min

interface Filed {
  id: number
  evidence_category: EvidenceCategory | null
}
/** The brand's order, what is missing first: the next photo to take stands on top. */
export function categoryProgress(
  required: readonly RequiredCategory[],
  files: readonly Filed[],
): CategoryProgress[] {
  const slots = required.map(({ category, min }) => {
    const evidence_ids = files
      .filter(({ evidence_category }) => evidence_category === category)
      .map(({ id }) => id)
    return { category, min, have: evidence_ids.length, evidence_ids }
  })
  return [...slots.filter((slot) => !isFilled(slot)), ...slots.filter(isFilled)]
}
