import { z } from 'zod'
import { EVIDENCE_CATEGORIES } from '../evidence/category.ts'
import { chosenIds } from '../orders/criteria.ts'
import { reportPeriod } from '../orders/report.ts'
import { REFUSAL_REASONS } from './reasons.ts'
import { CLAIM_STATES } from './state.ts'

/** Narrows a report within what the caller may see. */
export const receivableFilter = z.object({ brand_id: chosenIds.optional(), company_id: chosenIds.optional() })
export type ReceivableFilter = z.output<typeof receivableFilter>
/** Months of answers and credits in São Paulo, both inclusive. */
export const answersFilter = reportPeriod.safeExtend(receivableFilter.shape)
export type AnswersFilter = z.output<typeof answersFilter>

const count = z.number().int()
const name = { id: z.number().nullable(), name: z.string() }
/** Of the list of claims, as its address has them: the list that they make has the claims of the figure. */
export const listCriteria = z.record(z.string(), z.union([z.string(), z.boolean()]))
export type ListCriteria = z.output<typeof listCriteria>
const amountFigure = z.object({ claims: count, amount: z.number(), criteria: listCriteria })
export type AmountFigure = z.output<typeof amountFigure>

export const TOTAL_SUMS = ['claimed', 'authorised', 'paid', 'debited', 'written_off', 'open_amount'] as const
export type TotalSums = Record<(typeof TOTAL_SUMS)[number], number> & { claims: number }
const totals = {
  claims: count,
  ...(Object.fromEntries(TOTAL_SUMS.map((sum) => [sum, z.number()])) as {
    [Sum in (typeof TOTAL_SUMS)[number]]: z.ZodNumber
  }),
}
const totalLine = z.object({ ...name, ...totals, criteria: listCriteria })
export type TotalLine = z.output<typeof totalLine>

/**
 * What is to be received. `ages` add up to `receivable`; `receivable` and `overpaid`, which is negative, to the open
 * amount of `totals`. Brands, companies and states each add up to `totals`.
 */
export const receivableReport = z.object({
  receivable: amountFigure,
  ages: z.array(amountFigure.extend({ label: z.string() })),
  overpaid: amountFigure,
  totals: z.object(totals),
  brands: z.array(totalLine),
  companies: z.array(totalLine),
  states: z.array(totalLine.omit({ id: true, name: true }).extend({ state: z.enum(CLAIM_STATES) })),
})
export type ReceivableReport = z.output<typeof receivableReport>

const meanDays = z.object({
  claims: count,
  /** With one decimal; null without any claim. */
  days: z.number().nullable(),
  criteria: listCriteria,
})
/** Of normal claims whose first answer came in the period: those that it accepted whole, without a return before. */
const firstAnswers = z.object({
  answered: count,
  accepted: count,
  /** Percent with one decimal; null without any answer. */
  rate: z.number().nullable(),
  criteria: listCriteria,
  accepted_criteria: listCriteria,
})
export type FirstAnswers = z.output<typeof firstAnswers>
/** Lines that were refused, whole or in part, their claims, and what was refused of them in R$. */
const refusals = z.object({ claims: count, lines: count, amount: z.number(), criteria: listCriteria })
export type Refusals = z.output<typeof refusals>
const refusalLine = refusals.extend({ key: z.string().nullable(), name: z.string() })
export type RefusalLine = z.output<typeof refusalLine>
export const REFUSAL_PARTS = ['reasons', 'brands', 'technicians', 'categories', 'months'] as const
export type RefusalPart = (typeof REFUSAL_PARTS)[number]

/** The answers of a period. Each part of the refusals adds up to `refused` by lines and amount; a claim may be in several of its rows. */
export const answersReport = z.object({
  from: z.string(),
  until: z.string(),
  first_answers: firstAnswers,
  first_answers_of_brands: z.array(firstAnswers.extend(name)),
  days_to_answer: meanDays,
  days_to_credit: meanDays,
  refused: refusals,
  ...(Object.fromEntries(REFUSAL_PARTS.map((part) => [part, z.array(refusalLine)])) as {
    [Part in RefusalPart]: z.ZodArray<typeof refusalLine>
  }),
})
export type AnswersReport = z.output<typeof answersReport>

/** Refusals for want of evidence within so many days, from so many on, propose a change of the brand's rules. */
export const PROPOSAL_DAYS = 30
export const PROPOSAL_LEAST = 3

/** A category that a brand's checklist should ask for; nothing changes until a person saves the rules. */
export const ruleProposal = z.object({
  brand: z.object({ id: z.number(), display_name: z.string() }),
  reason: z.enum(REFUSAL_REASONS),
  /** Refusals of the brand for this reason, and those of them that name the category. */
  refusals: count,
  of_category: count,
  category: z.enum(EVIDENCE_CATEGORIES),
  /** How many files the rules ask for now, 0 for none, and would ask for. */
  min: count,
  proposed_min: count,
  text: z.string(),
  criteria: listCriteria,
})
export type RuleProposal = z.output<typeof ruleProposal>
export const ruleProposals = z.object({ data: z.array(ruleProposal), count })
export type RuleProposals = z.output<typeof ruleProposals>
