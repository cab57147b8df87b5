import { counted, integer } from '../format.ts'
import { FIELD_LABEL } from '../orders/field-label.ts'
import { ORDER_STATUS, type OrderStatus } from '../orders/status.ts'

/** An event of the order's trail, as it is stored. */
export interface OrderEvent {
  at: Date
  kind: string
  actor_name: string
  changes: Record<string, unknown>
}
/** One line of the dossier's history. */
export interface HistoryLine {
  at: Date
  actor: string
  text: string
}

/**
 * Events that a brand's auditor is told of. Left out: comments, legal holds and what the conversion did, which
 * are of the dealership alone.
 */
export const DOSSIER_EVENTS = [
  'opened',
  'changed',
  'status',
  'evidence.uploaded',
  'evidence.changed',
  'evidence.turned',
  'evidence.marked',
  'evidence.deleted',
  'evidence.restored',
  'dossier.sealed',
] as const
/** Events after which a version that is sealed anew would have other contents. */
export const CONTENT_EVENTS = [
  'changed',
  'status',
  'anonymised',
  'evidence.uploaded',
  'evidence.changed',
  'evidence.turned',
  'evidence.marked',
  'evidence.deleted',
  'evidence.restored',
  'evidence.converted',
  'evidence.failed',
  'evidence.expired',
] as const
type DossierEvent = (typeof DOSSIER_EVENTS)[number]
const isTold = (kind: string): kind is DossierEvent => (DOSSIER_EVENTS as readonly string[]).includes(kind)

/**
 * The history of an order in sentences for readers outside of the dealership, oldest first. Consecutive events
 * of one kind by one person within an hour are one line; values of fields and reasons are not told.
 */
export function historyLines(events: readonly OrderEvent[]): HistoryLine[] {
  const groups: OrderEvent[][] = []
  for (const event of events) {
    if (!isTold(event.kind)) continue
    const last = groups.at(-1)
    if (last?.[0] && isContinuation(last[0], event)) last.push(event)
    else groups.push([event])
  }
  return groups.flatMap((group) => {
    const [first] = group
    return first ? [{ at: first.at, actor: first.actor_name, text: sentenceOf(first.kind, group) }] : []
  })
}

const HOUR_MS = 3_600_000
const isContinuation = (first: OrderEvent, { kind, actor_name, at }: OrderEvent) =>
  kind !== 'status' &&
  kind === first.kind &&
  actor_name === first.actor_name &&
  at.getTime() - first.at.getTime() < HOUR_MS

const files = (n: number) => counted(n, 'arquivo', 'arquivos')
function sentenceOf(kind: string, group: readonly OrderEvent[]) {
  const n = group.length
  if (kind === 'opened') return 'Ordem de serviço aberta.'
  if (kind === 'changed') return changedFields(group)
  if (kind === 'status') return statusSentence(group[0]?.changes.status)
  if (kind === 'evidence.uploaded') return `Envio de ${files(n)}${throughLinks(group)}.`
  if (kind === 'evidence.changed') return `Categoria ou descrição alterada em ${files(n)}.`
  if (kind === 'evidence.turned') return n === 1 ? 'Uma foto girada.' : `${n} fotos giradas.`
  if (kind === 'evidence.marked')
    return n === 1 ? 'Marcas de uma foto mudadas.' : `Marcas mudadas ${n} vezes em fotos.`
  if (kind === 'evidence.deleted') return `Exclusão de ${files(n)}.`
  if (kind === 'evidence.restored') return `Restauração de ${files(n)}.`
  return `Dossiê ${String(group.at(-1)?.changes.n ?? '')} concluído.`
}

/** «, 2 por link («Mecânico João»)» for those that people without an account have sent. */
function throughLinks(group: readonly OrderEvent[]) {
  const sent = group.flatMap(({ changes }) =>
    typeof changes.guest_link === 'string' ? [changes.guest_link] : [],
  )
  if (sent.length === 0) return ''
  const labels = [...new Set(sent)].map((label) => `«${label}»`).join(', ')
  return `, ${sent.length === group.length ? '' : `${integer(sent.length)} `}por link (${labels})`
}

function changedFields(group: readonly OrderEvent[]) {
  const names = new Set(group.flatMap(({ changes }) => Object.keys(changes)))
  const labels = Object.entries(FIELD_LABEL).flatMap(([name, label]) => (names.has(name) ? [label] : []))
  return labels.length === 0 ? 'Dados da OS alterados.' : `Dados da OS alterados: ${labels.join(', ')}.`
}

const labelOf = (status: unknown) => ORDER_STATUS[status as OrderStatus]?.label
function statusSentence(change: unknown) {
  const [before, after] = Array.isArray(change) ? change.map(labelOf) : []
  if (!after) return 'Situação da OS alterada.'
  return before
    ? `Situação da OS alterada de «${before}» para «${after}».`
    : `Situação da OS alterada para «${after}».`
}
