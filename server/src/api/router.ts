import { brandsRouter } from '../features/catalogue/brands/router.ts'
import { companiesRouter } from '../features/catalogue/companies/router.ts'
import { claimsRouter } from '../features/claims/claim/router.ts'
import { deadlinesRouter } from '../features/claims/deadlines/router.ts'
import { claimEntriesRouter } from '../features/claims/entries/router.ts'
import { claimListRouter } from '../features/claims/list/router.ts'
import { partsRouter } from '../features/claims/parts/router.ts'
import { reasonsRouter } from '../features/claims/reasons/router.ts'
import { remittancesRouter } from '../features/claims/remittances/router.ts'
import { claimReportsRouter } from '../features/claims/reports/router.ts'
import { archivesRouter } from '../features/evidence/archives/router.ts'
import { conversionRouter } from '../features/evidence/conversion/router.ts'
import { evidenceRouter } from '../features/evidence/files/router.ts'
import { guestLinksRouter } from '../features/evidence/guest-links/router.ts'
import { quotaRouter } from '../features/evidence/quota/router.ts'
import { commentsRouter } from '../features/orders/comments/router.ts'
import { dashboardRouter } from '../features/orders/dashboard/router.ts'
import { orderImportsRouter } from '../features/orders/import/router.ts'
import { orderListRouter } from '../features/orders/list/router.ts'
import { ordersRouter } from '../features/orders/order/router.ts'
import { reportsRouter } from '../features/orders/reports/router.ts'
import { vehiclePhotosRouter } from '../features/orders/vehicle-photo/router.ts'
import { savedViewsRouter } from '../features/orders/views/router.ts'
import { accountRouter } from '../features/people/account/router.ts'
import { auditRouter } from '../features/people/audit/router.ts'
import { authRouter } from '../features/people/auth/router.ts'
import { directoryRouter } from '../features/people/directory/router.ts'
import { mailRouter } from '../features/people/mail/router.ts'
import { notificationsRouter } from '../features/people/notifications/router.ts'
import { passkeysRouter } from '../features/people/passkeys/router.ts'
import { tokensRouter } from '../features/people/tokens/router.ts'
import { usersRouter } from '../features/people/users/router.ts'
import { complianceRouter } from '../features/records/compliance/router.ts'
import { dossierRouter } from '../features/records/dossier/router.ts'
import { privacyRouter } from '../features/records/privacy/router.ts'
import { retentionRouter } from '../features/records/retention/router.ts'
import { demoRouter } from '../features/system/demo/router.ts'
import { firstStepsRouter } from '../features/system/first-steps/router.ts'
import { installationRouter } from '../features/system/installation/router.ts'
import { liveRouter } from '../features/system/live/router.ts'
import { webhooksRouter } from '../features/system/webhooks/router.ts'
import { mergeRouters, router } from '../http/trpc.ts'

export const appRouter = router({
  auth: authRouter,
  account: accountRouter,
  passkeys: passkeysRouter,
  directory: directoryRouter,
  tokens: tokensRouter,
  users: usersRouter,
  mail: mailRouter,
  audit: auditRouter,
  companies: companiesRouter,
  brands: brandsRouter,
  orders: ordersRouter,
  orderList: orderListRouter,
  savedViews: savedViewsRouter,
  comments: commentsRouter,
  notifications: notificationsRouter,
  orderImports: orderImportsRouter,
  vehiclePhotos: vehiclePhotosRouter,
  dashboard: dashboardRouter,
  reports: reportsRouter,
  claims: mergeRouters(claimsRouter, claimEntriesRouter),
  claimReports: claimReportsRouter,
  reasons: reasonsRouter,
  remittances: remittancesRouter,
  claimList: claimListRouter,
  deadlines: deadlinesRouter,
  parts: partsRouter,
  evidence: evidenceRouter,
  conversion: conversionRouter,
  packages: archivesRouter,
  guestLinks: guestLinksRouter,
  quota: quotaRouter,
  demo: demoRouter,
  compliance: complianceRouter,
  dossier: dossierRouter,
  firstSteps: firstStepsRouter,
  installation: installationRouter,
  live: liveRouter,
  privacy: privacyRouter,
  retention: retentionRouter,
  webhooks: webhooksRouter,
})
export type AppRouter = typeof appRouter
