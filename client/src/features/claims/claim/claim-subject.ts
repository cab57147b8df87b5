import type { EntryView } from '@garantia/shared/claims/entries'
import type { ClaimView } from '@garantia/shared/claims/schema'
import { CLAIM_TYPE, type ClaimType, claimName } from '@garantia/shared/claims/state'
import { type ClaimStep, nextStep, STEP_LABEL } from '@garantia/shared/claims/steps'

/** What a dialog is about: a new claim, perhaps after another one, or a step of a claim. */
export type ClaimSubject =
  | { kind: 'open'; type: ClaimType; previous: ClaimView | null }
  | { kind: 'step'; step: FormStep; claim: ClaimView }
  | { kind: 'correction'; claim: ClaimView; entry: EntryView }

const FORM_STEPS = [
  'change',
  'send',
  'review',
  'return',
  'resend',
  'decide',
  'credit_note',
  'pay',
  'debit',
  'write_off',
  'reconcile',
  'correct_decision',
  'withdraw',
] as const
/** Steps that have a form of their own; the others open a claim, or correct one entry of a list. */
export type FormStep = (typeof FORM_STEPS)[number]
export const isFormStep = (step: ClaimStep): step is FormStep => FORM_STEPS.some((one) => one === step)

type OfferedStep = FormStep | 'appeal' | 'supplement'
const isOffered = (step: ClaimStep): step is OfferedStep =>
  isFormStep(step) || step === 'appeal' || step === 'supplement'
export const subjectOf = (claim: ClaimView, step: OfferedStep): ClaimSubject =>
  step === 'appeal' || step === 'supplement'
    ? { kind: 'open', type: step, previous: claim }
    : { kind: 'step', step, claim }

export const titleOf = (subject: ClaimSubject) =>
  subject.kind === 'open'
    ? subject.previous === null
      ? 'Nova solicitação de garantia'
      : `${CLAIM_TYPE[subject.type].label} da ${claimName(subject.previous)}`
    : `${STEP_LABEL[subject.kind === 'correction' ? 'correct_entry' : subject.step]} · ${claimName(subject.claim)}`

/** Whether an appeal of this claim is under way or was made. */
const isAppealed = (claim: ClaimView, all: readonly ClaimView[]) =>
  all.some(
    ({ type, previous_id, state }) => type === 'appeal' && previous_id === claim.id && state !== 'withdrawn',
  )

/** The steps that a claim's panel offers: the next one, if the user may take it, and the others. */
export function offeredSteps(claim: ClaimView, all: readonly ClaimView[]) {
  const steps = claim.steps.filter(isOffered).filter((step) => step !== 'appeal' || !isAppealed(claim, all))
  const proposed = nextStep(claim)
  const next = steps.find((step) => step === proposed) ?? null
  return { next, others: steps.filter((step) => step !== next) }
}
