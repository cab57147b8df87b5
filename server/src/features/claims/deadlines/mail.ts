import { DUE_KIND, daysAfter, SOON_DAYS } from '@garantia/shared/claims/deadlines'
import { counted, isoDay } from '@garantia/shared/format'
import type { Person } from '@garantia/shared/policy'
import type { Ctx } from '../../../kernel/context.ts'
import { shortened } from '../../people/mail/service.ts'
import { listDeadlines } from './list.ts'

/** Lines of one mail. */
const LISTED = 15

const dayText = (day: string) => day.split('-').reverse().slice(0, 2).join('/')

/**
 * The part of the daily mail about deadlines: what is overdue and what will be within a week, for a technician of the
 * orders they are responsible for, for others of all in their scope. Null when nothing is. Names no customer.
 */
export async function deadlineLines(
  ctx: Ctx,
  person: Person,
): Promise<{ total: number; lines: string[] } | null> {
  const isTechnician = person.role === 'technician' && !person.is_superuser
  const { items, total, total_is_exact } = await listDeadlines(
    { ...ctx, actor: person },
    {
      until: daysAfter(isoDay(ctx.clock()), SOON_DAYS),
      limit: LISTED,
      ...(isTechnician && { responsible_user_id: [person.id] }),
    },
  )
  if (items.length === 0) return null
  const lines = items.map(
    ({ kind, due_on, is_overdue, os_number, brand }) =>
      `${dayText(due_on)}${is_overdue ? ' (vencido)' : ''}: OS ${os_number}, ${DUE_KIND[kind].toLowerCase()}, ${shortened(brand.display_name)}`,
  )
  const rest = total - items.length
  if (rest > 0)
    lines.push(`E ${total_is_exact ? '' : 'mais de '}${counted(rest, 'outro prazo', 'outros prazos')}.`)
  return { total, lines }
}
