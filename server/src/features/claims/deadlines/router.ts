import { deadlineFilter } from '@garantia/shared/claims/deadlines'
import {
  defectLink,
  defectRefusal,
  defectUnlink,
  visitChange,
  visitFactInput,
} from '@garantia/shared/claims/visits'
import { id } from '@garantia/shared/fields'
import { z } from 'zod'
import { router, signedIn } from '../../../http/trpc.ts'
import {
  addFact,
  changeVisit,
  countDeadlines,
  linkVisits,
  listDeadlines,
  newCalendar,
  readCalendar,
  readLegalClock,
  refuseVisit,
  revokeCalendar,
  unlinkVisit,
} from './service.ts'

export const deadlinesRouter = router({
  page: signedIn.input(deadlineFilter).query(({ ctx: { ctx }, input }) => listDeadlines(ctx, input)),
  counts: signedIn.query(({ ctx: { ctx } }) => countDeadlines(ctx)),
  legalClock: signedIn
    .input(z.object({ order_id: id }))
    .query(({ ctx: { ctx }, input }) => readLegalClock(ctx, input.order_id)),
  link: signedIn.input(defectLink).mutation(({ ctx: { ctx }, input }) => linkVisits(ctx, input)),
  unlink: signedIn
    .input(defectUnlink)
    .mutation(({ ctx: { ctx }, input }) => unlinkVisit(ctx, input.order_id)),
  refuse: signedIn.input(defectRefusal).mutation(({ ctx: { ctx }, input }) => refuseVisit(ctx, input)),
  changeVisit: signedIn.input(visitChange).mutation(({ ctx: { ctx }, input }) => changeVisit(ctx, input)),
  addFact: signedIn.input(visitFactInput).mutation(({ ctx: { ctx }, input }) => addFact(ctx, input)),
  calendar: signedIn.query(({ ctx: { ctx } }) => readCalendar(ctx)),
  newCalendar: signedIn.mutation(({ ctx: { ctx } }) => newCalendar(ctx)),
  revokeCalendar: signedIn.mutation(({ ctx: { ctx } }) => revokeCalendar(ctx)),
})
