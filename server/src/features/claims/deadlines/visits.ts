import { isSimilarDefect, legalClock, zoneOf } from '@garantia/shared/claims/legal-clock'
import {
  type DefectLink,
  type DefectRefusal,
  type LegalClockView,
  VISIT_FACT,
  type VisitChange,
  type VisitFactInput,
} from '@garantia/shared/claims/visits'
import { conflict, invalid } from '@garantia/shared/errors'
import { authorize, authorizeSome } from '@garantia/shared/policy'
import { type Ctx, inTransaction } from '../../../kernel/context.ts'
import { differences, recordEvent, recordEvents } from '../../../kernel/events.ts'
import { lockedOrder, lockedOrders, missingOrder, visibleOrder } from '../../orders/order/service.ts'
import { noteDueOfOrder } from '../claim/service.ts'
import { factsOf, otherVisits, type VisitRow, visitOf, visitsWith } from './queries.ts'

/** Not the customer's words, which would stay when the order is removed. */
const UNTITLED = 'Mesmo defeito'
const PROPOSED_MAX = 10

type ShownVisit = Pick<VisitRow, 'order_id' | 'os_number' | 'from' | 'until' | 'problem_description'>
const presentVisit = (now: Date, zone: string) => (visit: ShownVisit) => ({
  order_id: visit.order_id,
  os_number: visit.os_number,
  from: visit.from.toISOString(),
  until: visit.until?.toISOString() ?? null,
  days: legalClock([visit], now, zone).days,
  problem_description: visit.problem_description,
})

/**
 * How an order's defect stands to the legal limit, over all visits of its group; an order without a group is the only
 * visit. Proposes other visits of the vehicle with a similar description. 404 outside the caller's scope.
 */
export async function readLegalClock(ctx: Ctx, order_id: number): Promise<LegalClockView> {
  const order = await visibleOrder(ctx, order_id)
  const visits = await visitsWith(ctx, order_id)
  const own = visits.find((visit) => visit.order_id === order_id)
  const group_id = own?.group_id ?? null
  const zone = zoneOf(own?.federal_state ?? null)
  const clock = legalClock(visits, ctx.clock(), zone)
  const present = presentVisit(ctx.clock(), zone)
  const others = order.vehicle_chassis ? await otherVisits(ctx, order, group_id) : []
  return {
    ...clock,
    group_id,
    title: own?.title ?? null,
    visits: visits.map(present),
    proposed: others
      .filter((other) => isSimilarDefect(order.problem_description, other.problem_description))
      .slice(0, PROPOSED_MAX)
      .map(present),
    facts: await factsOf(
      ctx,
      visits.map((visit) => visit.order_id),
    ),
  }
}

/** Both orders, locked in the order of their ids. 404 when one is outside the caller's scope; 422 for the same twice. */
async function lockedPair(ctx: Ctx, order_id: number, with_order_id: number) {
  if (order_id === with_order_id) throw invalid('Escolha outra OS', 'with_order_id')
  const orders = await lockedOrders(ctx, [order_id, with_order_id])
  const [order, other] = [orders.get(order_id), orders.get(with_order_id)]
  if (!order) throw await missingOrder(ctx, order_id)
  authorize(ctx.actor, 'visit.change', order)
  if (!other) throw await missingOrder(ctx, with_order_id)
  return { order, other }
}

const newGroup = async (ctx: Ctx, company_id: number, title: string) => {
  const { id } = await ctx.db
    .insertInto('defect_groups')
    .values({ company_id, title, actor_name: nameOf(ctx), created_at: ctx.clock() })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
const nameOf = ({ actor }: Ctx) => (actor.kind === 'user' ? actor.name : 'Sistema')
/**
 * Makes an order a visit for the same defect as another one of the vehicle, with all that either is linked to. 403
 * without permission; 404 outside the caller's scope; 409 when they are linked already; 422 when the vehicle or the
 * company is another one.
 */
export function linkVisits(
  ctx: Ctx,
  { order_id, with_order_id, title }: DefectLink,
): Promise<LegalClockView> {
  authorizeSome(ctx.actor, 'visit.change')
  return inTransaction(ctx, async (ctx) => {
    const { order, other } = await lockedPair(ctx, order_id, with_order_id)
    if (order.company_id !== other.company_id)
      throw invalid('Só visitas à mesma empresa se somam', 'with_order_id')
    if (!order.vehicle_chassis || order.vehicle_chassis !== other.vehicle_chassis)
      throw invalid('As duas OS devem ter o mesmo chassi', 'with_order_id')
    const [own, theirs] = [await visitOf(ctx, order_id), await visitOf(ctx, with_order_id)]
    if (own && own.group_id === theirs?.group_id) throw conflict('As duas OS já estão ligadas')
    const group_id =
      theirs?.group_id ?? own?.group_id ?? (await newGroup(ctx, order.company_id, title || UNTITLED))
    if (own && own.group_id !== group_id) await moveVisits(ctx, own.group_id, group_id)
    const added = [...(own ? [] : [order_id]), ...(theirs ? [] : [with_order_id])]
    if (added.length > 0)
      await ctx.db
        .insertInto('defect_visits')
        .values(
          added.map((id) => ({ order_id: id, group_id, actor_name: nameOf(ctx), created_at: ctx.clock() })),
        )
        .execute()
    if (title) await ctx.db.updateTable('defect_groups').set({ title }).where('id', '=', group_id).execute()
    await recordEvents(ctx, [
      {
        subject: 'order',
        subject_id: order_id,
        kind: 'defect.linked',
        changes: { linked_order: other.os_number },
      },
      {
        subject: 'order',
        subject_id: with_order_id,
        kind: 'defect.linked',
        changes: { linked_order: order.os_number },
      },
    ])
    return readLegalClock(ctx, order_id)
  })
}

async function moveVisits(ctx: Ctx, from: number, group_id: number) {
  await ctx.db.updateTable('defect_visits').set({ group_id }).where('group_id', '=', from).execute()
  await ctx.db.deleteFrom('defect_groups').where('id', '=', from).execute()
}

/**
 * Takes an order out of its group: its visit counts alone, with the dates it has. 403 without permission; 404 outside
 * the caller's scope; 409 when it is linked to no other.
 */
export function unlinkVisit(ctx: Ctx, order_id: number): Promise<LegalClockView> {
  authorizeSome(ctx.actor, 'visit.change')
  return inTransaction(ctx, async (ctx) => {
    const order = await lockedOrder(ctx, order_id)
    authorize(ctx.actor, 'visit.change', order)
    const visits = await visitsWith(ctx, order_id)
    const own = await visitOf(ctx, order_id)
    if (!own || visits.length < 2) throw conflict('Esta OS não está ligada a outra')
    const group_id = await newGroup(ctx, order.company_id, UNTITLED)
    await ctx.db.updateTable('defect_visits').set({ group_id }).where('order_id', '=', order_id).execute()
    await recordEvent(ctx, {
      subject: 'order',
      subject_id: order_id,
      kind: 'defect.unlinked',
      changes: {
        linked_order: visits.filter((one) => one.order_id !== order_id).map(({ os_number }) => os_number),
      },
    })
    return readLegalClock(ctx, order_id)
  })
}

/**
 * Says that a proposed visit is for another defect, so that it is not proposed again. Safe to repeat. 403 without
 * permission; 404 outside the caller's scope; 409 when the two are linked.
 */
export function refuseVisit(ctx: Ctx, { order_id, with_order_id }: DefectRefusal): Promise<LegalClockView> {
  authorizeSome(ctx.actor, 'visit.change')
  return inTransaction(ctx, async (ctx) => {
    await lockedPair(ctx, order_id, with_order_id)
    const [own, theirs] = [await visitOf(ctx, order_id), await visitOf(ctx, with_order_id)]
    if (own && own.group_id === theirs?.group_id) throw conflict('As duas OS estão ligadas: separe-as antes')
    await ctx.db
      .insertInto('defect_refusals')
      .values({
        order_id: Math.min(order_id, with_order_id),
        with_order_id: Math.max(order_id, with_order_id),
        actor_name: nameOf(ctx),
        created_at: ctx.clock(),
      })
      .onConflict((conflict) => conflict.columns(['order_id', 'with_order_id']).doNothing())
      .execute()
    return readLegalClock(ctx, order_id)
  })
}

/**
 * Changes when a vehicle came and when it was effectively repaired; null is the order's own date again. Also for a
 * closed order: the law counts what happened. 403 without permission; 404 outside the caller's scope; 422 for a day to
 * come, or a repair before the arrival.
 */
export function changeVisit(ctx: Ctx, { order_id, ...change }: VisitChange): Promise<LegalClockView> {
  authorizeSome(ctx.actor, 'visit.change')
  return inTransaction(ctx, async (ctx) => {
    const order = await lockedOrder(ctx, order_id)
    authorize(ctx.actor, 'visit.change', order)
    const before = await visitOf(ctx, order_id)
    const dates = datesOf(before ?? { arrived_at: null, repaired_at: null })
    const next = { ...dates, ...datesIn(change) }
    const now = ctx.clock().toISOString()
    for (const field of ['arrived_at', 'repaired_at'] as const)
      if ((next[field] ?? '') > now) throw invalid('A data não pode estar no futuro', field)
    const arrived = next.arrived_at ?? order.opened_at.toISOString()
    if (next.repaired_at && next.repaired_at < arrived)
      throw invalid('O reparo não pode vir antes da chegada', 'repaired_at')
    const changes = differences(dates, next)
    if (!changes) return readLegalClock(ctx, order_id)
    const group_id = before?.group_id ?? (await newGroup(ctx, order.company_id, UNTITLED))
    await ctx.db
      .insertInto('defect_visits')
      .values({ order_id, group_id, ...next, actor_name: nameOf(ctx), created_at: ctx.clock() })
      .onConflict((conflict) => conflict.column('order_id').doUpdateSet(next))
      .execute()
    await recordEvent(ctx, { subject: 'order', subject_id: order_id, kind: 'visit.changed', changes })
    await noteDueOfOrder(ctx, order_id)
    return readLegalClock(ctx, order_id)
  })
}

interface Dates {
  arrived_at: string | null
  repaired_at: string | null
}
const datesOf = ({
  arrived_at,
  repaired_at,
}: {
  arrived_at: Date | null
  repaired_at: Date | null
}): Dates => ({
  arrived_at: arrived_at?.toISOString() ?? null,
  repaired_at: repaired_at?.toISOString() ?? null,
})
/** Given dates as UTC, so that they can be compared. */
const datesIn = (change: Omit<VisitChange, 'order_id'>): Partial<Dates> =>
  Object.fromEntries(
    Object.entries(change)
      .filter(([, value]) => value !== undefined)
      .map(([field, value]) => [field, value && new Date(value).toISOString()]),
  )

/**
 * Puts on record that the vehicle waits for a part, or that the customer has a loan car; the same fact of the same first
 * day again sets its end and its note. Stops no limit. 403 without permission; 404 outside the caller's scope.
 */
export function addFact(ctx: Ctx, { order_id, ...fact }: VisitFactInput): Promise<LegalClockView> {
  authorizeSome(ctx.actor, 'visit.change')
  return inTransaction(ctx, async (ctx) => {
    const order = await lockedOrder(ctx, order_id)
    authorize(ctx.actor, 'visit.change', order)
    const { kind, from_on, until_on = null, note = null } = fact
    const ended = await ctx.db
      .updateTable('visit_facts')
      .set({ until_on, ...(fact.note !== undefined && { note }), actor_name: nameOf(ctx) })
      .where('order_id', '=', order_id)
      .where('kind', '=', kind)
      .where('from_on', '=', from_on as unknown as Date)
      .returning('id')
      .execute()
    if (ended.length === 0)
      await ctx.db
        .insertInto('visit_facts')
        .values({ order_id, kind, from_on, until_on, note, actor_name: nameOf(ctx), created_at: ctx.clock() })
        .execute()
    await recordEvent(ctx, {
      subject: 'order',
      subject_id: order_id,
      kind: 'visit.changed',
      changes: { visit_fact: VISIT_FACT[kind], from_on, until_on },
    })
    return readLegalClock(ctx, order_id)
  })
}
