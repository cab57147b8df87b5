import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Ctx } from '../../../kernel/context.ts'

/**
 * The newest event of an order's chain. Stored elsewhere (in a dossier), it reveals that events were removed
 * later.
 */
export interface ChainHead {
  seq: number
  hash: string
}
export interface ChainFault {
  order_id: number
  seq: number
  problem: string
}
export interface ChainReport {
  orders: number
  events: number
  /** Number of chain heads in sealed dossiers that were compared. */
  seals: number
  faults: ChainFault[]
}

const START = '0'.repeat(64)
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

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
  return { seq: last?.seq ?? 0, hash: last?.hash ?? START }
}

/** Fields of the customer whose values are removed; that they changed, when and by whom, is kept. */
const CUSTOMER = ['customer_name', 'customer_email', 'customer_phone', 'customer_document']

/** Free text, which may name the customer. */
const FREE_TEXT = ['comment']

/**
 * Removes the customer's values, and comments, from an order's trail (LGPD). Each event keeps the hash of its original
 * content, so the chain and the seals of dossiers stay valid.
 */
export async function redactCustomer(ctx: Ctx, order_id: number) {
  await sql`
    update events set redacted_at = ${ctx.clock()}, changes = (
      select jsonb_object_agg(key, case
          when key = any(${CUSTOMER}) then '["removido", "removido"]'
          when key = any(${FREE_TEXT}) then '"removido"'
          else value end)
      from jsonb_each(changes))
    where subject = 'order' and subject_id = ${order_id} and jsonb_exists_any(changes, ${[...CUSTOMER, ...FREE_TEXT]})`.execute(
    ctx.db,
  )
}

interface Link {
  order_id: number
  seq: number
  content: string
  link: string
  content_hash: string
  previous_hash: string
  hash: string
  redacted: boolean
}
const PAGE = 5_000

/**
 * The events of the chains in order, 5 000 at a time, each with the canonical texts its hashes were computed
 * from.
 */
async function* links(ctx: Ctx, only: number | undefined): AsyncGenerator<Link> {
  for (let [order_id, seq] = [0, 0]; ; ) {
    const { rows } = await sql<Link>`
      select subject_id as order_id, seq, content_hash, previous_hash, hash, redacted_at is not null as redacted,
        jsonb_build_array(actor_name, changes)::text as content,
        jsonb_build_array(subject, subject_id, seq, kind,
          to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), content_hash, previous_hash)::text as link
      from events
      where subject = 'order' and (subject_id, seq) > (${order_id}::bigint, ${seq}::int)
        and (${only ?? null}::bigint is null or subject_id = ${only ?? null})
      order by subject_id, seq limit ${PAGE}`.execute(ctx.db)
    yield* rows
    const last = rows.at(-1)
    if (!last || rows.length < PAGE) return
    order_id = last.order_id
    seq = last.seq
  }
}

/**
 * Verifies the event chain of every order, or of one: an event that was changed, removed or inserted breaks
 * it, and removed last events show against the head in a sealed dossier. It makes tampering evident but
 * cannot prevent it: the owner of the database can rewrite a chain, but not the dossiers already handed out.
 */
export async function verifyChains(ctx: Ctx, only?: number): Promise<ChainReport> {
  const report: ChainReport = { orders: 0, events: 0, seals: 0, faults: [] }
  const seals = await sealedHeads(ctx, only)
  let before: { order_id: number; seq: number; hash: string } | undefined
  for await (const event of links(ctx, only)) {
    const { order_id, seq } = event
    report.events++
    if (before?.order_id !== order_id) {
      report.orders++
      before = { order_id, seq: 0, hash: START }
    }
    for (const problem of faultsOf(event, before)) report.faults.push({ order_id, seq, problem })
    for (const seal of seals.get(order_id) ?? [])
      if (seal.seq === seq) {
        seal.isFound = true
        if (seal.hash !== event.hash)
          report.faults.push({ order_id, seq, problem: `não é o evento selado no dossiê ${seal.n}` })
      }
    before = { order_id, seq, hash: event.hash }
  }
  for (const [order_id, heads] of seals)
    for (const { n, seq, isFound } of heads) {
      report.seals++
      if (!isFound)
        report.faults.push({ order_id, seq, problem: `falta o evento selado no dossiê ${n}: trilha cortada` })
    }
  return report
}

function faultsOf(event: Link, before: { seq: number; hash: string }): string[] {
  const faults: string[] = []
  if (event.seq !== before.seq + 1) faults.push(`faltam eventos entre ${before.seq} e ${event.seq}`)
  else if (event.previous_hash !== before.hash) faults.push('não continua o evento anterior')
  // A redacted event no longer has its personal values; its position and its hashes are still verified.
  if (!event.redacted && sha256(event.content) !== event.content_hash) faults.push('conteúdo alterado')
  if (sha256(event.link) !== event.hash) faults.push('evento alterado')
  return faults
}

async function sealedHeads(ctx: Ctx, only: number | undefined) {
  const rows = await ctx.db
    .selectFrom('dossiers')
    .where('status', '=', 'sealed')
    .where('chain_seq', '>', 0)
    .$if(only !== undefined, (query) => query.where('order_id', '=', only ?? 0))
    .select(['order_id', 'n', 'chain_seq', 'chain_hash'])
    .execute()
  const heads = new Map<number, { n: number; seq: number; hash: string; isFound: boolean }[]>()
  for (const { order_id, n, chain_seq, chain_hash } of rows) {
    const known = heads.get(order_id) ?? []
    known.push({ n, seq: chain_seq ?? 0, hash: chain_hash ?? '', isFound: false })
    heads.set(order_id, known)
  }
  return heads
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
