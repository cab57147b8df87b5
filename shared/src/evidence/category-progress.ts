import type { RequiredCategory } from '../brands/schema.ts'
import type { EvidenceCategory } from './category.ts'

/** One category that the brand requires, with the order's files in it. */
export interface CategoryProgress extends RequiredCategory {
  have: number
  evidence_ids: number[]
}
/** Whether the category has its minimum number of files. */
export const isFilled = ({ have, min }: CategoryProgress) => have >= min

interface Filed {
  id: number
  evidence_category: EvidenceCategory | null
}
/** The required categories in the brand's order, incomplete ones first. */
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
