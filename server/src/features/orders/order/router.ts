import { byId, id } from '@garantia/shared/fields'
import { assigneesOf } from '@garantia/shared/orders/assignment'
import type { ShownOrder } from '@garantia/shared/orders/conversion-badge'
import { historyFilter } from '@garantia/shared/orders/history'
import { revealedFields } from '@garantia/shared/orders/masking'
import { idempotencyKey } from '@garantia/shared/orders/opening'
import { chassisQuestion } from '@garantia/shared/orders/prefill'
import { REASON_TO_ACCEPT, saysWhyAccepted } from '@garantia/shared/orders/problems'
import { type OrderView, orderEdit, orderInput, statusChange } from '@garantia/shared/orders/schema'
import { orderSheet } from '@garantia/shared/orders/sheet'
import { z } from 'zod'
import { router, signedIn } from '../../../http/trpc.ts'
import type { Ctx } from '../../../kernel/context.ts'
import {
  changeOrder,
  findEarlierOrder,
  listAssignees,
  listTechnicians,
  openOrder,
  proposeNumber,
  readHistory,
  readSheet,
  removeOrder,
  revealFields,
  setStatus,
  viewOrder,
  withFiles,
} from './service.ts'

const withReason = { path: ['reason'], error: REASON_TO_ACCEPT }
const ownStatus = byId.extend(statusChange.shape).refine(saysWhyAccepted, withReason)
const ownEdit = orderEdit.refine(({ change }) => saysWhyAccepted(change), {
  ...withReason,
  path: ['change', 'reason'],
})

/** With what its screens say about the files. */
async function shown(ctx: Ctx, order: Promise<OrderView>) {
  const [one] = await withFiles(ctx, [await order])
  return one as ShownOrder
}

export const ordersRouter = router({
  one: signedIn
    .input(byId.extend({ is_kept: z.boolean().optional() }))
    .query(({ ctx: { ctx }, input: { id, is_kept } }) => shown(ctx, viewOrder(ctx, id, is_kept))),
  open: signedIn
    .input(orderInput.extend({ idempotency_key: idempotencyKey }))
    .mutation(({ ctx: { ctx }, input: { idempotency_key, ...input } }) =>
      shown(ctx, openOrder(ctx, input, idempotency_key)),
    ),
  change: signedIn.input(ownEdit).mutation(({ ctx: { ctx }, input }) => shown(ctx, changeOrder(ctx, input))),
  setStatus: signedIn
    .input(ownStatus)
    .mutation(({ ctx: { ctx }, input: { id, ...change } }) => shown(ctx, setStatus(ctx, id, change))),
  remove: signedIn.input(byId).mutation(({ ctx: { ctx }, input }) => removeOrder(ctx, input.id)),
  reveal: signedIn.input(revealedFields).mutation(({ ctx: { ctx }, input }) => revealFields(ctx, input)),
  sheet: signedIn.input(orderSheet).query(({ ctx: { ctx }, input }) => readSheet(ctx, input)),
  history: signedIn.input(historyFilter).query(({ ctx: { ctx }, input }) => readHistory(ctx, input)),
  earlier: signedIn
    .input(chassisQuestion)
    .query(({ ctx: { ctx }, input }) => findEarlierOrder(ctx, input.chassis)),
  nextNumber: signedIn
    .input(z.object({ company_id: id }))
    .query(({ ctx: { ctx }, input }) => proposeNumber(ctx, input.company_id)),
  technicians: signedIn
    .input(z.object({ company_id: id }))
    .query(({ ctx: { ctx }, input }) => listTechnicians(ctx, input.company_id)),
  assignees: signedIn
    .input(assigneesOf)
    .query(({ ctx: { ctx }, input }) => listAssignees(ctx, input.company_ids)),
})
