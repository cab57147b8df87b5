import type { Ctx } from '../../../kernel/context.ts'
import { authenticationCode, type EventKey, eventKeys } from '../../../kernel/event-keys.ts'
import { parseJsonb } from '../../../kernel/jsonb-text.ts'
import {
  forgottenCode,
  SECURITY_START,
  securityBatchHash,
  securityIdsHash,
  securityRowHash,
} from '../../../kernel/security-batches.ts'
import { type ChainFault, faultOf } from './fault.ts'
import { newestOldBatch } from './journal-check.ts'
import { type Batch, batchesAfter, type Entry, entriesOf, entriesWithoutBatch } from './security-queries.ts'

/** Batches that are read at a time; each has a thousand entries at the most, and few as a rule. */
const PAGE = 100

type Keys = Map<string, EventKey>
interface Known {
  keys: Keys
  /** The newest batch that may lack its authentication code. */
  newestOld: number
}
interface SecurityReport {
  /** Entries that were verified. */
  accesses: number
  faults: ChainFault[]
}
interface Before {
  n: number
  hash: string
  /** Since one batch had an authentication code, all have. */
  hasCode: boolean
}

/**
 * Verifies the chain of the security log, batch by batch: an entry that was changed, removed or inserted is named by its
 * number. Old batches are missing lawfully when an authentication code of this house says so.
 */
export async function verifySecurityLog(ctx: Ctx): Promise<SecurityReport> {
  const report: SecurityReport = { accesses: 0, faults: [] }
  const known = { keys: eventKeys(ctx.config), newestOld: await newestOldBatch(ctx) }
  let before: Before | undefined
  let batches = await batchesAfter(ctx, 0, PAGE)
  while (batches.length > 0) {
    const entries = await entriesOf(ctx, batches[0]?.n ?? 0, batches.at(-1)?.n ?? 0)
    for (const batch of batches) {
      const found = entries.get(batch.n) ?? []
      report.accesses += found.length
      report.faults.push(...batchFaults(batch, before, known), ...entryFaults(batch, found))
      before = { n: batch.n, hash: batch.hash, hasCode: before?.hasCode === true || batch.mac !== null }
    }
    batches = batches.length < PAGE ? [] : await batchesAfter(ctx, before?.n ?? 0, PAGE)
  }
  for (const { id, at, batch, place } of await entriesWithoutBatch(ctx))
    report.faults.push(
      faultOf(batchId(batch), place, at, `o acesso ${id} foi acrescentado: o lote não existe`),
    )
  return report
}

const batchId = (n: number) => ({ subject: 'security', subject_id: n }) as const

function batchFaults(batch: Batch, before: Before | undefined, { keys, newestOld }: Known): ChainFault[] {
  const problems: string[] = []
  if (before === undefined && batch.forgotten_mac === null) before = { ...SECURITY_START, hasCode: false }
  if (before && batch.n !== before.n + 1) problems.push(`faltam lotes entre ${before.n} e ${batch.n}`)
  else if (before && batch.previous_hash !== before.hash) problems.push('não continua o lote anterior')
  if (securityBatchHash(batch) !== batch.hash) problems.push('lote alterado')
  else if (securityIdsHash(batch.hash, batch.ids) !== batch.ids_hash)
    problems.push('números dos acessos alterados')
  if (batch.mac === null && (before?.hasCode || batch.n > newestOld))
    problems.push('sem o código de autenticação')
  else if (
    batch.mac !== null &&
    !isCode(keys, batch.mac_key, batch.mac, (key) => authenticationCode(key, batch.hash))
  )
    problems.push('o código de autenticação não confere')
  if (batch.forgotten_mac !== null && (before !== undefined || !isForgotten(batch, keys)))
    problems.push('acessos apagados sem que o prazo de guarda o diga')
  return problems.map((problem) => faultOf(batchId(batch.n), 0, batch.at, problem))
}

function isCode(keys: Keys, id: string | null, given: string, made: (key: EventKey) => string) {
  const key = keys.get(id ?? '')
  return key !== undefined && made(key) === given
}
const isForgotten = ({ n, hash, forgotten_mac, forgotten_key }: Batch, keys: Keys) =>
  isCode(keys, forgotten_key, forgotten_mac ?? '', (key) => forgottenCode(key, { n, hash }).mac)

/** What contradicts the hashes that the batch has of its entries. */
function entryFaults(batch: Batch, found: readonly Entry[]): ChainFault[] {
  const faults: ChainFault[] = []
  const name = (place: number, at: Date, problem: string) =>
    faults.push(faultOf(batchId(batch.n), place, at, problem))
  const seen = new Set<number>()
  for (const entry of found) {
    const { id, place, at } = entry
    const expected = batch.row_hashes[place - 1]
    seen.add(place)
    if (expected === undefined || batch.forgotten_mac !== null)
      name(place, at, `o acesso ${id} foi acrescentado`)
    else if (securityRowHash({ ...entry, details: parseJsonb(entry.details) }) !== expected)
      name(place, at, `o acesso ${id} foi alterado`)
    else if (id !== batch.ids[place - 1])
      name(place, at, `o acesso ${id} tem outro número que o gravado (${batch.ids[place - 1]})`)
  }
  if (batch.forgotten_mac !== null) return faults
  for (const [index, id] of batch.ids.entries())
    if (!seen.has(index + 1)) name(index + 1, batch.at, `o acesso ${id} foi apagado`)
  return faults
}
