import { HAS_SENT_CLAIM } from '@garantia/shared/claims/state'
import { conflict, forbidden, invalid } from '@garantia/shared/errors'
import { timeOfDay } from '@garantia/shared/format'
import { isUnderLegalHold, UNDER_LEGAL_HOLD } from '@garantia/shared/orders/hold'
import { RECORDED_FIELDS, recordedValues } from '@garantia/shared/orders/recorded'
import {
  OPENED_IN_FUTURE,
  type OrderChange,
  type OrderEdit,
  type OrderInput,
  type OrderView,
  type StatusChange,
} from '@garantia/shared/orders/schema'
import { CLOSED_ORDER, isClosed, isPaused } from '@garantia/shared/orders/status'
import { NOT_PAUSED } from '@garantia/shared/orders/transitions'
import { authorize, can } from '@garantia/shared/policy'
import { type Ctx, inTransaction } from '../../../kernel/context.ts'
import { violatedIndex } from '../../../kernel/database.ts'
import { differences, recordEvent } from '../../../kernel/events.ts'
import { findCompanyServing } from '../../catalogue/companies/service.ts'
import { notify } from '../../people/notifications/service.ts'
import { lockedOrder } from './access.ts'
import { noteOpened, takeKey } from './opening.ts'
import { pipelineOf, recompute, withdrawConversions } from './pipeline.ts'
import { hasSentClaim, lastChange, type OrderRow } from './queries.ts'
import { readMaskedOrder } from './reading.ts'
import { checkResponsible, namesOfResponsible, responsibleAfter } from './responsible.ts'
import { transitionOrder } from './status-transition.ts'
import { technicianNameFor, technicianOf } from './technician.ts'

export { lockedOrder, lockedOrders, missingOrder, visibleOrder } from './access.ts'
export { tellDeadlines } from './deadlines.ts'
export { withFiles } from './files.ts'
export { readHistory } from './history.ts'
export { forgetOldOpenings } from './opening.ts'
export { recompute, withdrawConversions } from './pipeline.ts'
export { findEarlierOrder, proposeNumber } from './prefill.ts'
export { presentRows } from './present.ts'
export { listedOrders, type OrderRow } from './queries.ts'
export { readOrder, readRows, readSheet, readTransitions, revealFields, viewOrder } from './reading.ts'
export { companiesSeenBy, listAssignees, NOT_HERE, namesOfPeople, readWorkload } from './responsible.ts'
export { listTechnicians } from './technician.ts'

/**
 * Opens an order and returns it. 422 when brand or company cannot be chosen, the company does not serve the
 * brand, the technician is not one of the company, or the responsible person may not see it; 403 outside the caller's permission; 409 when the
 * company has an order of this number. Sent again with the same `key` within 24 hours, it returns the order that the
 * first has opened; 422 when that was with other data, 409 when the order is gone.
 */
export function openOrder(ctx: Ctx, input: OrderInput, key?: string): Promise<OrderView> {
  return inTransaction(ctx, async (ctx) => {
    const created_by = ctx.actor.kind === 'user' ? ctx.actor.id : null
    const keyed = key !== undefined && created_by !== null
    const opened = keyed && (await takeKey(ctx, created_by, key, input))
    if (opened) return readMaskedOrder(ctx, opened)
    await checkBrand(ctx, input.brand_id)
    await checkCompany(ctx, input)
    authorize(ctx.actor, 'order.open', input)
    const technician_name = await technicianNameFor(ctx, input)
    await checkResponsible(ctx, input.responsible_user_id, input.company_id)
    const row = await ctx.db
      .insertInto('service_orders')
      .values({ ...input, technician_name, opened_at: ctx.clock(), created_by })
      .returning(['id', ...RECORDED_FIELDS])
      .executeTakeFirstOrThrow()
      .catch(translateTaken(input.os_number))
    const { id } = row
    if (keyed) await noteOpened(ctx, created_by, key, id)
    await recordEvent(ctx, {
      subject: 'order',
      subject_id: id,
      kind: 'opened',
      changes: recordedValues(row),
    })
    const assigned = [input.technician_user_id ?? null, input.responsible_user_id ?? null]
    await notify(ctx, assigned, { kind: 'order.assigned', order_id: id })
    return readMaskedOrder(ctx, id)
  })
}

const translateTaken = (os_number: string) => (error: unknown) => {
  if (violatedIndex(error) === 'service_orders_number')
    throw conflict(`Já existe uma OS ${os_number} nesta empresa.`)
  throw error
}

/**
 * Changes the given fields (D-04) and, with `status`, makes that transition with the same checks as
 * `setStatus`. 404 outside the caller's scope; 403 without permission; 409 when `version` is outdated, naming
 * the last editor (D-49), when fields of a closed order change, or when the transition is refused; 422 for
 * invalid combinations of values.
 */
export function changeOrder(ctx: Ctx, { id, version, change }: OrderEdit): Promise<OrderView> {
  const { status, reason, accepts_problems, ...fields } = change
  return inTransaction(ctx, async (ctx) => {
    const order = await lockedOrder(ctx, id)
    authorize(ctx.actor, 'order.change', order)
    if (version !== undefined && version !== order.version) throw await changedMeanwhile(ctx, order)
    const hasFieldChanges = Object.values(fields).some((value) => value !== undefined)
    if (isClosed(order.status) && (hasFieldChanges || !status)) throw conflict(CLOSED_ORDER)
    await changeFields(ctx, order, fields)
    // Permission was checked for the previous technician: assigning the order to another one must not refuse
    // the status change of the same request.
    const { technician_user_id } = order
    if (status)
      await transitionOrder(
        ctx,
        { ...(await lockedOrder(ctx, id)), technician_user_id },
        { status, reason, accepts_problems },
      )
    return readMaskedOrder(ctx, id)
  })
}

type Fields = Omit<OrderChange, 'status' | 'reason' | 'accepts_problems'>

async function changeFields(ctx: Ctx, order: OrderRow, { opened_at, ...fields }: Fields) {
  const { brand_id = order.brand_id, company_id = order.company_id } = fields
  // Before the technician: whether a person works for a company is for those to know who may open orders in it.
  if (brand_id !== order.brand_id || company_id !== order.company_id) {
    // The orders of a brand that was switched off go on: only the choice of such a brand is refused.
    if (brand_id !== order.brand_id) await checkBrand(ctx, brand_id)
    await checkCompany(ctx, { brand_id, company_id })
    authorize(ctx.actor, 'order.open', { company_id })
  }
  const next = {
    ...fields,
    ...(await technicianOf(ctx, order, fields)),
    responsible_user_id: await responsibleAfter(ctx, order, fields),
    ...(opened_at && { opened_at: new Date(opened_at) }),
  }
  const changes = differences<object>(order, next)
  if (!changes) return
  if (next.opened_at && 'opened_at' in changes) checkOpening(ctx, order, next.opened_at)
  const { responsible_user_id } = next
  if (responsible_user_id !== undefined)
    changes.responsible_name = await namesOfResponsible(ctx, order.responsible_user_id, responsible_user_id)
  await ctx.db
    .updateTable('service_orders')
    .set((eb) => ({ ...next, version: eb('version', '+', 1), updated_at: ctx.clock() }))
    .where('id', '=', order.id)
    .execute()
    .catch(translateTaken(order.os_number))
  await recordEvent(ctx, { subject: 'order', subject_id: order.id, kind: 'changed', changes })
  const assigned = (['technician_user_id', 'responsible_user_id'] as const)
    .filter((field) => field in changes)
    .map((field) => next[field] ?? null)
  await notify(ctx, assigned, { kind: 'order.assigned', order_id: order.id })
  await recompute(ctx, order.id)
}

function checkOpening(ctx: Ctx, order: OrderRow, opened_at: Date) {
  if (!can(ctx.actor, 'order.backdate', order))
    throw forbidden('Somente gestores e administradores podem alterar a data de abertura.')
  if (opened_at > ctx.clock()) throw invalid(OPENED_IN_FUTURE, 'opened_at')
}

async function changedMeanwhile(ctx: Ctx, order: OrderRow) {
  const last = await lastChange(ctx, order.id)
  const at = timeOfDay(last?.at ?? order.updated_at)
  return conflict(`Esta OS foi alterada por ${last?.actor_name ?? 'outra pessoa'} às ${at}`)
}

/**
 * Makes a transition requested by a person and returns the order. 404 outside the caller's scope; 403 or 409,
 * with the reason the status menu shows, when the transition is refused; 422 when reopening lacks a reason.
 */
export function setStatus(ctx: Ctx, id: number, change: StatusChange): Promise<OrderView> {
  return inTransaction(ctx, async (ctx) => {
    await transitionOrder(ctx, await lockedOrder(ctx, id), change)
    return readMaskedOrder(ctx, id)
  })
}

/**
 * Resumes a paused order with the status its files give it. 404 outside the caller's scope; 403 without
 * permission; 409 when it is not paused.
 */
export function resumeOrder(ctx: Ctx, id: number) {
  return inTransaction(ctx, async (ctx) => {
    const order = await lockedOrder(ctx, id)
    authorize(ctx.actor, 'order.status', order)
    if (!isPaused(order.status)) throw conflict(NOT_PAUSED)
    const { value } = await pipelineOf(ctx, order)
    await transitionOrder(ctx, order, { status: value })
  })
}

/**
 * Deletes an order and cancels its conversions. Rows and bytes stay in the bin for 30 days (D-17). 404
 * outside the caller's scope; 403 without permission; 409 under legal hold, or when a claim of it was ever sent: what
 * a brand has received stays on record.
 */
export function removeOrder(ctx: Ctx, id: number) {
  return inTransaction(ctx, async (ctx) => {
    const order = await lockedOrder(ctx, id)
    authorize(ctx.actor, 'order.delete', order)
    if (isUnderLegalHold(order)) throw conflict(UNDER_LEGAL_HOLD)
    if (await hasSentClaim(ctx, id)) throw conflict(HAS_SENT_CLAIM)
    await withdrawConversions(ctx, id)
    const now = ctx.clock()
    await ctx.db
      .updateTable('service_orders')
      .set((eb) => ({
        deleted_at: now,
        deleted_by: ctx.actor.kind === 'user' ? ctx.actor.id : null,
        version: eb('version', '+', 1),
        updated_at: now,
      }))
      .where('id', '=', id)
      .execute()
    await recordEvent(ctx, {
      subject: 'order',
      subject_id: id,
      kind: 'removed',
      changes: { os_number: order.os_number, status: order.status },
    })
    return { message: 'Ordem de serviço excluída com sucesso.' }
  })
}

async function checkBrand(ctx: Ctx, brand_id: number) {
  const brand = await ctx.db
    .selectFrom('brands')
    .where('id', '=', brand_id)
    .select('is_active')
    .executeTakeFirst()
  if (!brand?.is_active) throw invalid('Selecione uma marca', 'brand_id')
}

async function checkCompany(ctx: Ctx, { brand_id, company_id }: Pick<OrderInput, 'brand_id' | 'company_id'>) {
  const company = await findCompanyServing(ctx, company_id, brand_id)
  if (!company) throw invalid('Selecione uma empresa', 'company_id')
  if (!company.serves_brand) throw invalid('Esta empresa não atende a marca escolhida', 'company_id')
}
