import type { ServiceOrders } from '@garantia/migrations/schema'
import type { HistoryFilter } from '@garantia/shared/orders/history'
import type { ConversionProgress, OrderView } from '@garantia/shared/orders/schema'
import type { FileCounts } from '@garantia/shared/orders/status'
import { type Selectable, sql } from 'kysely'
import type { Ctx } from '../../../kernel/context.ts'
import { calledAs } from '../../../kernel/person.ts'
import { prepared } from '../../../kernel/prepared.ts'
import { type Seen, seenBy, within } from '../../../kernel/scope.ts'

export type OrderRow = Selectable<ServiceOrders>

/** Orders in a scope that are not deleted (D-39). */
export const visibleOrders = ({ db, scope }: Seen) =>
  db
    .selectFrom('service_orders')
    .where('service_orders.deleted_at', 'is', null)
    .where(within(scope, 'service_orders.company_id'))

/** A query for one visible order. */
export const findOrder = (ctx: Ctx, id: number) =>
  visibleOrders(seenBy(ctx)).where('service_orders.id', '=', id).selectAll('service_orders')

/** What a new order may take from the newest one of the chassis. */
export const newestOfChassis = (ctx: Ctx, chassis: string) =>
  visibleOrders(seenBy(ctx))
    .where('vehicle_chassis', '=', chassis)
    .orderBy('opened_at', 'desc')
    .orderBy('service_orders.id', 'desc')
    .select(['service_orders.id', 'os_number', 'opened_at', 'brand_id', 'vehicle_model', 'vehicle_year'])
    .select(['vehicle_color', 'vehicle_plate', 'customer_name', 'customer_phone', 'customer_email'])
    .select(['customer_document', 'company_id', 'created_by', 'technician_user_id'])
    .limit(1)
    .executeTakeFirst()

/** Counted only while a conversion is in progress, when it is shown (D-07). */
const progress = sql<ConversionProgress | null>`
  case when service_orders.conversion_status = 'in_progress' then (
    select json_build_object(
      'converted', count(*) filter (where status = 'converted'),
      'total', count(*),
      'is_running', coalesce(bool_or(status = 'converting'), false))
    from evidence_files where order_id = service_orders.id and deleted_at is null) end`

/** The newest claim of an order. Claims are a feature above. */
const newestClaim = sql<OrderView['claim']>`(
  select json_build_object('id', id, 'n', n, 'state', state, 'due_on', due_on, 'due_kind', due_kind)
  from claims where order_id = service_orders.id and deleted_at is null order by n desc limit 1)`

interface LinkedVisit {
  from: string
  until: string | null
}
/** The visits that count with the order's own, if it is linked or has dates of its own; all are of its company. */
const linkedVisits = sql<LinkedVisit[] | null>`(
  select json_agg(json_build_object('from', coalesce(visit.arrived_at, other.opened_at),
    'until', coalesce(visit.repaired_at, other.completed_at, other.cancelled_at)))
  from defect_visits own join defect_visits visit on visit.group_id = own.group_id
    join service_orders other on other.id = visit.order_id and other.deleted_at is null
      and other.company_id = service_orders.company_id
  where own.order_id = service_orders.id)`

/** Columns that a row of the list shows. */
const LISTED = [
  ...(['id', 'os_number', 'brand_id', 'company_id', 'status', 'conversion_status', 'opened_at'] as const),
  ...(['completed_at', 'cancelled_at', 'legal_hold_at'] as const),
  ...(['vehicle_model', 'vehicle_year', 'vehicle_plate'] as const),
  ...([
    'vehicle_chassis',
    'customer_name',
    'customer_phone',
    'customer_document',
    'technician_name',
  ] as const),
  ...(['technician_user_id', 'responsible_user_id', 'created_by', 'total_value'] as const),
]
/** Columns of the order's own page besides these. */
const SHOWN = [
  ...(['version', 'vehicle_color', 'vehicle_mileage', 'vehicle_value', 'customer_email'] as const),
  ...(['problem_description', 'diagnosis', 'solution_applied', 'parts_replaced'] as const),
  ...(['service_value', 'parts_value'] as const),
]
interface Named {
  display_name: string
  trading_name: string
  legal_name: string
  responsible_name: string | null
  conversion_progress: ConversionProgress | null
  federal_state: string | null
  claim: OrderView['claim']
  linked_visits: LinkedVisit[] | null
}
export type ListedRow = Pick<OrderRow, (typeof LISTED)[number]> & Named
export type ShownRow = ListedRow & Pick<OrderRow, (typeof SHOWN)[number]>

const of = <Column extends keyof OrderRow>(columns: readonly Column[]) =>
  columns.map((column) => `service_orders.${column}` as const)
/** Visible orders as rows of the list. */
export const listedOrders = (seen: Seen) =>
  visibleOrders(seen)
    .innerJoin('brands', 'brands.id', 'service_orders.brand_id')
    .innerJoin('companies', 'companies.id', 'service_orders.company_id')
    .leftJoin('users as responsible', 'responsible.id', 'service_orders.responsible_user_id')
    .select(of(LISTED))
    .select(['brands.display_name', 'companies.trading_name', 'companies.legal_name'])
    .select(calledAs('responsible').as('responsible_name'))
    .select(progress.as('conversion_progress'))
    .select(['companies.state as federal_state'])
    .select([newestClaim.as('claim'), linkedVisits.as('linked_visits')])

/** A visible order with what its page shows. */
export const shownOrder = prepared(
  (db, { id, companies }: { id: number; companies: readonly number[] | undefined }) =>
    listedOrders({ db, scope: companies ?? 'all' })
      .select(of(SHOWN))
      .where('service_orders.id', '=', id),
)

/** A query for the files of an order that are not deleted, with the columns that package checks read. */
export const checkedFiles = (ctx: Ctx, order_id: number) =>
  ctx.db
    .selectFrom('evidence_files')
    .where('order_id', '=', order_id)
    .where('deleted_at', 'is', null)
    .select([
      'id',
      'file_type',
      'status',
      'evidence_category',
      'converted_key',
      'converted_size',
      'converted_format',
      'duration_seconds',
    ])
export const filesToCheck = (ctx: Ctx, order_id: number) => checkedFiles(ctx, order_id).execute()
export type CheckedFileRow = Awaited<ReturnType<typeof filesToCheck>>[number]

/** How many files of an order, not deleted, are in each state. */
export async function countFiles(ctx: Ctx, order_id: number): Promise<FileCounts> {
  const rows = await filesByStatus(ctx.db, { order_id })
  const counts: FileCounts = { pending: 0, converting: 0, converted: 0, failed: 0 }
  for (const { status, files } of rows) counts[status] = files
  return counts
}

const filesByStatus = prepared((db, { order_id }: { order_id: number }) =>
  db
    .selectFrom('evidence_files')
    .where('order_id', '=', order_id)
    .where('deleted_at', 'is', null)
    .groupBy('status')
    .select((eb) => ['status', eb.fn.countAll<number>().as('files')]),
)

const eventsOf = (ctx: Ctx, order_id: number) =>
  ctx.db
    .selectFrom('events')
    .where('subject', '=', 'order')
    .where('subject_id', '=', order_id)
    .orderBy('id', 'desc')

/** The newest events of an order, with an id below `before` if given. */
export const eventsBefore = (ctx: Ctx, { id, before }: HistoryFilter, limit: number) =>
  eventsOf(ctx, id)
    .$if(before !== undefined, (query) => query.where('id', '<', before ?? 0))
    .select(['id', 'kind', 'at', 'actor_name', 'changes'])
    .limit(limit)
    .execute()

/** Who changed the order last and when; changes made by the system do not count (D-49). */
export const lastChange = (ctx: Ctx, order_id: number) =>
  eventsOf(ctx, order_id)
    .where('kind', 'in', ['changed', 'status'])
    .where('actor_user_id', 'is not', null)
    .select(['actor_name', 'at'])
    .limit(1)
    .executeTakeFirst()

/** Whether a claim of the order was ever sent to the brand, withdrawn since or not. Claims are a feature above. */
export const hasSentClaim = async (ctx: Ctx, order_id: number) =>
  (await ctx.db
    .selectFrom('claims')
    .where('order_id', '=', order_id)
    .where('sent_at', 'is not', null)
    .select('id')
    .limit(1)
    .executeTakeFirst()) !== undefined
