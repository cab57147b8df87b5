import { accountRouter } from '../features/account/router.ts'
import { authRouter } from '../features/auth/router.ts'
import { brandsRouter } from '../features/brands/router.ts'
import { companiesRouter } from '../features/companies/router.ts'
import { conversionRouter } from '../features/conversion/router.ts'
import { dossierRouter } from '../features/dossier/router.ts'
import { evidenceRouter } from '../features/evidence/router.ts'
import { liveRouter } from '../features/live/router.ts'
import { mailRouter } from '../features/mail/router.ts'
import { ordersRouter } from '../features/orders/router.ts'
import { retentionRouter } from '../features/retention/router.ts'
import { usersRouter } from '../features/users/router.ts'
import { router } from './trpc.ts'

export const appRouter = router({
  auth: authRouter,
  account: accountRouter,
  users: usersRouter,
  mail: mailRouter,
  companies: companiesRouter,
  brands: brandsRouter,
  orders: ordersRouter,
  evidence: evidenceRouter,
  conversion: conversionRouter,
  dossier: dossierRouter,
  live: liveRouter,
  retention: retentionRouter,
})
export type AppRouter = typeof appRouter
