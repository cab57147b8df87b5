import { expect, test } from 'vitest'
import {
  ABOVE_CLAIMED,
  ALL_LINES,
  decisionInput,
  decisionIssue,
  NEEDS_CATEGORY,
  NEEDS_REASON,
} from './answers.ts'
import { paymentInput } from './entries.ts'
import { attributedValue, partChange } from './parts.ts'
import { asksCategory, REASONS, REFUSAL_REASONS } from './reasons.ts'
import { remittanceLineInput, remittanceMapping } from './remittance.ts'
import { claimChange, claimInput } from './schema.ts'

const part = { kind: 'part', description: 'Módulo ABS', part_number: 'A1', quantity: 1, claimed: 10.5 }
const labour = { kind: 'labour', description: 'Troca', labour_code: '4512', hours: 1.5, claimed: 20 }
const third = { kind: 'third_party', description: 'Guincho', claimed: 30 }
const messages = (given: object) =>
  claimInput.safeParse({ type: 'normal', lines: [], ...given }).error?.issues.map(({ message }) => message) ??
  []

test('a claim takes parts, labour and services of third parties', () => {
  expect(messages({ lines: [part, labour, third] })).toEqual([])
  expect(messages({ lines: [] })).toEqual([])
})

test.each([
  [{ ...part, part_number: '' }, 'Informe o número da peça'],
  [{ ...part, quantity: 0 }, 'Informe a quantidade, com até três casas decimais'],
  [{ ...part, quantity: 0.0001 }, 'Informe a quantidade, com até três casas decimais'],
  [{ ...labour, labour_code: ' ' }, 'Informe o código de tempo (TMO)'],
  [{ ...labour, hours: 1.005 }, 'Informe as horas, com até duas casas decimais'],
  [{ ...third, claimed: 0 }, 'O valor deve ser maior que zero'],
  [{ ...third, claimed: 0.001 }, 'Use no máximo duas casas decimais'],
  [{ ...third, description: '' }, 'Descreva o item'],
  [{ ...third, kind: 'other' }, 'Tipo de item desconhecido'],
])('%o: %s', (line, message) => expect(messages({ lines: [line] })).toContain(message))

test('one part at most is the causal one', () => {
  const causal = { ...part, is_causal: true }
  expect(messages({ lines: [causal, part] })).toEqual([])
  expect(messages({ lines: [causal, causal] })).toEqual(['Só uma peça pode ser a causal'])
})

test('appeal and supplement name the claim before, a normal one names none', () => {
  const ok = (type: string, previous_id?: number) => messages({ type, previous_id }).length === 0
  expect([ok('normal'), ok('normal', 1), ok('appeal'), ok('appeal', 1), ok('supplement', 1)]).toEqual([
    true,
    false,
    false,
    true,
    true,
  ])
})

test('a change of nothing changes nothing', () => expect(claimChange.parse({})).toEqual({}))

const lines = [
  { id: 1, claimed: 100 },
  { id: 2, claimed: 50 },
]
const answer = (line_id: number, authorised: number, more: object = {}) => ({ line_id, authorised, ...more })
test('an answer has every line once, never more than claimed, and a reason for what is missing', () => {
  const issue = (...answers: Parameters<typeof decisionIssue>[0]) => decisionIssue(answers, lines)?.message
  expect(issue(answer(1, 100), answer(2, 50))).toBeUndefined()
  expect(issue(answer(1, 100))).toBe(ALL_LINES)
  expect(issue(answer(1, 100), answer(1, 100))).toBe(ALL_LINES)
  expect(issue(answer(1, 100), answer(3, 50))).toBe(ALL_LINES)
  expect(issue(answer(1, 100.01), answer(2, 50))).toBe(ABOVE_CLAIMED)
  expect(issue(answer(1, 99.99), answer(2, 50))).toBe(NEEDS_REASON)
  expect(issue(answer(1, 0, { reason: 'evidence_missing' }), answer(2, 50))).toBe(NEEDS_CATEGORY)
  expect(
    issue(answer(1, 0, { reason: 'evidence_missing', evidence_category: 'causa' }), answer(2, 50)),
  ).toBeUndefined()
  expect(issue(answer(1, 0, { reason: 'late' }), answer(2, 50))).toBeUndefined()
})

test('only a decision has lines, and a return says what the brand asks', () => {
  const ok = (given: object) => decisionInput.safeParse(given).success
  expect(ok({ answer: 'in_review' })).toBe(true)
  expect(ok({ answer: 'in_review', lines: [answer(1, 1)] })).toBe(false)
  expect(ok({ answer: 'returned' })).toBe(false)
  expect(ok({ answer: 'returned', brand_words: 'Falta o chassi' })).toBe(true)
  expect(ok({ answer: 'decided' })).toBe(false)
  expect(ok({ answer: 'decided', lines: [answer(1, 1)] })).toBe(true)
})

test('each reason has its label, and those about evidence in general ask which', () => {
  expect(REFUSAL_REASONS).toHaveLength(16)
  expect(new Set(REFUSAL_REASONS.map((reason) => REASONS[reason].label)).size).toBe(16)
  expect(REFUSAL_REASONS.filter(asksCategory)).toEqual(['evidence_missing', 'evidence_unreadable'])
})

test('a payment is one amount or that of each line', () => {
  const ok = (given: object) => paymentInput.safeParse({ booked_on: '2026-11-24', ...given }).success
  expect(ok({})).toBe(false)
  expect(ok({ amount: 0.01 })).toBe(true)
  expect(ok({ lines: [{ line_id: 1, amount: 1 }] })).toBe(true)
  expect(ok({ amount: 1, lines: [{ line_id: 1, amount: 1 }] })).toBe(false)
  expect(ok({ lines: [1, 1].map((line_id) => ({ line_id, amount: 1 })) })).toBe(false)
})

test('a line of a remittance names a claim, never an amount alone', () => {
  const ok = (given: object) => remittanceLineInput.safeParse(given).success
  expect(ok({ amount: 10 })).toBe(false)
  expect(ok({ brand_number: 'SG1', amount: 10 })).toBe(true)
  expect(ok({ os_number: '000001', amount: -10 })).toBe(true)
  expect(ok({ os_number: '000001', amount: 0 })).toBe(false)
  expect(remittanceMapping.safeParse({ amount: 1 }).success).toBe(false)
  expect(remittanceMapping.safeParse({ amount: 1, os_number: 0 }).success).toBe(true)
})

test('a returned part is worth a tenth of the new one, and its invoice has a key of 44 digits', () => {
  expect(attributedValue(1234.55)).toBe(123.46)
  expect(attributedValue(0.04)).toBe(0)
  expect(partChange.safeParse({ id: 1, invoice_key: '1'.repeat(43) }).success).toBe(false)
  expect(partChange.parse({ id: 1, invoice_key: '' })).toEqual({ id: 1, invoice_key: null })
})
