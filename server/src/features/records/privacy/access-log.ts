import { authorize } from '@garantia/shared/policy'
import type { AccessEntry, AccessFilter } from '@garantia/shared/privacy/access'
import { ACCESS_KINDS } from '@garantia/shared/privacy/access'
import { sql } from 'kysely'
import type { Ctx } from '../../../kernel/context.ts'
import { visibleOrder } from '../../orders/order/service.ts'
import { presentSecurityEntry, securityEntries } from '../../people/audit/service.ts'

const PAGE = 25

/**
 * A page of who saw, downloaded, exported or revealed personal data, newest first. Of one order for whoever leads work
 * on it, 404 outside of their scope; of the whole house for administrators. Reading it is itself an entry. 403
 * otherwise.
 */
export async function readAccesses(ctx: Ctx, filter: AccessFilter) {
  if (filter.order_id === undefined) authorize(ctx.actor, 'privacy.manage')
  else authorize(ctx.actor, 'order.accesses', await visibleOrder(ctx, filter.order_id))
  ctx.securityLog.note(ctx, {
    kind: 'access_log.read',
    ...(filter.order_id && { order_id: filter.order_id }),
  })
  const limit = filter.limit ?? PAGE
  const rows = await found(ctx, filter, limit + 1)
  const entries: AccessEntry[] = rows.slice(0, limit).map(presentSecurityEntry)
  return { entries, next_cursor: rows.length > limit ? (entries.at(-1)?.id ?? null) : null }
}

const dayOf = (day: string) => sql<Date>`${day}::date::timestamp at time zone 'America/Sao_Paulo'`
const dayAfter = (day: string) => sql<Date>`(${day}::date + 1)::timestamp at time zone 'America/Sao_Paulo'`

const found = (ctx: Ctx, filter: AccessFilter, count: number) => {
  const { order_id, os_number, person, kind, start_date, end_date, cursor } = filter
  return securityEntries(ctx)
    .where('security_log.kind', 'in', kind ? [kind] : ACCESS_KINDS)
    .$if(order_id !== undefined, (query) => query.where('security_log.order_id', '=', order_id ?? 0))
    .$if(Boolean(os_number), (query) =>
      query.where('security_log.order_id', 'in', (eb) =>
        eb
          .selectFrom('service_orders')
          .select('id')
          .where(sql<boolean>`starts_with(os_number, ${os_number ?? ''})`),
      ),
    )
    .$if(Boolean(person), (query) =>
      query.where(sql<boolean>`position(fold(${person ?? ''}) in fold(coalesce(actor_name, ''))) > 0`),
    )
    .$if(start_date !== undefined, (query) => query.where('security_log.at', '>=', dayOf(start_date ?? '')))
    .$if(end_date !== undefined, (query) => query.where('security_log.at', '<', dayAfter(end_date ?? '')))
    .$if(typeof cursor === 'number', (query) => query.where('security_log.id', '<', cursor ?? 0))
    .orderBy('security_log.id', 'desc')
    .limit(count)
    .execute()
}
