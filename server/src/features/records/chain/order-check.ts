import type { ServiceOrders } from '@garantia/migrations/schema'
import { CUSTOMER_FIELDS } from '@garantia/shared/orders/masking'
import {
  ANONYMISED_TEXTS,
  RECORDED_FIELDS,
  RECORDED_LABEL,
  RECORDING_EVENTS,
  type RecordedField,
} from '@garantia/shared/orders/recorded'
import { type Selectable, sql } from 'kysely'
import type { Ctx } from '../../../kernel/context.ts'
import { type ChainFault, faultOf } from './fault.ts'

const PAGE = 500
const KINDS = [...RECORDING_EVENTS, 'changed', 'status', 'held', 'released', 'removed', 'anonymised']

interface RecordedEvent {
  seq: number
  at: string
  kind: string
  changes: Record<string, unknown>
}
interface Row extends Pick<Selectable<ServiceOrders>, 'id' | 'deleted_at' | RecordedField> {
  events: RecordedEvent[]
}

/**
 * Compares the values of the orders, or of one, with the last event about each of them, and names what differs. An order
 * that waits to be recorded after an update is not compared.
 */
export async function verifyOrderValues(ctx: Ctx, only?: number): Promise<ChainFault[]> {
  const faults: ChainFault[] = []
  const people = new Set((await ctx.db.selectFrom('users').select('id').execute()).map(({ id }) => id))
  let last = only === undefined ? 0 : only - 1
  for (;;) {
    const rows = await pageAfter(ctx, last, only)
    for (const row of rows) faults.push(...orderFaults(row, people))
    last = rows.at(-1)?.id ?? last
    if (rows.length < PAGE) return faults
  }
}

/** One statement, so that orders and events are of one moment. */
async function pageAfter(ctx: Ctx, id: number, only: number | undefined) {
  const { rows } = await sql<Row>`
    select id, deleted_at, ${sql.join(RECORDED_FIELDS.map((field) => sql.ref(field)))},
      (select coalesce(json_agg(json_build_object('seq', seq, 'at', at, 'kind', kind, 'changes', changes) order by seq), '[]')
        from events where subject = 'order' and subject_id = o.id and kind = any(${KINDS})) as events
    from service_orders o
    where id > ${id} ${only === undefined ? sql`` : sql`and id = ${only}`} order by id limit ${PAGE}`.execute(
    ctx.db,
  )
  return rows
}

type Field = RecordedField | 'is_deleted'
/** What is known of each field, and by which event. */
type Known = Map<Field, { value: unknown; event: RecordedEvent }>

function orderFaults({ id, deleted_at, events, ...row }: Row, people: ReadonlySet<number>): ChainFault[] {
  const known: Known = new Map()
  const first = events.findIndex(isWhole)
  for (const event of first < 0 ? [] : events.slice(first)) learn(known, event)
  const fault = ({ seq, at }: RecordedEvent, problem: string) =>
    faultOf({ subject: 'order', subject_id: id }, seq, new Date(at), problem)
  return [...known].flatMap(([field, { value, event }]) => {
    if (field === 'is_deleted')
      return value === (deleted_at !== null)
        ? []
        : [
            fault(
              event,
              `depois deste evento a OS foi ${value ? 'restaurada' : 'excluída'}, sem evento que o diga`,
            ),
          ]
    const now = row[field]
    if (isSame(field, value, now) || (now === null && isGone(field, value, people))) return []
    return [
      fault(
        event,
        `depois deste evento mudou «${RECORDED_LABEL[field]}» de ${said(value)} para ${said(now)}, sem evento que o diga`,
      ),
    ]
  })
}

/** The version before recorded the number alone. */
const isWhole = ({ kind, changes }: RecordedEvent) => RECORDING_EVENTS.includes(kind) && 'brand_id' in changes

function learn(known: Known, event: RecordedEvent) {
  const { kind, changes } = event
  const know = (field: Field, value: unknown) =>
    // A value that was removed from the trail is not known any more.
    value === REMOVED ? known.delete(field) : known.set(field, { value, event })
  if (kind === 'removed') return know('is_deleted', true)
  if (kind === 'anonymised') return forgetCustomer(known, event)
  const whole = isWhole(event)
  if (whole) know('is_deleted', false)
  for (const field of RECORDED_FIELDS) {
    const value = changes[field]
    if (Array.isArray(value)) know(field, value[1])
    else if (whole) know(field, value ?? null)
  }
}
const REMOVED = 'removido'

/** The pseudonym is recorded; of texts that named the customer, the trail says no more. */
function forgetCustomer(known: Known, event: RecordedEvent) {
  for (const field of ANONYMISED_TEXTS) known.delete(field)
  for (const field of CUSTOMER_FIELDS) known.set(field, { value: null, event })
  const { pseudonym } = event.changes
  if (typeof pseudonym === 'string') known.set('customer_name', { value: pseudonym, event })
  else known.delete('customer_name')
}

/** Whoever a field named has been deleted since, which empties it. */
const isGone = (field: RecordedField, value: unknown, people: ReadonlySet<number>) =>
  field.endsWith('_user_id') && typeof value === 'number' && !people.has(value)

const isSame = (field: RecordedField, value: unknown, now: unknown) =>
  plain(field, value ?? null) === plain(field, now)
/** As the database keeps it: moments in milliseconds, amounts in cents. */
function plain(field: RecordedField, value: unknown) {
  if (field === 'opened_at') return new Date(value as string | Date).getTime()
  return field.endsWith('_value') && typeof value === 'number' ? Math.round(value * 100) : value
}

const LONGEST = 60
const said = (value: unknown) => {
  const text = value instanceof Date ? value.toISOString() : String(value ?? 'vazio')
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text
}
