import { calendarDay } from '@garantia/shared/format'
import type { OrderExport } from '@garantia/shared/orders/bulk'
import { masked, seesListsWhole } from '@garantia/shared/orders/masking'
import { authorize } from '@garantia/shared/policy'
import type { Ctx } from '../../../kernel/context.ts'
import { recordEvent } from '../../../kernel/events.ts'
import type { Origin } from '../../../kernel/origin.ts'
import { columnsFor } from './columns.ts'
import { readInOrder } from './export-rows.ts'
import { EXPORT_MIME, sheetStream } from './sheet.ts'

/**
 * Exports the orders of a filter, or selected ones, as a CSV or XLSX stream that is generated while it is
 * read. Records the export in the audit trail of the person. Chassis, documents and phones are complete only with the
 * permission `customer.export`. 401 for an anonymous caller; 403 with an API token or without a recent sign-in where they
 * are complete; 429 when two exports of the person or six of all are
 * running (try again after 30 s).
 */
export async function exportOrders(ctx: Ctx, wanted: OrderExport, origin: Origin) {
  authorize(ctx.actor, 'order.list')
  const { format, ...filter } = wanted
  const isWhole = seesListsWhole(ctx.actor)
  if (isWhole) authorize(ctx.actor, 'customer.bulk-export')
  const columns = columnsFor(isWhole).map(({ of, ...column }) => ({
    ...column,
    of: (order: Parameters<typeof of>[0]) => of(isWhole ? order : masked(order)),
  }))
  const sheet = { format, name: 'Ordens de serviço', columns, rows: readInOrder(ctx, filter) }
  const body = await sheetStream(ctx, sheet, async () => {
    ctx.securityLog.note(ctx, { kind: 'orders.exported', details: { format } })
    if (ctx.actor.kind === 'user')
      await recordEvent(ctx, {
        subject: 'user',
        subject_id: ctx.actor.id,
        kind: 'orders.exported',
        changes: { format, ...filter },
        origin,
      })
  })
  return {
    filename: `ordens-de-servico-${calendarDay(ctx.clock())}.${format}`,
    mime: EXPORT_MIME[format],
    body,
  }
}
