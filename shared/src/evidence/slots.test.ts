import { expect, test } from 'vitest'
import { categoryProgress } from './category-progress.ts'

test('the checklist counts each category and puts what is missing first (beyond 2.2)', () => {
  const files = [
    { id: 7, evidence_category: 'chassi' as const },
    { id: 8, evidence_category: 'defeito' as const },
    { id: 9, evidence_category: null },
  ]
  const required = [
    { category: 'chassi' as const, min: 1 },
    { category: 'defeito' as const, min: 2 },
    { category: 'placa' as const, min: 1 },
  ]
  expect(categoryProgress(required, files)).toEqual([
    { category: 'defeito', min: 2, have: 1, evidence_ids: [8] },
    { category: 'placa', min: 1, have: 0, evidence_ids: [] },
    { category: 'chassi', min: 1, have: 1, evidence_ids: [7] },
  ])
})
