import type { Subject } from '@garantia/shared/privacy/subject'
import { type RawBuilder, sql } from 'kysely'
import type { Ctx } from '../../../kernel/context.ts'
import { certain, type Forms, finderOf } from './mentions.ts'
import { formsOf, tracesOf } from './subject.ts'

/** What stands in the place of what belongs to somebody else. */
const SOMEBODY = '[outra pessoa]'
const STAFF = '[equipe]'
const STAFF_KEYS = ['technician_name', 'actor_name', 'responsible_name', 'legal_hold_by', 'uploaded_by']
const CUSTOMER_KEYS = ['customer_name', 'customer_document', 'customer_phone', 'customer_email']

type Json = Record<string, unknown>
type Rows = AsyncIterable<Json>
/**
 * Rows by the table that has them: every place that anonymisation changes (`anonymise-order.ts`, `anonymise.ts`). They
 * are read as they are asked for: of 5,000 orders they are some hundred megabytes.
 */
export type SubjectData = Record<
  | 'service_orders'
  | 'evidence_files'
  | 'uploads'
  | 'notifications'
  | 'opening_keys'
  | 'package_archives'
  | 'dossiers'
  | 'claims'
  | 'claim_lines'
  | 'claim_submissions'
  | 'claim_decisions'
  | 'claim_decision_lines'
  | 'claim_entries'
  | 'part_returns'
  | 'defect_groups'
  | 'visit_facts'
  | 'events'
  | 'security_log'
  | 'mails'
  | 'order_views'
  | 'order_imports'
  | 'remittances'
  | 'remittance_lines'
  | 'searches',
  Rows
>
/** Orders or mails whose rows are read at once. */
const PAGE = 100

/**
 * Everything the house has of a person, in these orders and beside them. Names of the staff, and whatever the history
 * says of other customers of the same orders, are replaced.
 */
export async function subjectData(ctx: Ctx, subject: Subject, ids: readonly number[]): Promise<SubjectData> {
  const all = await formsOf(ctx, subject, ids)
  const own = await ownForms(ctx, subject, ids)
  const mask = maskOf(own, all, await staffOf(ctx, ids))
  const places = { ...rowsOfOrders(ctx, ids), ...(await rowsBeside(ctx, own)) }
  return Object.fromEntries(
    Object.entries<Rows>(places).map(([place, rows]) => [place, each(rows, mask)]),
  ) as SubjectData
}

async function* each(rows: Rows, change: (row: Json) => Json): Rows {
  for await (const row of rows) yield change(row)
}

/** The rows of a query for each page of ids, in which these stand for the ids. */
async function* paged(
  ctx: Ctx,
  ids: readonly number[],
  query: (given: RawBuilder<unknown>) => RawBuilder<Json>,
  page = PAGE,
): Rows {
  const sorted = ids.toSorted((one, other) => one - other)
  for (let first = 0; first < sorted.length; first += page) {
    const { rows } = await query(sql`any(${sorted.slice(first, first + page)}::bigint[])`).execute(ctx.db)
    yield* rows
  }
}

/** What the person is called now: values of the history may be those of a customer before. */
async function ownForms(ctx: Ctx, { by, value }: Subject, ids: readonly number[]): Promise<Forms> {
  const rows = await ctx.db
    .selectFrom('service_orders')
    .where('id', 'in', [...ids])
    .select(['customer_name', 'customer_document', 'customer_phone', 'customer_email'])
    .execute()
  const of = (...keys: (keyof (typeof rows)[number])[]) => [
    ...new Set(rows.flatMap((row) => keys.map((key) => row[key])).filter((text) => text !== null)),
  ]
  return {
    names: of('customer_name'),
    numbers: [...of('customer_document', 'customer_phone'), ...(by === 'email' ? [] : [value])],
    emails: [...of('customer_email'), ...(by === 'email' ? [value] : [])],
  }
}

async function staffOf(ctx: Ctx, ids: readonly number[]) {
  const { rows } = await sql<{ name: string }>`
    select actor_name as name from events where subject = 'order' and subject_id = any(${[...ids]}::bigint[])
    union select technician_name from service_orders where id = any(${[...ids]}::bigint[])
    union select u.full_name from users u join service_orders o
      on u.id in (o.technician_user_id, o.responsible_user_id, o.created_by) where o.id = any(${[...ids]}::bigint[])`.execute(
    ctx.db,
  )
  return rows.flatMap(({ name }) => (name ? [name] : []))
}

function maskOf(own: Forms, all: Forms, staff: readonly string[]) {
  const isOwn = new Set([...own.names, ...own.numbers, ...own.emails])
  const rest = (values: readonly string[]) => values.filter((value) => !isOwn.has(value))
  const others = finderOf(
    certain({ names: rest(all.names), numbers: rest(all.numbers), emails: rest(all.emails) }),
    SOMEBODY,
  )
  const colleagues = finderOf(certain({ names: rest(staff), numbers: [], emails: [] }), STAFF)
  const ofCustomer = (value: unknown): unknown =>
    Array.isArray(value)
      ? value.map(ofCustomer)
      : typeof value !== 'string' || isOwn.has(value) || value === 'removido'
        ? value
        : SOMEBODY
  const ofStaff = (value: unknown): unknown =>
    Array.isArray(value) ? value.map(ofStaff) : value === null ? null : STAFF
  const masked = (value: unknown): unknown => {
    if (typeof value === 'string') return colleagues.without(others.without(value))
    if (Array.isArray(value)) return value.map(masked)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([key, one]) => {
        if (CUSTOMER_KEYS.includes(key)) return [key, ofCustomer(one)]
        return [key, STAFF_KEYS.includes(key) ? ofStaff(one) : masked(one)]
      }),
    )
  }
  return (row: Json) => masked(row) as Json
}

/** Columns that say nothing of the person: storage keys, fingerprints for search, ids of accounts, proofs. */
const TECHNICAL = [
  ...['search', 'customer_sort', 'customer_identity', 'created_by', 'deleted_by', 'technician_user_id'],
  ...['responsible_user_id', 'user_id', 'original_key', 'converted_key', 'preview_key', 'key', 'input_hash'],
  ...['perceptual_hash', 'hash_bands', 'lease_until', 'budget_bytes', 'signature', 'key_id', 'actor_id'],
  ...['actor_user_id', 'salts', 'commitments', 'content_hash', 'hash', 'previous_hash', 'id_hash', 'mac'],
  ...['mac_key', 'format', 'ip', 'user_agent', 'orders', 'left_out'],
]

function rowsOfOrders(ctx: Ctx, ids: readonly number[]) {
  const rowsIn = (from: (given: RawBuilder<unknown>) => RawBuilder<unknown>, page?: number) =>
    each(
      paged(
        ctx,
        ids,
        (given) => sql`select to_jsonb(t) - ${TECHNICAL}::text[] as row from (${from(given)}) t`,
        page,
      ),
      ({ row }) => row as Json,
    )
  const ofOrder = (table: string) =>
    rowsIn((given) => sql`select * from ${sql.table(table)} where order_id = ${given} order by order_id, id`)
  const ofClaims = (table: string) =>
    rowsIn(
      (given) => sql`select t.* from ${sql.table(table)} t join claims on claims.id = t.claim_id
        where claims.order_id = ${given} order by t.id`,
    )
  return {
    service_orders: rowsIn((given) => sql`select * from service_orders where id = ${given} order by id`),
    evidence_files: ofOrder('evidence_files'),
    uploads: ofOrder('uploads'),
    notifications: ofOrder('notifications'),
    opening_keys: rowsIn((given) => sql`select * from opening_keys where order_id = ${given}`),
    // At once, as one archive has several orders; they are kept for a day.
    package_archives: rowsIn(
      (given) => sql`select * from package_archives where exists (
        select 1 from jsonb_array_elements(orders) one where (one ->> 'id')::bigint = ${given}) order by id`,
      ids.length,
    ),
    dossiers: each(ofOrder('dossiers'), ({ manifest, ...row }) => ({
      ...row,
      manifest: typeof manifest === 'string' ? JSON.parse(manifest) : null,
    })),
    claims: ofOrder('claims'),
    claim_lines: ofClaims('claim_lines'),
    claim_submissions: ofClaims('claim_submissions'),
    claim_decisions: ofClaims('claim_decisions'),
    claim_decision_lines: rowsIn(
      (given) => sql`select line.* from claim_decision_lines line
        join claim_decisions d on d.id = line.decision_id join claims on claims.id = d.claim_id
        where claims.order_id = ${given} order by decision_id, line_id`,
    ),
    claim_entries: ofClaims('claim_entries'),
    part_returns: ofClaims('part_returns'),
    // At once, as one group has several orders.
    defect_groups: rowsIn(
      (given) => sql`select g.* from defect_groups g where exists (
        select 1 from defect_visits v where v.group_id = g.id and v.order_id = ${given}) order by g.id`,
      ids.length,
    ),
    visit_facts: ofOrder('visit_facts'),
    events: rowsIn(
      (given) =>
        sql`select * from events where subject = 'order' and subject_id = ${given} order by subject_id, seq`,
    ),
    // Who it was is known to the house, and is told to the authority: here it is that it was read, and how.
    security_log: rowsIn(
      (given) =>
        sql`select at, kind, order_id from security_log where order_id = ${given} order by order_id, id`,
    ),
  }
}

/** Mails, saved views, imports and searches of exports that name the person; of an import, their lines alone. */
async function rowsBeside(ctx: Ctx, own: Forms) {
  const traces = await tracesOf(ctx, own)
  const finder = finderOf(certain(own), '')
  const mails = paged(
    ctx,
    traces.mails,
    (given) =>
      sql`select created_at, sent_at, recipient, subject, body from mails where id = ${given} order by id`,
  )
  const views = paged(
    ctx,
    traces.views,
    (given) => sql`select created_at, name, criteria from order_views where id = ${given} order by id`,
  )
  const imports = paged(
    ctx,
    traces.imports,
    (given) =>
      sql`select created_at, filename, headings, rows from order_imports where id = ${given} order by id`,
    1,
  )
  const remittances = paged(
    ctx,
    traces.remittances,
    (given) =>
      sql`select created_at, filename, headings, rows, undo_reason from remittances where id = ${given} order by id`,
    1,
  )
  const remittanceLines = paged(
    ctx,
    traces.remittance_lines,
    (given) =>
      sql`select brand_number, document, amount, resolution_note, resolved_at from remittance_lines
        where id = ${given} order by id`,
  )
  const searches = paged(
    ctx,
    traces.searches,
    (given) =>
      sql`select at, kind, changes -> 'search' as search from events where id = ${given} order by id`,
  )
  const naming = (lines: unknown) => (Array.isArray(lines) ? lines.filter((line) => finder.isIn(line)) : [])
  return {
    mails: each(mails, (mail) => ({
      ...mail,
      recipient: finder.isIn(mail.recipient) ? mail.recipient : STAFF,
    })),
    order_views: views,
    order_imports: each(imports, ({ rows, ...one }) => ({
      ...one,
      rows: naming(rows),
    })),
    remittances: each(remittances, ({ rows, ...one }) => ({ ...one, rows: naming(rows) })),
    remittance_lines: remittanceLines,
    searches,
  }
}
