import { createHmac, hkdfSync } from 'node:crypto'
import type { Subject } from '@garantia/shared/privacy/subject'
import { sql } from 'kysely'
import type { Ctx } from '../../../kernel/context.ts'
import { inScope } from '../../../kernel/scope.ts'
import { certain, type Finder, type Forms, finderOf } from './mentions.ts'

const PURPOSE = 'garantia pseudonyms'

/**
 * What a person is called after anonymisation: the same for the same document, e-mail or phone, so that customers are
 * counted as before, and not to be found out by trying without the key, which is not in the database.
 */
export function pseudonymOf(ctx: Ctx, { by, value }: Subject) {
  const key = Buffer.from(hkdfSync('sha256', Buffer.from(ctx.config.SIGNING_KEY, 'hex'), '', PURPOSE, 32))
  return `Titular ${createHmac('sha256', key).update(`${by}|${value}`).digest('hex').slice(0, 12)}`
}

const COLUMN = { document: 'customer_document', email: 'customer_email', phone: 'customer_phone' } as const

/** The orders of a person within the caller's scope, those in the bin too, with what may prevent anonymisation. */
export const ordersOf = (ctx: Ctx, { by, value }: Subject) =>
  ctx.db
    .selectFrom('service_orders')
    .innerJoin('companies', 'companies.id', 'service_orders.company_id')
    .innerJoin('brands', 'brands.id', 'service_orders.brand_id')
    .where(inScope(ctx.actor, 'service_orders.company_id'))
    .where(
      by === 'email'
        ? sql<boolean>`lower(customer_email) = ${value}`
        : sql<boolean>`${sql.ref(`service_orders.${COLUMN[by]}`)} = ${value}`,
    )
    .select(['service_orders.id', 'os_number', 'opened_at', 'completed_at', 'status', 'legal_hold_at'])
    .select(['service_orders.deleted_at', 'companies.trading_name', 'brands.storage_retention_months'])
    .orderBy('service_orders.id')
    .execute()
export type OwnOrder = Awaited<ReturnType<typeof ordersOf>>[number]

/** Why the customer of an order is not anonymised without a reason; null when nothing prevents it. */
export function blockedBy(order: OwnOrder, now: Date): string | null {
  if (order.legal_hold_at) return 'em retenção judicial'
  if (order.status !== 'completed' && order.status !== 'cancelled') return 'ainda em andamento'
  if (order.completed_at === null || order.storage_retention_months === null) return null
  const until = new Date(order.completed_at)
  until.setUTCMonth(until.getUTCMonth() + order.storage_retention_months)
  return until > now ? 'dentro do prazo de guarda da marca' : null
}

const CUSTOMER_KEYS = ['customer_name', 'customer_document', 'customer_phone', 'customer_email']

/** All that the customer of these orders is or was called, now and in the history. */
export async function formsOf(ctx: Ctx, { by, value }: Subject, ids: readonly number[]): Promise<Forms> {
  const { rows } = await sql<{ key: string; value: string }>`
    select key, value from (
      select key, value from service_orders o
      cross join lateral (values ('customer_name', o.customer_name), ('customer_document', o.customer_document),
        ('customer_phone', o.customer_phone), ('customer_email', o.customer_email)) fields (key, value)
      where o.id = any(${[...ids]}::bigint[])
      union
      select fields.key, said.value #>> '{}' from events
      cross join lateral jsonb_each(changes) fields
      cross join lateral jsonb_array_elements(case when jsonb_typeof(fields.value) = 'array'
        then fields.value else jsonb_build_array(fields.value) end) said
      where subject = 'order' and subject_id = any(${[...ids]}::bigint[]) and fields.key = any(${CUSTOMER_KEYS})
    ) found where value is not null and btrim(value) <> '' and value <> 'removido'`.execute(ctx.db)
  const of = (...keys: string[]) => rows.filter(({ key }) => keys.includes(key)).map((row) => row.value)
  const distinct = (values: string[]) => [...new Set(values)]
  return {
    names: distinct(of('customer_name')).filter((name) => !name.startsWith('Titular ')),
    numbers: distinct([...of('customer_document', 'customer_phone'), ...(by === 'email' ? [] : [value])]),
    emails: distinct([...of('customer_email'), ...(by === 'email' ? [value] : [])]),
  }
}

/** Rows outside of the orders that name the person. */
export interface Traces {
  mails: number[]
  views: number[]
  imports: number[]
  /** Of brands, whose lists may name the customer beside the order. */
  remittances: number[]
  remittance_lines: number[]
  /** Events of exports whose search names them. */
  searches: number[]
}

const PAGE = 500

/**
 * Reads mails, saved views, imports, remittances and searches of exports, some hundred at a time: what is looked for is compared
 * without case, accents and masks, which no index can do for all of them.
 */
export async function tracesOf(ctx: Ctx, forms: Forms): Promise<Traces> {
  const finder = finderOf(certain(forms), '')
  return {
    mails: await idsOf(ctx, finder, sql`mails`, sql`jsonb_build_array(recipient, subject, body, html)`),
    views: await idsOf(ctx, finder, sql`order_views`, sql`jsonb_build_array(name, criteria)`),
    imports: await idsOf(
      ctx,
      finder,
      sql`order_imports`,
      sql`jsonb_build_array(filename, rows, sample, error, headings)`,
    ),
    remittances: await idsOf(
      ctx,
      finder,
      sql`remittances`,
      sql`jsonb_build_array(filename, number, rows, sample, error, headings, undo_reason)`,
    ),
    remittance_lines: await idsOf(
      ctx,
      finder,
      sql`remittance_lines`,
      sql`jsonb_build_array(brand_number, document, resolution_note)`,
    ),
    searches: await idsOf(
      ctx,
      finder,
      sql`events`,
      sql`jsonb_build_array(changes -> 'search')`,
      sql`subject = 'user' and kind = 'orders.exported' and jsonb_exists(changes, 'search')`,
    ),
  }
}

type Sql = ReturnType<typeof sql>

async function idsOf(ctx: Ctx, finder: Finder, table: Sql, texts: Sql, where: Sql = sql`true`) {
  const found: number[] = []
  for (let after = 0; ; ) {
    const { rows } = await sql<{ id: number; texts: unknown }>`
      select id, ${texts} as texts from ${table} where id > ${after} and ${where} order by id limit ${PAGE}`.execute(
      ctx.db,
    )
    found.push(...rows.filter((row) => finder.isIn(row.texts)).map(({ id }) => id))
    const last = rows.at(-1)
    if (!last || rows.length < PAGE) return found
    after = last.id
  }
}
