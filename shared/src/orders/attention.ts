import { DEADLINE_WARNING_DAYS, LEGAL_DAYS, OPEN_STATUSES } from './status.ts'

/** The open statuses as a filter of the list. */
export const OPEN = OPEN_STATUSES.join(',')

/** Days after which an open order that never had a file is asked about. */
export const SILENT_DAYS = 3

const OLDEST_FIRST = { sort: 'opened_at', direction: 'asc' } as const

/**
 * What needs somebody today, each as a filter of the list: the dashboard counts by it, its tile leads to it, and the
 * views have it under the same name.
 */
export const ATTENTION = [
  {
    id: 'overdue',
    label: 'Vencidas',
    meaning: `Ordens em aberto há ${LEGAL_DAYS} dias ou mais: o prazo legal passou.`,
    criteria: { min_days_open: LEGAL_DAYS, ...OLDEST_FIRST },
  },
  {
    id: 'near',
    label: 'Vencendo',
    meaning: `Ordens em aberto há ${DEADLINE_WARNING_DAYS} a ${LEGAL_DAYS - 1} dias: o prazo legal de ${LEGAL_DAYS} dias está perto.`,
    criteria: { min_days_open: DEADLINE_WARNING_DAYS, max_days_open: LEGAL_DAYS - 1, ...OLDEST_FIRST },
  },
  {
    id: 'failed',
    label: 'Falhou conversão',
    meaning: 'Ordens em aberto com um arquivo que não pôde ser convertido.',
    criteria: { conversion_status: 'failed', status: OPEN },
  },
  {
    id: 'ready',
    label: 'Prontas para enviar',
    meaning: 'Ordens com o pacote pronto que ainda não foram concluídas.',
    criteria: { status: 'ready', ...OLDEST_FIRST },
  },
  {
    id: 'without_evidence',
    label: 'Sem evidência',
    meaning: `Ordens que nunca receberam um arquivo, abertas há ${SILENT_DAYS} dias ou mais.`,
    criteria: { status: 'created', min_days_open: SILENT_DAYS, ...OLDEST_FIRST },
  },
] as const
export type Attention = (typeof ATTENTION)[number]['id']

/** How many orders need somebody, of each kind; `is_exact` is false where counting stopped (D-55). */
export type AttentionFigures = Record<Attention, { orders: number; is_exact: boolean }>
