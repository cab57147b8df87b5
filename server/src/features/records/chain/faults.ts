import { contentHash, idHash, linkText, sha256, valueHash } from '../../../kernel/event-hashes.ts'
import { authenticationCode, type EventKey } from '../../../kernel/event-keys.ts'
import { jsonbText, parseJsonb } from '../../../kernel/jsonb-text.ts'
import type { Link } from './links.ts'
import { isMentioning, isPersonal, isSearch } from './redaction.ts'

export const START = '0'.repeat(64)

/** What is known of a chain up to an event. */
export interface Before {
  seq: number
  hash: string
  format: number
}

/** What an event is judged by, besides the one before it. */
interface Known {
  keys: Map<string, EventKey>
  /** The newest event that may be in the old format. */
  newestOld: number
}

/** What contradicts the event itself, its authentication code, or the one before it. */
export function faultsOf(event: Link, before: Before, { keys, newestOld }: Known): string[] {
  const faults: string[] = []
  if (event.seq !== before.seq + 1) faults.push(`faltam eventos entre ${before.seq} e ${event.seq}`)
  else if (event.previous_hash !== before.hash) faults.push('não continua o evento anterior')
  const changes: unknown = parseJsonb(event.changes)
  if (!isRecord(changes) || !hasRecords(event) || expectedContent(event, changes) !== event.content_hash)
    faults.push('conteúdo alterado')
  else if (!isTidy(event, changes)) faults.push('valores removidos que não conferem')
  if (sha256(linkText(event.format, event)) !== event.hash) faults.push('evento alterado')
  else if (event.id_hash !== (event.format === 3 ? idHash(event.id, event.hash) : null))
    faults.push('número do evento alterado')
  if (event.format < before.format) faults.push('está no formato antigo, depois de eventos do novo')
  else if (event.format === 1 && event.id > newestOld)
    faults.push('está no formato antigo, mas é mais novo que ele')
  if (event.format !== 1) faults.push(...codeFaults(event, keys))
  if (event.is_other_actor) faults.push('a conta de quem agiu foi trocada')
  if ((event.redacted_at !== null) !== isRedacted(event)) faults.push('marca de remoção que não confere')
  for (const key of removedFrom(event))
    if (!mayBeRemoved(event, key)) faults.push(`removido o valor de ${key}, que a lei não pede`)
  return faults
}

/** Texts that name a customer are judged with the whole chain, which says when that was anonymised. */
const mayBeRemoved = ({ subject, kind }: Link, key: string) =>
  isPersonal(key) || (subject === 'order' && isMentioning(key)) || isSearch(subject, kind, key)

function codeFaults({ mac, mac_key, hash }: Link, keys: Map<string, EventKey>): string[] {
  if (mac === null || mac_key === null) return ['sem o código de autenticação']
  const key = keys.get(mac_key)
  if (!key) return [`autenticado por uma chave desconhecida (${mac_key})`]
  return authenticationCode(key, hash) === mac ? [] : ['o código de autenticação não confere']
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
/** A jsonb may be anything else, when somebody wrote it. */
const hasRecords = ({ salts, commitments }: Link) =>
  (salts === null || isRecord(salts)) && (commitments === null || isRecord(commitments))

const removedFrom = ({ commitments }: Link) => Object.keys(commitments ?? {})

/** In format 1 the content of a redacted event is gone with its values: its position and its hashes are verified. */
function expectedContent(event: Link, changes: Record<string, unknown>) {
  const { format, actor_name, salts, commitments, redacted_at, content_hash } = event
  if (format === 1) return redacted_at ? content_hash : sha256(jsonbText([actor_name, changes]))
  const kept = Object.entries(changes).filter(([key]) => !(key in (commitments ?? {})))
  return contentHash([
    ...kept.map(([key, value]) => valueHash(key, value, salts?.[key])),
    ...Object.values(commitments ?? {}),
  ])
}

const REMOVED = ['"removido"', '["removido", "removido"]']
/** Whether each removed value shows that it was removed, and each other one has its salt. */
function isTidy(event: Link, changes: Record<string, unknown>) {
  const { format, salts, commitments, actor_id, mac, mac_key } = event
  if (format === 1) return [actor_id, salts, commitments, mac, mac_key].every((one) => one === null)
  if (commitments === null) return false
  const removed = removedFrom(event)
  const kept = Object.keys(changes).length - removed.length
  return (
    Object.keys(salts ?? {}).length === kept &&
    removed.every((key) => REMOVED.includes(jsonbText(changes[key])))
  )
}

const isRedacted = ({ format, redacted_at, commitments }: Link) =>
  format === 1 ? redacted_at !== null : commitments !== null && Object.keys(commitments).length > 0

/** What a chain says of the removal of values. */
export interface Removals {
  has_order: boolean
  /** When its last event says that the order was deleted for good. */
  purged_at: Date | null
  /** Moments at which the customer of the order was anonymised. */
  anonymised_at: Set<number>
}

/**
 * Values are removed when the order is, or when its customer is anonymised: what was removed at another moment was
 * removed by somebody else. `redacted` are the events of a chain with removed values.
 */
export function redactionFaults(
  redacted: readonly Pick<Link, 'seq' | 'at' | 'format' | 'redacted_at' | 'commitments'>[],
  { has_order, purged_at, anonymised_at }: Removals,
): { seq: number; at: Date; problem: string }[] {
  return redacted.flatMap(({ seq, at, format, redacted_at, commitments }) => {
    if (redacted_at && anonymised_at.has(redacted_at.getTime())) return []
    const [text] = Object.keys(commitments ?? {}).filter(isMentioning)
    if (text) return [{ seq, at, problem: `removido o valor de ${text}, que a lei não pede` }]
    if (has_order) return [{ seq, at, problem: 'valores removidos de uma OS que existe' }]
    if (purged_at === null) return [{ seq, at, problem: 'valores removidos sem o evento que elimina a OS' }]
    if (format !== 1 && redacted_at?.getTime() !== purged_at.getTime())
      return [{ seq, at, problem: 'valores removidos em outro momento que o da eliminação' }]
    return []
  })
}
