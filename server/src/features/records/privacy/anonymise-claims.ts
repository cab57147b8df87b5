import { sql } from 'kysely'
import type { Ctx } from '../../../kernel/context.ts'
import type { Finder } from './mentions.ts'

const OF_CLAIMS = sql`claim_id in (select id from claims where order_id = `
/** Free text of an order's claims and visits: its table, the condition of its rows, and its columns. */
const TEXTS = (order_id: number) => {
  const ofClaims = sql`${OF_CLAIMS}${order_id})`
  const ofOrder = sql`order_id = ${order_id}`
  return [
    { table: 'claims', where: ofOrder, columns: ['note', 'brand_number'] },
    { table: 'claim_submissions', where: ofClaims, columns: ['note', 'brand_number'] },
    { table: 'claim_decisions', where: ofClaims, columns: ['brand_code', 'brand_words', 'reason'] },
    {
      table: 'claim_decision_lines',
      where: sql`decision_id in (select id from claim_decisions where ${ofClaims})`,
      columns: ['brand_code', 'brand_words'],
    },
    { table: 'part_returns', where: ofClaims, columns: ['place', 'carrier', 'note'] },
    { table: 'visit_facts', where: ofOrder, columns: ['note'] },
    {
      table: 'defect_groups',
      where: sql`id in (select group_id from defect_visits where ${ofOrder})`,
      columns: ['title'],
    },
  ]
}

/** Puts the pseudonym in the place of the customer in the texts of the order's claims, parts and visits. */
export async function inClaims(ctx: Ctx, order_id: number, finder: Finder) {
  for (const { table, where, columns } of TEXTS(order_id)) {
    const selected = sql.join(columns.map((column) => sql.ref(column)))
    const { rows } = await sql<{ at: string; texts: Record<string, string | null> }>`
      select ctid::text as at, to_jsonb(t) as texts from (
        select ctid, ${selected} from ${sql.table(table)} where ${where} for update) t`.execute(ctx.db)
    for (const { at, texts } of rows) {
      if (!finder.isIn(texts)) continue
      const without = finder.without(texts)
      const set = sql.join(columns.map((column) => sql`${sql.ref(column)} = ${without[column] ?? null}`))
      await sql`update ${sql.table(table)} set ${set} where ctid = ${at}::tid`.execute(ctx.db)
    }
  }
}

/**
 * The same in entries and in lines that were sent, which only a function of the database may change, once the trail says
 * that the customer is removed.
 */
export async function inKeptTextsOfClaims(ctx: Ctx, order_id: number, finder: Finder) {
  const entries = await ctx.db
    .selectFrom('claim_entries')
    .innerJoin('claims', 'claims.id', 'claim_entries.claim_id')
    .where('order_id', '=', order_id)
    .select(['claim_entries.id', 'reason'])
    .execute()
  const lines = await ctx.db
    .selectFrom('claim_lines')
    .innerJoin('claims', 'claims.id', 'claim_lines.claim_id')
    .where('order_id', '=', order_id)
    .select(['claim_lines.id', 'description', 'supplier', 'document'])
    .execute()
  const naming = <Row extends object>(rows: readonly Row[]) =>
    JSON.stringify(rows.filter((row) => finder.isIn(row)).map((row) => finder.without(row)))
  await sql`select anonymise_claim_texts(${order_id}, ${naming(entries)}::jsonb, ${naming(lines)}::jsonb)`.execute(
    ctx.db,
  )
}
