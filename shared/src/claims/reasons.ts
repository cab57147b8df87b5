import type { EvidenceCategory } from '../evidence/category.ts'

/** Why a brand refuses a line. `about`: what the reason speaks of, so that refusals lead to better rules. */
interface Reason {
  label: string
  /** Any category: the person who records the answer chooses which. */
  about: { category: EvidenceCategory | 'any' } | { field: string } | null
}
export const REASONS = {
  late: { label: 'Fora do prazo de envio', about: { field: 'sent_at' } },
  wrong_chassis: { label: 'Chassi inválido ou divergente', about: { field: 'vehicle_chassis' } },
  wrong_mileage: { label: 'Quilometragem divergente', about: { field: 'vehicle_mileage' } },
  wrong_date: { label: 'Data divergente', about: { field: 'opened_at' } },
  evidence_missing: { label: 'Evidência ausente', about: { category: 'any' } },
  evidence_unreadable: { label: 'Evidência ilegível', about: { category: 'any' } },
  wrong_causal_part: { label: 'Peça causal incorreta', about: { field: 'is_causal' } },
  part_number_missing: { label: 'Código ou número de peça ausente', about: { field: 'part_number' } },
  above_time_table: { label: 'Serviço ou tempo acima da tabela', about: { field: 'hours' } },
  wrong_part_price: { label: 'Preço de peça divergente', about: { field: 'claimed' } },
  not_covered: { label: 'Fora da cobertura', about: null },
  misuse: { label: 'Uso indevido ou modificação', about: null },
  duplicate: { label: 'Duplicada', about: null },
  part_not_returned: { label: 'Peça não devolvida', about: { category: 'pecas' } },
  no_defect_found: { label: 'Sem defeito constatado', about: { category: 'defeito' } },
  other: { label: 'Outro', about: null },
} as const satisfies Record<string, Reason>
export type RefusalReason = keyof typeof REASONS
export const REFUSAL_REASONS = Object.keys(REASONS) as RefusalReason[]

/** The one category of evidence or the field that a reason speaks of; null where it names none. */
export function aboutOf(reason: RefusalReason): { category: EvidenceCategory | null; field: string | null } {
  const { about } = REASONS[reason] as Reason
  if (about === null) return { category: null, field: null }
  if ('field' in about) return { category: null, field: about.field }
  return { category: about.category === 'any' ? null : about.category, field: null }
}

/** Whether the person must say which category of evidence the brand means. */
export const asksCategory = (reason: RefusalReason) => {
  const { about } = REASONS[reason] as Reason
  return about !== null && 'category' in about && about.category === 'any'
}

/** Why a payment differs from what was authorised, and why what is missing is given up. */
export const DIFFERENCE = {
  paid_less: 'Pago a menos',
  paid_more: 'Pago a mais',
  debited: 'Valor negativo: estorno',
  not_decided: 'Sem resposta registrada',
  rejected: 'Pago, mas recusado',
  not_sent: 'Solicitação não enviada',
  several: 'Mais de uma solicitação possível',
  other_order: 'O número na marca é de outra OS',
  unknown: 'Solicitação não encontrada',
  already_paid: 'Já pago',
  duplicate: 'Linha repetida',
} as const
export type Difference = keyof typeof DIFFERENCE
export const DIFFERENCES = Object.keys(DIFFERENCE) as Difference[]
