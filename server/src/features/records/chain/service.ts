import type { Ctx } from '../../../kernel/context.ts'
import { eventKeys } from '../../../kernel/event-keys.ts'
import { verifyAccounts } from '../../people/recorded-accounts/service.ts'
import { type ChainFault, faultOf } from './fault.ts'
import { type Before, faultsOf, type Removals, redactionFaults, START } from './faults.ts'
import { newestOldEvent, verifyJournal } from './journal-check.ts'
import { type ChainId, type Link, links } from './links.ts'
import { verifyOrderValues } from './order-check.ts'
import { ordersWithoutTrail, sealedHeads } from './queries.ts'
import { verifyRecorded } from './recorded.ts'
import { REDACTING } from './redaction.ts'
import { verifySecurityLog } from './security-check.ts'

export type { ChainFault } from './fault.ts'
export { anchorTrail, newestAnchor } from './journal.ts'
export { stampJournal } from './journal-stamp.ts'
export { recordPresent, requestRecording } from './record-present.ts'
export { isMentioning, redactCustomer, redactSearches, redactTexts } from './redaction.ts'

/**
 * The newest event of an order's chain. Stored elsewhere (in a dossier), it reveals that events were removed
 * later.
 */
export interface ChainHead {
  seq: number
  hash: string
}
export interface ChainReport {
  orders: number
  /** People, companies and brands with events. */
  others: number
  events: number
  /** Entries of the security log; none when only one order is verified. */
  accesses: number
  /** Number of chain heads in sealed dossiers that were compared. */
  seals: number
  /** Entries of the journal that were compared. */
  entries: number
  /** Time-stamps of entries that were verified. */
  stamps: number
  faults: ChainFault[]
}

/** The newest event of an order's chain; sequence 0 and a hash of zeros when there is none. */
export async function chainHead(ctx: Ctx, order_id: number): Promise<ChainHead> {
  const last = await ctx.db
    .selectFrom('events')
    .where('subject', '=', 'order')
    .where('subject_id', '=', order_id)
    .select(['seq', 'hash'])
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst()
  return last ?? { seq: 0, hash: START }
}

/**
 * Verifies the chains of all orders, people, companies and brands, or the one of an order: an event that was changed,
 * removed or inserted breaks its chain, one that was not written by this house has no authentication code, and removed
 * last events show against the head in a sealed dossier and against the journal. Compares what events say of files,
 * dossiers and values with their rows, and, without `only`, what they say of accounts, and verifies the chain of the
 * security log. Reads 2 000 events at a time, whatever their number.
 */
export async function verifyChains(ctx: Ctx, only?: number): Promise<ChainReport> {
  const report: ChainReport = {
    ...{ orders: 0, others: 0, events: 0, accesses: 0, seals: 0, entries: 0, stamps: 0 },
    faults: [],
  }
  const known = { keys: eventKeys(ctx.config), newestOld: await newestOldEvent(ctx) }
  const seals = await sealedHeads(ctx, only)
  let chain: Chain | undefined
  for await (const event of links(
    ctx,
    only === undefined ? undefined : { subject: 'order', subject_id: only },
  )) {
    report.events++
    if (chain?.id.subject !== event.subject || chain.id.subject_id !== event.subject_id) {
      report.faults.push(...endOf(chain))
      report[event.subject === 'order' ? 'orders' : 'others']++
      chain = startOf(event)
    }
    for (const problem of faultsOf(event, chain.before, known))
      report.faults.push(faultOf(event, event.seq, event.at, problem))
    report.faults.push(...sealedFaults(seals, event))
    if (event.redacted_at !== null) chain.redacted.push(event)
    chain.before = event
    chain.purged_at = event.kind === REDACTING.purged ? event.at : null
    if (event.kind === REDACTING.anonymised) chain.anonymised_at.add(event.at.getTime())
  }
  report.faults.push(...endOf(chain))
  for (const [order_id, heads] of seals)
    for (const { n, seq, sealed_at, isFound } of heads) {
      report.seals++
      const problem = `falta o evento selado no dossiê ${n}: trilha cortada`
      if (!isFound)
        report.faults.push(faultOf({ subject: 'order', subject_id: order_id }, seq, sealed_at, problem))
    }
  for (const { id, created_at } of await ordersWithoutTrail(ctx, only))
    report.faults.push(
      faultOf({ subject: 'order', subject_id: id }, 0, created_at, 'a OS não tem trilha alguma'),
    )
  if (only === undefined) {
    const { accesses, faults } = await verifySecurityLog(ctx)
    report.accesses = accesses
    report.faults.push(...faults)
  }
  const journal = await verifyJournal(ctx, only)
  report.entries = journal.entries
  report.stamps = journal.stamps
  report.faults.push(...journal.faults, ...(await verifyRecorded(ctx, only)))
  report.faults.push(...(await verifyOrderValues(ctx, only)))
  if (only === undefined)
    for (const { user_id, seq, at, problem } of await verifyAccounts(ctx))
      report.faults.push(faultOf({ subject: 'user', subject_id: user_id }, seq, at, problem))
  return report
}

interface Chain extends Removals {
  id: ChainId
  before: Before
  isOpened: boolean
  redacted: Link[]
}
const startOf = (event: Link): Chain => ({
  id: event,
  before: { seq: 0, hash: START, format: 1 },
  has_order: event.has_order ?? false,
  isOpened: event.kind === 'opened',
  redacted: [],
  purged_at: null,
  anonymised_at: new Set(),
})

/** What only shows when the whole chain was read. */
function endOf(chain: Chain | undefined): ChainFault[] {
  if (chain?.id.subject !== 'order') return []
  const { id, before, has_order, isOpened, purged_at } = chain
  const faults = redactionFaults(chain.redacted, chain).map(({ seq, at, problem }) =>
    faultOf(id, seq, at, problem),
  )
  if (has_order && purged_at)
    faults.push(faultOf(id, before.seq, purged_at, 'eliminada pelo evento, mas a OS existe'))
  if (!has_order && isOpened && !purged_at)
    faults.push(faultOf(id, before.seq, null, 'a OS foi apagada sem o evento que a elimina'))
  return faults
}

function sealedFaults(seals: Awaited<ReturnType<typeof sealedHeads>>, event: Link): ChainFault[] {
  if (event.subject !== 'order') return []
  return (seals.get(event.subject_id) ?? []).flatMap((seal) => {
    if (seal.seq !== event.seq) return []
    seal.isFound = true
    if (seal.hash === event.hash) return []
    return [faultOf(event, event.seq, event.at, `não é o evento selado no dossiê ${seal.n}`)]
  })
}

/** Whether the trail still contains the event that a dossier's manifest names as head. */
export async function matchesHead(ctx: Ctx, order_id: number, head: ChainHead) {
  const event = await ctx.db
    .selectFrom('events')
    .where('subject', '=', 'order')
    .where('subject_id', '=', order_id)
    .where('seq', '=', head.seq)
    .select('hash')
    .executeTakeFirst()
  return event?.hash === head.hash
}
