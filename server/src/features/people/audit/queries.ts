import {
  AUDIT_REFERENCE,
  AUDIT_SUBJECTS,
  type AuditEvent,
  type AuditFilter,
  type AuditNames,
  type AuditSubject,
  idsIn,
} from '@garantia/shared/audit/schema'
import { sql } from 'kysely'
import type { Ctx } from '../../../kernel/context.ts'

type Row = Omit<AuditEvent, 'at'> & { at: Date }

/**
 * The newest events before the cursor, with the present names of their subjects. Events of orders are
 * excluded.
 */
export async function newestEvents(ctx: Ctx, { subject, cursor }: AuditFilter, count: number) {
  const { rows } = await sql<Row>`
    select page.id, page.at, page.subject, page.subject_id, page.kind, page.actor_name,
      page.changes - 'recorded' as changes,
      page.ip, page.user_agent,
      coalesce(users.full_name, companies.trading_name, brands.display_name) as subject_name
    from (
      -- Each subject's newest by its index: orders, which are most of the trail, are never walked through.
      select newest.* from unnest(${subject ? [subject] : [...AUDIT_SUBJECTS]}::event_subject[]) as wanted (subject)
      cross join lateral (
        select * from events
        where events.subject = wanted.subject and events.subject <> 'order'
          and (${cursor ?? null}::bigint is null or events.id < ${cursor ?? null}::bigint)
        order by events.id desc limit ${count}
      ) newest
      order by newest.id desc limit ${count}
    ) page
    left join users on page.subject = 'user' and users.id = page.subject_id
    left join companies on page.subject = 'company' and companies.id = page.subject_id
    left join brands on page.subject = 'brand' and brands.id = page.subject_id
    order by page.id desc`.execute(ctx.db)
  return rows
}

/** The present names of what the changes refer to by id. */
export async function namesIn(ctx: Ctx, events: readonly Pick<AuditEvent, 'changes'>[]): Promise<AuditNames> {
  const ids: Record<AuditSubject, number[]> = { user: [], company: [], brand: [] }
  for (const { changes } of events)
    for (const [field, value] of Object.entries(changes)) {
      const subject = AUDIT_REFERENCE[field]
      if (subject) ids[subject].push(...idsIn(value))
    }
  if (Object.values(ids).every((list) => list.length === 0)) return {}
  const { rows } = await sql<{ key: string; name: string }>`
    select 'user:' || id as key, coalesce(nullif(full_name, ''), email) as name
      from users where id = any(${ids.user}::bigint[])
    union all select 'company:' || id, trading_name from companies where id = any(${ids.company}::bigint[])
    union all select 'brand:' || id, display_name from brands where id = any(${ids.brand}::bigint[])`.execute(
    ctx.db,
  )
  return Object.fromEntries(rows.map(({ key, name }) => [key, name]))
}
