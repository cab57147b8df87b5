import type { DecisionView } from '@garantia/shared/claims/answers'
import type { ClaimView } from '@garantia/shared/claims/schema'
import { expect, test } from 'vitest'
import { answerOf, correctionForm } from './decision-form-schema.ts'

const line = { evidence_category: null, brand_code: 'X9', brand_words: 'Fora do prazo' }
const former = {
  outcome: 'rejected',
  decided_at: '2026-11-20T13:00:00.000Z',
  brand_code: 'R12',
  brand_words: 'Peça fora da garantia',
  lines: [
    { ...line, line_id: 1, authorised: 0, reason: 'wrong_part_price' },
    { ...line, line_id: 2, authorised: 0, reason: 'wrong_part_price' },
  ],
} as DecisionView
const claim = {
  claimed: 150,
  brand_number: 'SG1',
  lines: [
    { id: 1, claimed: 100 },
    { id: 2, claimed: 50 },
  ],
  decisions: [former],
} as ClaimView

test('a correction keeps what the brand said and when, unless it is changed', () => {
  const fields = answerOf(claim, 'rejected', true)
  expect(fields).toMatchObject({
    decided_on: '20/11/2026',
    brand_code: 'R12',
    brand_words: 'Peça fora da garantia',
    reason: 'wrong_part_price',
  })
  const schema = correctionForm(claim)
  const saved = schema.parse({ ...fields, correction: 'Lida na linha errada' })
  expect(saved).toMatchObject({ brand_words: 'Peça fora da garantia', brand_code: 'R12' })
  expect(saved.decided_at).toBeUndefined()
  expect(saved.lines).toMatchObject([{ brand_words: 'Fora do prazo' }, { brand_code: 'X9' }])
  const moved = schema.parse({ ...fields, correction: 'Dia errado', decided_on: '19/11/2026' })
  expect(moved.decided_at).toBe('2026-11-19T15:00:00Z')
  // Its first answer has nothing of the kind.
  expect(answerOf(claim, 'rejected', false)).toMatchObject({ brand_words: '', brand_code: '', reason: '' })
})

test('lines refused for one reason and different photos have no answer as a whole', () => {
  const missing = former.lines.map((one) => ({
    ...one,
    reason: 'evidence_missing',
    evidence_category: 'placa',
  }))
  const answered = (...lines: unknown[]) =>
    answerOf({ ...claim, decisions: [{ ...former, lines }] } as unknown as ClaimView, 'rejected', true)
  expect(answered(...missing)).toMatchObject({ reason: 'evidence_missing', evidence_category: 'placa' })
  expect(answered(missing[0], { ...missing[1], evidence_category: 'chassi' })).toMatchObject({
    reason: '',
    evidence_category: '',
  })
})
