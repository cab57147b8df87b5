import type { RefusalReason } from '@garantia/shared/claims/reasons'
import type { EvidenceCategory } from '@garantia/shared/evidence/category'

/** What the brand authorises of the parts and of the labour, 0 to 1, and why not all. */
export interface Answer {
  parts: number
  labour: number
  reason?: RefusalReason
  category?: EvidenceCategory
  words?: string
}
/** A step and how many days ago it is taken; one that would come before the step ahead of it follows that one. */
export type Step =
  | { step: 'open' | 'send' | 'review' | 'reconcile'; days_ago?: number }
  | { step: 'return' | 'withdraw' | 'debit' | 'write_off' | 'appeal'; text: string; days_ago?: number }
  | { step: 'decide'; answer: Answer; days_ago?: number }
  /** The share of what is authorised that is paid. */
  | { step: 'pay'; share?: number; days_ago?: number }
  | { step: 'supplement'; text: string; labour: number; days_ago?: number }
  | { step: 'keep_part' | 'return_part'; days_ago?: number }
export type Story = readonly Step[]

const ALL: Answer = { parts: 1, labour: 1 }
const NO_PICTURE: Answer = {
  parts: 0,
  labour: 0,
  reason: 'evidence_missing',
  category: 'pecas',
  words: 'Sem foto da peça causal instalada no veículo.',
}
const OVER_TABLE: Answer = {
  parts: 1,
  labour: 0.6,
  reason: 'above_time_table',
  words: 'Tempo acima da tabela para esta operação.',
}
const NOT_COVERED: Answer = {
  parts: 0,
  labour: 0,
  reason: 'not_covered',
  words: 'Item de desgaste, fora da cobertura.',
}

const SENT: Story = [{ step: 'open' }, { step: 'send' }]
const sentAgo = (days_ago: number): Story => [{ step: 'open' }, { step: 'send', days_ago }]
const answered = (answer: Answer, days_ago?: number): Story => [
  ...SENT,
  { step: 'decide', answer, ...(days_ago !== undefined && { days_ago }) },
]
const PAID: Story = [...answered(ALL), { step: 'pay' }]
const RECONCILED: Story = [...PAID, { step: 'reconcile' }, { step: 'return_part' }]
const DEBITED: Story = [
  ...PAID,
  { step: 'debit', text: 'Auditoria da marca: peça devolvida sem o defeito descrito.' },
]

/**
 * What happens to the claims of the completed orders, the newest order first: each state, and deadlines that are over,
 * today and near with the windows of the sample brands (answer 20 days, return 15, credit and appeal 30).
 */
const RECENT: readonly Story[] = [
  [...SENT, { step: 'return', text: 'Enviar a nota fiscal da peça e a quilometragem legível.' }],
  [
    ...answered(OVER_TABLE),
    { step: 'appeal', text: 'Tempo apurado com desmontagem do conjunto, conforme fotos.' },
    { step: 'send' },
  ],
  PAID,
  [{ step: 'open' }],
  [],
  SENT,
  [{ step: 'open' }, { step: 'withdraw', text: 'Aberta em duplicidade.' }],
  answered(NO_PICTURE),
  [...SENT, { step: 'review' }],
  answered(ALL),
  sentAgo(20),
  [...sentAgo(18), { step: 'return', text: 'Foto do odômetro ilegível.', days_ago: 13 }],
  answered(NO_PICTURE, 6),
  [...sentAgo(23), { step: 'review', days_ago: 19 }, { step: 'keep_part' }],
  answered(ALL, 30),
  answered({ ...OVER_TABLE, parts: 0.8, reason: 'wrong_part_price' }, 28),
  RECONCILED,
  DEBITED,
  answered(NO_PICTURE, 12),
  [
    ...PAID,
    { step: 'reconcile' },
    { step: 'supplement', text: 'Serviço de terceiros faturado depois do envio.', labour: 180 },
    { step: 'send' },
    { step: 'decide', answer: ALL },
  ],
]
const OLDER: readonly Story[] = [
  RECONCILED,
  answered(ALL, 33),
  [
    ...answered(OVER_TABLE),
    { step: 'pay' },
    { step: 'write_off', text: 'Diferença abaixo do custo de contestar.' },
    { step: 'reconcile' },
  ],
  [...answered(NOT_COVERED, 40), { step: 'keep_part' }],
  [...answered(ALL, 25), { step: 'pay', share: 0.7, days_ago: 10 }],
  RECONCILED,
  DEBITED,
  answered(ALL, 29),
  [
    ...answered(NOT_COVERED),
    { step: 'appeal', text: 'Falha de fabricação, conforme laudo anexo.' },
    { step: 'send' },
    { step: 'decide', answer: ALL },
    { step: 'pay' },
  ],
]

/** The story of a completed order by its place among them, the newest being 0. */
export const storyOf = (place: number): Story =>
  RECENT[place] ?? OLDER[(place - RECENT.length) % OLDER.length] ?? []
export const STORIES: readonly Story[] = [...RECENT, ...OLDER]
