import type { Badge } from '../orders/status.ts'

/** The states of a claim. `partial` is never chosen: it follows from the lines of the brand's answer. */
export const CLAIM_STATES = [
  'draft',
  'sent',
  'in_review',
  'returned',
  'accepted',
  'partial',
  'rejected',
  'credited',
  'reconciled',
  'debited',
  'withdrawn',
] as const
export type ClaimState = (typeof CLAIM_STATES)[number]

export const CLAIM_STATE: Record<ClaimState, Badge> = {
  draft: { label: 'Rascunho', colour: 'gray' },
  sent: { label: 'Enviada', colour: 'blue' },
  in_review: { label: 'Em análise na marca', colour: 'turquoise' },
  returned: { label: 'Devolvida', colour: 'orange' },
  accepted: { label: 'Aceita', colour: 'green' },
  partial: { label: 'Aceita em parte', colour: 'yellow' },
  rejected: { label: 'Recusada', colour: 'red' },
  credited: { label: 'Creditada', colour: 'green' },
  reconciled: { label: 'Conciliada', colour: 'purple' },
  debited: { label: 'Estornada', colour: 'red' },
  withdrawn: { label: 'Retirada', colour: 'gray' },
}

export const CLAIM_TYPES = ['normal', 'appeal', 'supplement'] as const
export type ClaimType = (typeof CLAIM_TYPES)[number]
/** The numbers are those of the brands' forms. */
export const CLAIM_TYPE: Record<ClaimType, { label: string; number: 1 | 2 | 3 }> = {
  normal: { label: 'Normal', number: 1 },
  appeal: { label: 'Reconsideração', number: 2 },
  supplement: { label: 'Complemento', number: 3 },
}

export const LINE_KINDS = ['part', 'labour', 'third_party'] as const
export type LineKind = (typeof LINE_KINDS)[number]
export const LINE_KIND: Record<LineKind, string> = {
  part: 'Peça',
  labour: 'Mão de obra',
  third_party: 'Serviço de terceiro',
}

/** «SG 000123-2»: the second claim of the order 000123. */
export const claimName = ({ os_number, n }: { os_number: string; n: number }) => `SG ${os_number}-${n}`

/** What a brand has received stays on record, and so does its order. */
export const HAS_SENT_CLAIM =
  'Esta OS tem solicitação de garantia enviada à marca e não pode ser excluída. Cancele-a, se for o caso.'
