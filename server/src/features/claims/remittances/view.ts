import {
  LINE_OUTCOMES,
  type RemittanceFilter,
  type RemittanceMapping,
  type RemittancePage,
  type RemittanceView,
} from '@garantia/shared/claims/remittance'
import { proposeRemittanceColumns } from '@garantia/shared/claims/remittance-line'
import { DEFAULT_LIMIT } from '@garantia/shared/fields'
import { authorize, authorizeSome } from '@garantia/shared/policy'
import type { Ctx } from '../../../kernel/context.ts'
import { scopeIn, within } from '../../../kernel/scope.ts'
import { isAnyOf } from '../../orders/list/service.ts'
import {
  findShown,
  lastMapping,
  type ShownRemittance,
  shownRemittances,
  visibleRemittances,
} from './queries.ts'

/** How many lines have each outcome. */
export const outcomesOf = (counts: Readonly<Record<string, number>>) =>
  Object.fromEntries(
    LINE_OUTCOMES.map((outcome) => [outcome, counts[outcome] ?? 0]),
  ) as RemittanceView['outcomes']

const present = (row: ShownRemittance, mapping: RemittanceView['mapping']): RemittanceView => ({
  id: row.id,
  company: { id: row.company_id, trading_name: row.trading_name },
  brand: { id: row.brand_id, display_name: row.display_name },
  number: row.number,
  paid_on: row.paid_on,
  filename: row.filename,
  status: row.status as RemittanceView['status'],
  error: row.error,
  headings: row.headings,
  sample: row.sample as string[][],
  mapping,
  lines: row.lines,
  refused: row.refused,
  progress: row.progress,
  total: row.total,
  outcomes: outcomesOf(row.outcomes),
  booked: row.booked,
  waiting: row.waiting,
  has_content: row.has_content,
  actor_name: row.actor_name,
  created_at: row.created_at.toISOString(),
  finished_at: row.finished_at?.toISOString() ?? null,
  undone_at: row.undone_at?.toISOString() ?? null,
  undone_by_name: row.undone_by_name,
  undo_reason: row.undo_reason,
})

/**
 * A remittance with its headings, first lines and the mapping to begin with: the one used last for a file of the brand
 * with these headings, or one proposed by their names. 403 without permission; 404 outside the caller's scope.
 */
export async function readRemittance(ctx: Ctx, id: number): Promise<RemittanceView> {
  authorizeSome(ctx.actor, 'remittance.read')
  const row = await findShown(ctx, id)
  authorize(ctx.actor, 'remittance.read', row)
  const used = (row.mapping as RemittanceMapping | null) ?? (await lastMapping(ctx, row))
  return present(row, used ?? proposeRemittanceColumns(row.headings))
}

/** A page of the remittances in the caller's scope, the newest first, with their number. 403 without permission. */
export async function listRemittances(ctx: Ctx, filter: RemittanceFilter): Promise<RemittancePage> {
  authorize(ctx.actor, 'remittance.list')
  const { skip = 0, limit = DEFAULT_LIMIT, company_id, brand_id } = filter
  const companies = within(scopeIn(ctx.actor, company_id), 'remittances.company_id')
  const brands = isAnyOf('remittances.brand_id', brand_id ?? [])
  const rows = await shownRemittances(ctx)
    .where(companies)
    .$if(brand_id !== undefined, (query) => query.where(brands))
    .orderBy('remittances.created_at', 'desc')
    .orderBy('remittances.id', 'desc')
    .offset(skip)
    .limit(limit)
    .execute()
  const { total } = await visibleRemittances(ctx)
    .where(companies)
    .$if(brand_id !== undefined, (query) => query.where(brands))
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const items = rows.map((row) => present(row, (row.mapping as RemittanceMapping | null) ?? {}))
  return { items, total, skip, limit }
}
