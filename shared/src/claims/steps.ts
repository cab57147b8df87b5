import { centsOf } from './money.ts'
import { CLAIM_STATE, type ClaimState, type ClaimType } from './state.ts'
import { isSettled, payableOf, type Sums } from './sums.ts'

/** What a person does with a claim. Everything after `send` is also a claim of a closed order. */
export const CLAIM_STEPS = [
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
  'correct_entry',
  'withdraw',
  'appeal',
  'supplement',
] as const
export type ClaimStep = (typeof CLAIM_STEPS)[number]

export const STEP_LABEL: Record<ClaimStep, string> = {
  change: 'Editar rascunho',
  send: 'Enviar à marca',
  review: 'Marcar em análise',
  return: 'Registrar devolução',
  resend: 'Reenviar à marca',
  decide: 'Registrar resposta',
  credit_note: 'Registrar nota de crédito',
  pay: 'Registrar pagamento',
  debit: 'Registrar estorno',
  write_off: 'Dar baixa',
  reconcile: 'Conciliar',
  correct_decision: 'Corrigir resposta',
  correct_entry: 'Corrigir lançamento',
  withdraw: 'Retirar',
  appeal: 'Reconsiderar',
  supplement: 'Complementar',
}

const DECIDED = ['accepted', 'partial', 'rejected'] as const
const SETTLING = [...DECIDED, 'credited', 'reconciled', 'debited'] as const
/** From which states each step may be taken. A payment needs an answer first: authorised and paid are compared. */
const FROM: Record<ClaimStep, readonly ClaimState[]> = {
  change: ['draft'],
  send: ['draft'],
  review: ['sent'],
  return: ['sent', 'in_review'],
  resend: ['returned'],
  decide: ['sent', 'in_review', 'returned'],
  credit_note: SETTLING,
  pay: SETTLING,
  debit: ['credited', 'reconciled', 'debited'],
  write_off: [...DECIDED, 'credited', 'debited'],
  reconcile: [...DECIDED, 'credited', 'debited'],
  correct_decision: [...DECIDED, 'credited', 'debited'],
  correct_entry: SETTLING,
  withdraw: ['draft', 'sent', 'in_review', 'returned'],
  appeal: ['partial', 'rejected', 'credited', 'reconciled', 'debited'],
  supplement: SETTLING,
}

interface Judged extends Sums {
  state: ClaimState
  type: ClaimType
}

export const NOT_SETTLED =
  'Ainda há valor em aberto: registre o pagamento, a baixa ou a reconsideração do que falta.'

/** Why the step is refused in the claim's state; null when it may be taken. Who may take it is in the policy. */
export function stepRefusal(claim: Judged, step: ClaimStep): string | null {
  if (!FROM[step].includes(claim.state))
    return `«${STEP_LABEL[step]}» não é possível: a solicitação está ${CLAIM_STATE[claim.state].label.toLowerCase()}.`
  if (step === 'send' && centsOf(claim.claimed) === 0) return 'Inclua ao menos um item antes de enviar.'
  if (step === 'reconcile' && !isSettled(claim)) return NOT_SETTLED
  return null
}
/** The steps that the claim's state allows. */
export const stepsOf = (claim: Judged) => CLAIM_STEPS.filter((step) => stepRefusal(claim, step) === null)

/** The step a screen offers first; null when nothing has to be done. */
export function nextStep(claim: Judged): ClaimStep | null {
  const { state } = claim
  if (state === 'draft') return 'send'
  if (state === 'sent' || state === 'in_review') return 'decide'
  if (state === 'returned') return 'resend'
  if (state === 'withdrawn' || state === 'reconciled') return null
  if (isSettled(claim)) return 'reconcile'
  // What the brand has promised is awaited; of the rest only an appeal can bring something.
  return payableOf(claim) > 0 ? 'pay' : 'appeal'
}

export interface DecidedLine {
  claimed: number
  authorised: number
}
/** What the brand's answer to all lines comes to. A line is accepted when all that was claimed is authorised. */
export function decidedState(lines: readonly DecidedLine[]): 'accepted' | 'partial' | 'rejected' {
  if (lines.every(({ claimed, authorised }) => centsOf(authorised) === centsOf(claimed))) return 'accepted'
  return lines.every(({ authorised }) => centsOf(authorised) === 0) ? 'rejected' : 'partial'
}

/**
 * The state after an entry of money or a correction: what the brand decided until something is paid, and estornada
 * while anything paid is taken back. Reconciling is a step of its own, and any later entry ends it.
 */
export function moneyState(
  decided: 'accepted' | 'partial' | 'rejected',
  { paid, debited }: Pick<Sums, 'paid' | 'debited'>,
): ClaimState {
  if (centsOf(debited) > 0) return 'debited'
  return centsOf(paid) > 0 ? 'credited' : decided
}
