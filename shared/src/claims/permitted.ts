import { type Action, type Actor, can, type OfCompany } from '../policy.ts'
import { CLAIM_STEPS, type ClaimStep, stepRefusal } from './steps.ts'

/** Which action of the policy each step needs. */
export const STEP_ACTION = {
  change: 'claim.open',
  send: 'claim.send',
  review: 'claim.decide',
  return: 'claim.decide',
  resend: 'claim.send',
  decide: 'claim.decide',
  credit_note: 'claim.pay',
  pay: 'claim.pay',
  debit: 'claim.debit',
  write_off: 'claim.write-off',
  reconcile: 'claim.reconcile',
  correct_decision: 'claim.correct',
  correct_entry: 'claim.correct',
  withdraw: 'claim.withdraw',
  appeal: 'claim.open',
  supplement: 'claim.open',
} as const satisfies Record<ClaimStep, Action>

/** The steps that the claim's state allows and the actor may take. */
export const permittedSteps = (actor: Actor, claim: Parameters<typeof stepRefusal>[0] & OfCompany) =>
  CLAIM_STEPS.filter((step) => stepRefusal(claim, step) === null && can(actor, STEP_ACTION[step], claim))
