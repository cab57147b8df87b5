import { reportPeriod } from '@garantia/shared/orders/report'
import { router, signedIn } from '../../../http/trpc.ts'
import { readMonthlyReport } from './service.ts'

export const reportsRouter = router({
  monthly: signedIn.input(reportPeriod).query(({ ctx: { ctx }, input }) => readMonthlyReport(ctx, input)),
})
