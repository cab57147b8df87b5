import { sql } from 'kysely'
import type { Ctx } from '../../../kernel/context.ts'
import { type ChainFault, faultOf } from './fault.ts'
import { START } from './faults.ts'
import {
  isAuthentic,
  isSigned,
  type JournalHead,
  type JournalHeader,
  journalHeader,
  journalLines,
  journalNumbers,
} from './journal.ts'
import { journalStampFault } from './journal-stamp.ts'
import { batchesAfter } from './security-queries.ts'

const BATCH = 2_000

/** Events in the old format exist up to this one: the first entry was made after they had been written. */
export async function newestOldEvent(ctx: Ctx): Promise<number> {
  const [first] = await journalNumbers(ctx)
  return (await journalHeader(ctx, first))?.last_id ?? Number.POSITIVE_INFINITY
}

/** The same for batches of the security log, which exist without an authentication code up to this one. */
export async function newestOldBatch(ctx: Ctx): Promise<number> {
  for (const n of await journalNumbers(ctx)) {
    const security = (await journalHeader(ctx, n))?.security
    if (security !== undefined) return security
  }
  return Number.POSITIVE_INFINITY
}

interface JournalReport {
  /** Entries that were compared. */
  entries: number
  /** Time-stamps of entries that were verified. */
  stamps: number
  faults: ChainFault[]
}
/**
 * Compares the chains, or the one of an order, with each entry of the journal: deleted trails, removed last events and
 * rewritten ones are named with the moment of the first entry that has them.
 */
export async function verifyJournal(ctx: Ctx, only?: number): Promise<JournalReport> {
  const report: JournalReport = { entries: 0, stamps: 0, faults: [] }
  const named = new Set<string>()
  let before = { n: 0, sum: START, isSigned: null as boolean | null }
  for (const n of await journalNumbers(ctx)) {
    report.entries++
    const problem = (problem: string, at: Date | null = null) =>
      report.faults.push(faultOf({ subject: 'journal', subject_id: n }, 0, at, problem))
    if (n !== before.n + 1) problem(`faltam registros entre ${before.n} e ${n}`)
    const { header, sum, isWhole, isSigned, faults } = await verifyEntry(ctx, n, only)
    const at = header ? new Date(header.at) : null
    if (!isWhole) problem('registro alterado ou cortado: o código de autenticação não confere', at)
    else if (n === before.n + 1 && header?.previous !== before.sum)
      problem('não continua o registro anterior', at)
    else if (isSigned === false) problem('a assinatura não confere com uma chave desta casa', at)
    else if (isSigned === null && before.isSigned !== null)
      problem('não está assinado, e o anterior está', at)
    const stampFault = isWhole ? await journalStampFault(ctx, n, sum) : undefined
    if (stampFault !== undefined) report.stamps++
    if (stampFault) problem(stampFault, at)
    for (const fault of faults) {
      const chain = `${fault.subject} ${fault.subject_id}`
      if (!named.has(chain)) report.faults.push(fault)
      named.add(chain)
    }
    before = { n, sum, isSigned: isSigned ?? before.isSigned }
  }
  return report
}

async function verifyEntry(ctx: Ctx, n: number, only: number | undefined) {
  const entry = {
    header: null as JournalHeader | null,
    sum: '',
    isWhole: false,
    /** Null for an entry that names no key. */
    isSigned: null as boolean | null,
    faults: [] as ChainFault[],
  }
  let heads = 0
  let batch: JournalHead[] = []
  const compare = async () => {
    if (entry.header) entry.faults.push(...(await compareHeads(ctx, entry.header, batch)))
    batch = []
  }
  try {
    for await (const line of journalLines(ctx, n)) {
      entry.isWhole = false
      if (line.kind === 'header') entry.header = line.header
      else if (line.kind === 'head') {
        heads++
        const [subject, subject_id] = line.head
        const isSecurity = subject === 'security'
        if (isSecurity && only === undefined && entry.header)
          entry.faults.push(...(await compareSecurityHead(ctx, entry.header, line.head)))
        if (!isSecurity && (only === undefined || (subject === 'order' && subject_id === only)))
          batch.push(line.head)
        if (batch.length === BATCH) await compare()
      } else {
        entry.isWhole = line.code.heads === heads && isAuthentic(ctx, line.code, line.text)
        const signer = entry.header?.signer
        entry.isSigned = signer === undefined ? null : isSigned(ctx, signer, line.code, line.text)
        entry.sum = line.whole.digest('hex')
      }
    }
  } catch {
    entry.isWhole = false
  }
  await compare()
  if (entry.header?.n !== n) entry.isWhole = false
  return entry
}

interface Compared {
  subject: JournalHead[0]
  subject_id: number
  seq: number
  /** Whether the chain has an event of this number, and whether it is this one. */
  found: boolean
  same: boolean
  has_any: boolean
}
async function compareHeads(ctx: Ctx, { at }: JournalHeader, heads: readonly JournalHead[]) {
  if (heads.length === 0) return []
  const { rows } = await sql<Compared>`
    select noted.subject, noted.subject_id, noted.seq, events.id is not null as found,
      events.hash is not distinct from noted.hash as same,
      exists (select from events one where one.subject = noted.subject and one.subject_id = noted.subject_id) as has_any
    from (
      select (head ->> 0)::event_subject as subject, (head ->> 1)::bigint as subject_id, (head ->> 2)::int as seq,
        head ->> 3 as hash
      from jsonb_array_elements(${JSON.stringify(heads)}::jsonb) head
    ) noted
    left join events on events.subject = noted.subject and events.subject_id = noted.subject_id
      and events.seq = noted.seq
    where events.hash is distinct from noted.hash`.execute(ctx.db)
  return rows.map((row) => faultOf(row, row.seq, new Date(at), problemOf(row)))
}

/** A batch that is missing because of its age is older than the oldest that is kept, which says so by itself. */
async function compareSecurityHead(ctx: Ctx, { at }: JournalHeader, [, , n, hash]: JournalHead) {
  const [found] = await batchesAfter(ctx, n - 1, 1)
  const fault = (problem: string) => [
    faultOf({ subject: 'security', subject_id: n }, 0, new Date(at), problem),
  ]
  if (!found) return fault(`falta o lote ${n}, que o diário registrou: registro de segurança cortado`)
  if (found.n === n && found.hash !== hash) return fault('não é o lote que o diário registrou')
  return []
}

function problemOf({ seq, found, has_any }: Compared) {
  if (found) return 'não é o evento que o diário registrou'
  if (has_any) return `falta o evento ${seq}, que o diário registrou: trilha cortada`
  return `a trilha foi apagada: o diário registrou ${seq} ${seq === 1 ? 'evento' : 'eventos'}`
}
