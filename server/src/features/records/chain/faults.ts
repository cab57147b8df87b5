import { createHash } from 'node:crypto'
import { type EventKey, macOf } from '../../../kernel/event-keys.ts'
import type { Link } from './links.ts'
import { isPersonal } from './redaction.ts'

export const START = '0'.repeat(64)
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

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

/** What contradicts the event itself, its seal, or the one before it. */
export function faultsOf(event: Link, before: Before, { keys, newestOld }: Known): string[] {
  const faults: string[] = []
  if (event.seq !== before.seq + 1) faults.push(`faltam eventos entre ${before.seq} e ${event.seq}`)
  else if (event.previous_hash !== before.hash) faults.push('não continua o evento anterior')
  if (contentHash(event) !== event.content_hash) faults.push('conteúdo alterado')
  else if (!event.is_tidy || event.salted !== event.values.length)
    faults.push('valores removidos que não conferem')
  if (sha256(event.link) !== event.hash) faults.push('evento alterado')
  if (event.format < before.format) faults.push('está no formato antigo, depois de eventos do novo')
  else if (event.format === 1 && event.id > newestOld)
    faults.push('está no formato antigo, mas é mais novo que ele')
  if (event.format !== 1) faults.push(...sealFaults(event, keys))
  if (event.is_other_actor) faults.push('a conta de quem agiu foi trocada')
  if ((event.redacted_at !== null) !== isRedacted(event)) faults.push('marca de remoção que não confere')
  for (const key of Object.keys(event.commitments ?? {}))
    if (!isPersonal(key)) faults.push(`removido o valor de ${key}, que a lei não pede`)
  return faults
}

function sealFaults({ mac, mac_key, hash }: Link, keys: Map<string, EventKey>): string[] {
  if (mac === null || mac_key === null) return ['sem o selo da casa']
  const key = keys.get(mac_key)
  if (!key) return [`selado por uma chave desconhecida (${mac_key})`]
  return macOf(key, hash) === mac ? [] : ['o selo da casa não confere']
}

/** In format 1 the content of a redacted event is gone with its values: its position and its hashes are verified. */
function contentHash({ format, content, values, commitments, redacted_at, content_hash }: Link) {
  if (format === 1) return redacted_at ? content_hash : sha256(content ?? '')
  return sha256([...values.map(sha256), ...Object.values(commitments ?? {})].sort().join(''))
}

const isRedacted = ({ format, redacted_at, commitments }: Link) =>
  format === 1 ? redacted_at !== null : Object.keys(commitments ?? {}).length > 0

/**
 * Values are removed when the order is: what was removed of an order that exists, or at another moment than its end
 * says, was removed by somebody else. `redacted` are the events of a chain with removed values, `purged_at` the moment
 * of its last event when that is the end.
 */
export function redactionFaults(
  redacted: readonly Pick<Link, 'seq' | 'at' | 'format' | 'redacted_at'>[],
  { has_order, purged_at }: { has_order: boolean; purged_at: Date | null },
): { seq: number; at: Date; problem: string }[] {
  return redacted.flatMap(({ seq, at, format, redacted_at }) => {
    if (has_order) return [{ seq, at, problem: 'valores removidos de uma OS que existe' }]
    if (purged_at === null) return [{ seq, at, problem: 'valores removidos sem o evento que elimina a OS' }]
    if (format !== 1 && redacted_at?.getTime() !== purged_at.getTime())
      return [{ seq, at, problem: 'valores removidos em outro momento que o da eliminação' }]
    return []
  })
}
