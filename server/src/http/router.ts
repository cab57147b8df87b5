import { accountRouter } from '../features/account/router.ts'
import { auditRouter } from '../features/audit/router.ts'
import { authRouter } from '../features/auth/router.ts'
import { brandsRouter } from '../features/brands/router.ts'
import { companiesRouter } from '../features/companies/router.ts'
import { conversionRouter } from '../features/conversion/router.ts'
import { dashboardRouter } from '../features/dashboard/router.ts'
import { demoRouter } from '../features/demo/router.ts'
import { dossierRouter } from '../features/dossier/router.ts'
import { evidenceRouter } from '../features/evidence/router.ts'
import { firstStepsRouter } from '../features/first-steps/router.ts'
import { liveRouter } from '../features/live/router.ts'
import { mailRouter } from '../features/mail/router.ts'
import { orderListRouter } from '../features/order-list/router.ts'
import { orderViewsRouter } from '../features/order-views/router.ts'
import { ordersRouter } from '../features/orders/router.ts'
import { retentionRouter } from '../features/retention/router.ts'
import { tokensRouter } from '../features/tokens/router.ts'
import { usersRouter } from '../features/users/router.ts'
import { router } from './trpc.ts'

export const appRouter = router({
  auth: authRouter,
  account: accountRouter,
  tokens: tokensRouter,
  users: usersRouter,
  mail: mailRouter,
  audit: auditRouter,
  companies: companiesRouter,
  brands: brandsRouter,
  orders: ordersRouter,
  orderList: orderListRouter,
  orderViews: orderViewsRouter,
  dashboard: dashboardRouter,
  evidence: evidenceRouter,
  conversion: conversionRouter,
  demo: demoRouter,
  dossier: dossierRouter,
  firstSteps: firstStepsRouter,
  live: liveRouter,
  retention: retentionRouter,
})
export type AppRouter = typeof appRouter
