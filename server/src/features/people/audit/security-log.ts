import { Readable } from 'node:stream'
import {
  kindsIn,
  type SecurityEntry,
  type SecurityFilter,
  type SecurityKind,
  type SecurityReference,
} from '@garantia/shared/audit/security'
import { calendarDay } from '@garantia/shared/format'
import { authorize } from '@garantia/shared/policy'
import { sql } from 'kysely'
import type { Ctx } from '../../../kernel/context.ts'
import { eventKey } from '../../../kernel/event-keys.ts'
import { forgottenCode } from '../../../kernel/security-batches.ts'

const PAGE = 25
const EXPORT_PAGE = 1_000

export const JSON_LINES = 'application/x-ndjson'

/**
 * A page of the security log, newest first: who read personal data, and what was refused. Reading it is an entry of
 * it. 403 unless superuser.
 */
export async function readSecurityLog(ctx: Ctx, { group, cursor, limit = PAGE }: SecurityFilter) {
  authorize(ctx.actor, 'audit.read')
  ctx.securityLog.note(ctx, { kind: 'security_log.read' })
  const newest = (kind?: SecurityKind) =>
    securityEntries(ctx)
      .$if(kind !== undefined, (query) => query.where('kind', '=', kind ?? ''))
      .$if(typeof cursor === 'number', (query) => query.where('security_log.id', '<', cursor ?? 0))
      .orderBy('security_log.id', 'desc')
      .limit(limit + 1)
  // Each kind by its index: a few refusals are not searched for among all that was read.
  const found: Row[] = []
  for (const kind of group ? kindsIn(group) : [undefined]) found.push(...(await newest(kind).execute()))
  const rows = found.sort((a, b) => b.id - a.id).slice(0, limit + 1)
  const entries = rows.slice(0, limit).map(presentSecurityEntry)
  return { entries, next_cursor: rows.length > limit ? (entries.at(-1)?.id ?? null) : null }
}

/**
 * The whole security log, oldest first, one JSON object a line, read while it is sent. Itself an entry, the last of
 * the file. 403 unless superuser who has signed in: an API token does not do.
 */
export async function exportSecurityLog(ctx: Ctx) {
  authorize(ctx.actor, 'audit.export')
  ctx.securityLog.note(ctx, { kind: 'security_log.exported' })
  await ctx.securityLog.flush()
  return {
    filename: `registro-de-seguranca-${calendarDay(ctx.clock())}.jsonl`,
    mime: JSON_LINES,
    body: Readable.from(lines(ctx), { objectMode: false }),
  }
}

async function* lines(ctx: Ctx) {
  for (let after = 0; ; ) {
    const rows = await securityEntries(ctx)
      .orderBy('security_log.id')
      .where('security_log.id', '>', after)
      .limit(EXPORT_PAGE)
      .execute()
    const last = rows.at(-1)
    if (!last) return
    yield Buffer.from(rows.map((row) => `${JSON.stringify(presentSecurityEntry(row))}\n`).join(''))
    after = last.id
  }
}

/** All entries, with the present names of what their details refer to by id. */
export const securityEntries = (ctx: Ctx) =>
  ctx.db
    .selectFrom('security_log')
    .leftJoin('service_orders', 'service_orders.id', 'security_log.order_id')
    .leftJoin('users as account', (join) => join.on((eb) => eb('account.id', '=', referred('account_id'))))
    .leftJoin('api_tokens as token', (join) => join.on((eb) => eb('token.id', '=', referred('token_id'))))
    .leftJoin('evidence_files as file', (join) =>
      join.on((eb) => eb('file.id', '=', referred('evidence_id'))),
    )
    .selectAll('security_log')
    .select([
      'service_orders.os_number',
      'account.full_name as account_id',
      'token.name as token_id',
      'file.original_filename as evidence_id',
    ])
const referred = (name: SecurityReference) => sql<number>`(security_log.details ->> ${name})::bigint`

type Row = Awaited<ReturnType<ReturnType<typeof securityEntries>['execute']>>[number]

export const presentSecurityEntry = ({ account_id, token_id, evidence_id, ...row }: Row): SecurityEntry => ({
  ...row,
  at: row.at.toISOString(),
  kind: row.kind as SecurityKind,
  details: row.details as Record<string, unknown>,
  names: {
    ...(account_id && { account_id }),
    ...(token_id && { token_id }),
    ...(evidence_id && { evidence_id }),
  },
})

/**
 * Deletes the batches of which every entry is older than SECURITY_LOG_MONTHS, oldest first. A function of the database
 * does it (migration 0053): the role in use may not delete entries. The newest of them stays without its entries, with an
 * authentication code that tells this removal from any other.
 */
export async function forgetOldSecurityEntries(ctx: Ctx) {
  const before = ctx.clock()
  before.setUTCMonth(before.getUTCMonth() - ctx.config.SECURITY_LOG_MONTHS)
  const { rows } = await sql<{ n: number; hash: string }>`
    select n, hash from security_batches where forgotten_mac is null and n < coalesce(
      (select min(n) from security_batches where at >= ${before}),
      (select max(n) + 1 from security_batches))
    order by n desc limit 1`.execute(ctx.db)
  const [newest] = rows
  if (!newest) return
  const { mac, mac_key } = forgottenCode(eventKey(ctx.config), newest)
  await sql`select forget_security_batches(${newest.n}, ${mac}, ${mac_key})`.execute(ctx.db)
}
