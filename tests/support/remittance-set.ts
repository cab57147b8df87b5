import type { Ctx } from '@garantia/server/kernel'
import type { RemittanceLineInput } from '@garantia/shared/claims/remittance'
import { sql } from 'kysely'

/** Amount of the n-th claim: many claims share one, so that the amount alone tells nothing. */
const amountOf = (n: number) => 100 + (n % 50)

/** Claims in one statement: more would take longer than one may. */
const BATCH = 5_000

/**
 * Fills a company with so many accepted claims of one line, all open; every third has no number of the brand, as one
 * that was sent by mail. Orders have the numbers from 1.
 */
export async function fillClaims(
  { db }: Pick<Ctx, 'db'>,
  { count, company_id, brand_id }: { count: number; company_id: number; brand_id: number },
) {
  for (let first = 1; first <= count; first += BATCH) {
    const last = Math.min(count, first + BATCH - 1)
    const isOfBatch = sql`claims.company_id = ${company_id} and os_number::int between ${first} and ${last}`
    await sql`
      with orders as (
        insert into service_orders (os_number, brand_id, company_id, vehicle_chassis)
        select lpad(n::text, 6, '0'), ${brand_id}, ${company_id}, '9BWZZZ377VT' || lpad((n * 7 % 1000000)::text, 6, '0')
        from generate_series(${first}::int, ${last}::int) n returning id)
      insert into claims (order_id, n, type, company_id, brand_id, actor_name)
        select id, 1, 'normal', ${company_id}, ${brand_id}, 'Teste' from orders`.execute(db)
    await sql`
      insert into claim_lines (claim_id, n, kind, description, claimed, authorised)
      select claims.id, 1, 'third_party', 'Guincho', 100 + os_number::int % 50, 100 + os_number::int % 50
      from claims join service_orders on service_orders.id = order_id where ${isOfBatch}`.execute(db)
    await sql`
      update claims set state = 'accepted', sent_at = now() - interval '10 days', answered_at = now(),
        brand_number = case when os_number::int % 3 > 0 then 'SG' || os_number end
      from service_orders where service_orders.id = order_id and ${isOfBatch}`.execute(db)
  }
  await sql`analyze service_orders`.execute(db)
  await sql`analyze claims`.execute(db)
  await sql`analyze claim_lines`.execute(db)
}

export interface SetLine extends RemittanceLineInput {
  /** The number of the order whose claim the line pays; null when no line may be matched. */
  truth: string | null
}
const osOf = (n: number) => String(n).padStart(6, '0')
const endOf = (n: number) => osOf((n * 7) % 1_000_000).slice(-5)

/**
 * The lines of a remittance for claims filled as above: nine of ten can be matched, by number or by OS, chassis and
 * amount; the others only look as if they could.
 */
export function remittanceSet(count: number, claims: number): SetLine[] {
  return Array.from({ length: count }, (_, index): SetLine => {
    const n = Math.max(1, Math.floor(((index + 0.5) * claims) / count))
    const [amount, os_number] = [amountOf(n), osOf(n)]
    const paying = n % 3 > 0 ? { brand_number: `SG${os_number}` } : { os_number, chassis_end: endOf(n) }
    if (index % 10 < 9) return { ...paying, amount, truth: os_number }
    const kind = Math.floor(index / 10) % 5
    // The right amount under a number that nobody has; an OS without its vehicle; another vehicle; less; another's number.
    if (kind === 0) return { brand_number: `ZZ${os_number}`, amount, truth: null }
    if (kind === 1) return { os_number, amount, truth: null }
    if (kind === 2) return { os_number, chassis_end: 'X9999', amount, truth: null }
    if (kind === 3) return { ...paying, amount: amount - 1, truth: null }
    return { brand_number: `ZZ${os_number}`, os_number, chassis_end: 'X9999', amount, truth: null }
  })
}

/** How many lines that can be matched were, and how many were matched with a claim that they do not pay. */
export async function judgedSet({ db }: Pick<Ctx, 'db'>, remittance_id: number, set: readonly SetLine[]) {
  const rows = await db
    .selectFrom('remittance_lines')
    .leftJoin('claims', 'claims.id', 'remittance_lines.claim_id')
    .leftJoin('service_orders', 'service_orders.id', 'claims.order_id')
    .where('remittance_id', '=', remittance_id)
    .select(['line', 'outcome', 'service_orders.os_number'])
    .execute()
  const matched = rows.filter(({ outcome }) => outcome === 'matched')
  const right = matched.filter(({ line, os_number }) => set[line - 1]?.truth === os_number)
  return {
    lines: rows.length,
    share: right.length / set.filter(({ truth }) => truth !== null).length,
    wrong: matched.length - right.length,
  }
}
