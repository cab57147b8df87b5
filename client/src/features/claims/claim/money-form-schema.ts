import {
  type DebitInput,
  debitInput,
  type PaymentInput,
  paymentInput,
  type WriteOffInput,
  writeOffInput,
} from '@garantia/shared/claims/entries'
import { amountOf, centsOf, sumOf } from '@garantia/shared/claims/money'
import type { ClaimLineView, ClaimView } from '@garantia/shared/claims/schema'
import { payableOf, remainderOf } from '@garantia/shared/claims/sums'
import { date, dayIn, isoDay } from '@garantia/shared/format'
import { formOf } from '../../../lib/forms.ts'
import { maskedMoney, moneyIn } from '../../../ui/form/masks.ts'

export interface MoneyFields {
  booked_on: string
  reason: string
  /** A payment only: one amount, divided over the lines, or the amount of each. */
  is_by_line: boolean
  amount: string
  lines: { line_id: number; amount: string }[]
}
export type MoneyStep = 'pay' | 'debit' | 'write_off'

const notNegative = (cents: number) => amountOf(Math.max(0, cents))
/** What most likely is entered of a line: what is authorised and not paid, what was paid, what is missing. */
const PROPOSED: Record<MoneyStep, (line: ClaimLineView) => number> = {
  pay: payableOf,
  debit: ({ paid, debited }) => notNegative(centsOf(paid) - centsOf(debited)),
  write_off: (line) => notNegative(centsOf(remainderOf(line))),
}

export function fieldsOfMoney(claim: ClaimView, step: MoneyStep): MoneyFields {
  const proposed = claim.lines.map((line) => ({ line_id: line.id, amount: PROPOSED[step](line) }))
  return {
    booked_on: date(new Date()),
    reason: '',
    is_by_line: step !== 'pay',
    amount: maskedMoney(sumOf(proposed.map(({ amount }) => amount))),
    lines: proposed.map(({ line_id, amount }) => ({ line_id, amount: maskedMoney(amount) })),
  }
}

const dayOf = (text: string) => {
  const day = dayIn(text)
  return day ? isoDay(day) : text
}
/** Lines without an amount are left out. */
const linesIn = (lines: MoneyFields['lines']) =>
  lines.flatMap(({ line_id, amount }) => {
    const value = moneyIn(amount)
    return value ? [{ line_id, amount: value }] : []
  })
const wrongDay = ({ booked_on }: MoneyFields) => ({
  booked_on: dayIn(booked_on) ? null : 'Informe uma data válida, dd/mm/aaaa',
})

export const paymentForm = formOf<MoneyFields, PaymentInput>(
  paymentInput,
  ({ booked_on, is_by_line, amount, lines }) => ({
    booked_on: dayOf(booked_on),
    ...(is_by_line ? { lines: linesIn(lines) } : { amount: moneyIn(amount) ?? 0 }),
  }),
  wrongDay,
)
export const debitForm = formOf<MoneyFields, DebitInput>(
  debitInput,
  ({ booked_on, reason, lines }) => ({ booked_on: dayOf(booked_on), reason, lines: linesIn(lines) }),
  wrongDay,
)
export const writeOffForm = formOf<MoneyFields, WriteOffInput>(
  writeOffInput,
  ({ reason, lines }) => ({ reason, lines: linesIn(lines) }),
  () => ({}),
)
