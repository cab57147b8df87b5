import { masked, seesOrderWhole } from '@garantia/shared/orders/masking'
import type { EarlierOrder } from '@garantia/shared/orders/prefill'
import { authorize } from '@garantia/shared/policy'
import { sql } from 'kysely'
import type { Ctx } from '../../../kernel/context.ts'
import { readCompany } from '../../catalogue/companies/service.ts'
import { newestOfChassis } from './queries.ts'

/**
 * Vehicle and customer of the newest order of a chassis in the caller's scope, which is noted in the security
 * log as a reading of that order; null when there is none. Masked for whoever may not see that order whole, who
 * reveals what they take over. 401 when anonymous.
 */
export async function findEarlierOrder(ctx: Ctx, chassis: string): Promise<EarlierOrder | null> {
  authorize(ctx.actor, 'order.list')
  const found = await newestOfChassis(ctx, chassis)
  if (!found) return null
  ctx.securityLog.note(ctx, { kind: 'order.read', order_id: found.id })
  const { company_id, created_by, technician_user_id, ...earlier } = found
  const shown = { ...earlier, opened_at: found.opened_at.toISOString() }
  return seesOrderWhole(ctx.actor, { company_id, created_by, technician_user_id }) ? shown : masked(shown)
}

/**
 * The number proposed for the next order of a company: the first free one after that of the order opened
 * last; null when there is none. 404 outside the caller's scope.
 */
export async function proposeNumber(ctx: Ctx, company_id: number): Promise<{ os_number: string | null }> {
  await readCompany(ctx, company_id)
  const { rows } = await sql<{ os_number: string }>`
    select lpad(n::text, 6, '0') as os_number
    from (
      select os_number::integer as number from service_orders
      where company_id = ${company_id} and deleted_at is null
      order by opened_at desc, id desc limit 1) last,
      generate_series(last.number + 1, least(last.number + 1000, 999999)) n
    where not exists (
      select 1 from service_orders taken
      where taken.company_id = ${company_id} and taken.os_number = lpad(n::text, 6, '0')
        and taken.deleted_at is null)
    order by n limit 1`.execute(ctx.db)
  return { os_number: rows[0]?.os_number ?? null }
}
