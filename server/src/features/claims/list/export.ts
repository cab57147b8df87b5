import type { ClaimExport } from '@garantia/shared/claims/bulk'
import { DUE_KIND, type DueKind } from '@garantia/shared/claims/deadlines'
import { CLAIM_STATE, CLAIM_TYPE, claimName } from '@garantia/shared/claims/state'
import { SUM_LABEL } from '@garantia/shared/claims/sums'
import { calendarDay, calendarDaysBetween, TIME_ZONE } from '@garantia/shared/format'
import { masked, seesListsWhole } from '@garantia/shared/orders/masking'
import { authorize } from '@garantia/shared/policy'
import { type InferResult, sql } from 'kysely'
import type { Ctx } from '../../../kernel/context.ts'
import { readByCursor } from '../../../kernel/cursor.ts'
import { recordEvent } from '../../../kernel/events.ts'
import type { Origin } from '../../../kernel/origin.ts'
import { type Cell, EXPORT_MIME, type SheetColumn, sheetStream } from '../../orders/list/service.ts'
import { matching } from './criteria.ts'
import { orderedBy, sortingOf } from './queries.ts'

type Exported = InferResult<ReturnType<typeof exported>>[number]
interface Column extends SheetColumn {
  of: (claim: Exported) => Cell
}
const text = (header: string, width: number, of: Column['of']): Column => ({ header, width, of })
const money = (header: string, of: Column['of']): Column => ({ header, width: 17, numberFormat: 'money', of })
const moment = (header: string, of: Column['of']): Column => ({
  header,
  width: 17,
  numberFormat: 'datetime',
  of,
})

const columnsAt = (now: Date): Column[] => [
  text('SG', 14, claimName),
  text('OS', 9, ({ os_number }) => os_number),
  text('Tipo', 16, ({ type }) => CLAIM_TYPE[type].label),
  text('Situação', 20, ({ state }) => CLAIM_STATE[state].label),
  text('Marca', 16, ({ brand }) => brand),
  text('Empresa', 30, ({ company }) => company),
  text('Número na marca', 20, ({ brand_number }) => brand_number),
  text('Cliente', 32, ({ customer_name }) => customer_name),
  text('Chassi', 20, ({ vehicle_chassis }) => vehicle_chassis),
  moment('Enviada', ({ sent }) => sent),
  moment('Respondida', ({ answered }) => answered),
  text('Dias desde o envio', 14, ({ sent_at }) => sent_at && Math.max(0, calendarDaysBetween(sent_at, now))),
  money(SUM_LABEL.claimed, ({ claimed }) => claimed),
  money(SUM_LABEL.authorised, ({ authorised }) => authorised),
  money(SUM_LABEL.paid, ({ paid }) => paid),
  money(SUM_LABEL.debited, ({ debited }) => debited),
  money(SUM_LABEL.written_off, ({ written_off }) => written_off),
  money(SUM_LABEL.carried, ({ carried }) => carried),
  money(SUM_LABEL.open, ({ open_amount }) => open_amount),
  text('Próximo prazo', 22, ({ due_kind }) => due_kind && DUE_KIND[due_kind as DueKind]),
  text('Vence em', 12, ({ due_on }) => due_on?.split('-').reverse().join('/') ?? null),
]

const local = (column: string) =>
  sql<Date | null>`${sql.ref(column)} at time zone ${sql.lit(TIME_ZONE)} at time zone 'UTC'`

/** Moments in São Paulo as if they were UTC: spreadsheets have no time zones. */
function exported(ctx: Ctx, { ids, sort, direction, ...criteria }: Omit<ClaimExport, 'format'>) {
  let claims = matching(ctx, ids ? {} : criteria)
  if (ids) claims = claims.where('claims.id', 'in', ids)
  return claims
    .innerJoin('service_orders', 'service_orders.id', 'claims.order_id')
    .innerJoin('brands', 'brands.id', 'claims.brand_id')
    .innerJoin('companies', 'companies.id', 'claims.company_id')
    .select(['claims.n', 'os_number', 'claims.type', 'claims.state', 'claims.brand_number'])
    .select(['brands.display_name as brand', 'companies.trading_name as company'])
    .select(['customer_name', 'vehicle_chassis', 'claims.sent_at', 'claimed', 'authorised', 'paid'])
    .select(['debited', 'written_off', 'carried', 'open_amount', 'due_kind'])
    .select([local('claims.sent_at').as('sent'), local('claims.answered_at').as('answered')])
    .select(sql<string | null>`due_on::text`.as('due_on'))
    .orderBy(orderedBy(sortingOf({ sort, direction })))
}

/**
 * Exports the claims of a filter, or selected ones, as a CSV or XLSX stream. Records the export in the audit trail of
 * the person, without the words of a search, which may name a customer. The chassis is complete only with the
 * permission `customer.export`. 401 for an anonymous caller; 429 when two exports of the person or six of all are
 * running (try again after 30 s).
 */
export async function exportClaims(ctx: Ctx, wanted: ClaimExport, origin: Origin) {
  authorize(ctx.actor, 'claim.list')
  const { format, ...filter } = wanted
  const isWhole = seesListsWhole(ctx.actor)
  const rows = readByCursor(
    ctx,
    (ctx) => exported(ctx, filter),
    async (_, chunk) => (isWhole ? chunk : chunk.map((row) => masked(row))),
  )
  const now = ctx.clock()
  const sheet = { format, name: 'Solicitações', columns: columnsAt(now), rows }
  const body = await sheetStream(ctx, sheet, async () => {
    ctx.securityLog.note(ctx, { kind: 'claims.exported', details: { format } })
    const { search: _, ...criteria } = filter
    if (ctx.actor.kind === 'user')
      await recordEvent(ctx, {
        subject: 'user',
        subject_id: ctx.actor.id,
        kind: 'claims.exported',
        changes: { format, ...criteria },
        origin,
      })
  })
  return { filename: `solicitacoes-${calendarDay(now)}.${format}`, mime: EXPORT_MIME[format], body }
}
