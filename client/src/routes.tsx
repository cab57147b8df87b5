import type { SignInWays } from '@garantia/shared/auth/second-factor'
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  notFound,
  Outlet,
  redirect,
  stringifySearchWith,
  stripSearchParams,
} from '@tanstack/react-router'
import { lazy } from 'react'
import { z } from 'zod'
import { companiesSearch, NO_COMPANY_FILTER } from './features/catalogue/companies/companies-search.ts'
import { deadlinesSearch, FIRST_DEADLINES } from './features/claims/deadlines/deadlines-search.ts'
import { claimsSearch, FIRST_CLAIM_PAGE } from './features/claims/list/claims-search.ts'
import { NO_REMITTANCE, remittancesSearch } from './features/claims/remittances/remittances-search.ts'
import { ALL_TIME, dashboardSearch } from './features/orders/dashboard/dashboard-search.ts'
import { FIRST_PAGE, ordersSearch } from './features/orders/list/orders-search.ts'
import { NO_USER_FILTER, usersSearch } from './features/people/users/users-search.ts'
import { ScreenError, ScreenErrorPage } from './layout/error-boundary.tsx'
import { readSearchParams } from './lib/search-params.ts'
import { isSignedIn } from './lib/session.ts'
import { trpcUtils } from './lib/trpc.ts'
import { ConnectionBar } from './ui/feedback/connection-bar.tsx'

export const ORDER_TABS = ['geral', 'evidencias', 'garantia', 'historico'] as const
export const PRIVACY_TABS = ['titular', 'acessos', 'registro', 'incidentes', 'guarda'] as const
export const SETTINGS_TABS = [
  'perfil',
  'senha',
  'seguranca',
  'aparencia',
  'sessoes',
  'tokens',
  'webhooks',
  'caixa',
  'auditoria',
  'registro',
  'armazenamento',
  'sistema',
] as const
const text = z.string().optional().catch(undefined)
const settingsSearch = z.object({ tab: z.enum(SETTINGS_TABS).default('perfil').catch('perfil') })

const privacySearch = z.object({
  tab: z.enum(PRIVACY_TABS).default('titular').catch('titular'),
  os: text,
  pessoa: text,
  tipo: text,
  start_date: z.iso.date().optional().catch(undefined),
  end_date: z.iso.date().optional().catch(undefined),
})

/** Judged by their screens: their rules are not in what every screen loads. */
const editSearch = z.object({ campo: text })
const number = z.coerce.number().int().positive().optional().catch(undefined)
/** `sg` and `peca`: labels of the replaced parts of a claim, or of one of them. */
const printSearch = z.object({ folha: text, sg: number, peca: number })
/** The brand whose rules are opened, and the category of evidence that they would ask for. */
const brandsSearch = z.object({ regras: number, exigir: text })
const reportsSearch = z.object({ from: text, until: text })
const orderSearch = z.object({
  tab: z.enum(ORDER_TABS).default('geral').catch('geral'),
  /** The part whose label was scanned. */
  peca: number,
})

const isManual = (pathname: string) => pathname === '/ajuda' || pathname.startsWith('/ajuda/')

/** Loaded when it is shown: components that a route loads itself come with every visit. */
const NotFound = lazy(async () => ({ default: (await import('./layout/not-found.tsx')).NotFound }))
const NotFoundPage = lazy(async () => ({ default: (await import('./layout/not-found.tsx')).NotFoundPage }))

const root = createRootRoute({
  component: () => (
    <>
      <Outlet />
      <ConnectionBar />
    </>
  ),
  notFoundComponent: NotFoundPage,
  errorComponent: ScreenErrorPage,
})

/** Public routes; a signed-in user is redirected (NAV-2). */
const open = createRoute({
  id: 'open',
  getParentRoute: () => root,
  beforeLoad: ({ location }) => {
    // Who comes back from the directory may have been signed in before: what it says is in the fragment.
    if (isSignedIn() && location.hash === '') throw redirect({ to: '/', replace: true })
  },
})
/**
 * All other screens share one layout and need a token; the wanted location is kept for after sign-in (NAV-4,
 * NAV-5).
 */
const app = createRoute({
  id: 'app',
  getParentRoute: () => root,
  component: lazyRouteComponent(() => import('./layout/shell.tsx'), 'Shell'),
  beforeLoad: ({ location }) => {
    // Who cannot sign in may need the manual most.
    if (isSignedIn() || isManual(location.pathname)) return
    const wanted = location.href === '/' ? undefined : location.href
    throw redirect({ to: '/login', search: { redirect: wanted }, replace: true })
  },
})

const login = createRoute({
  path: '/login',
  getParentRoute: () => open,
  validateSearch: z.object({ redirect: text }),
  // Known before the page is shown, so that nothing moves; with the server away the form says so.
  loader: (): Promise<SignInWays> =>
    trpcUtils.auth.ways.ensureData().catch(() => ({ directory: null, local: 'all' })),
  component: lazyRouteComponent(() => import('./features/people/auth/login-page.tsx'), 'LoginPage'),
})
const signUp = createRoute({
  path: '/signup',
  getParentRoute: () => open,
  component: lazyRouteComponent(() => import('./features/people/auth/sign-up-page.tsx'), 'SignUpPage'),
})
const recovery = createRoute({
  path: '/recover-password',
  getParentRoute: () => open,
  component: lazyRouteComponent(() => import('./features/people/auth/recovery-page.tsx'), 'RecoveryPage'),
})
const reset = createRoute({
  path: '/reset-password',
  getParentRoute: () => open,
  validateSearch: z.object({ token: text }),
  component: lazyRouteComponent(() => import('./features/people/auth/reset-page.tsx'), 'ResetPage'),
})
const undoLogin = createRoute({
  path: '/undo-login',
  getParentRoute: () => root,
  validateSearch: z.object({ token: z.string().catch('') }),
  component: lazyRouteComponent(() => import('./features/people/auth/undo-login-page.tsx'), 'UndoLoginPage'),
})
const confirmation = createRoute({
  path: '/verificar/$fingerprint',
  getParentRoute: () => root,
  component: lazyRouteComponent(
    () => import('./features/records/confirmation/confirmation-page.tsx'),
    'ConfirmationPage',
  ),
})
/** By a link, without an account; who is signed in may try it as well. */
const guest = createRoute({
  path: '/fotos',
  getParentRoute: () => root,
  component: lazyRouteComponent(() => import('./features/evidence/guest/guest-page.tsx'), 'GuestPage'),
})
/** Where the service worker leads with the files that another app has shared. */
const share = createRoute({
  path: '/compartilhar',
  getParentRoute: () => app,
  validateSearch: z.object({ erro: text }),
  component: lazyRouteComponent(() => import('./features/evidence/share/share-page.tsx'), 'SharePage'),
})
const home = createRoute({
  path: '/',
  getParentRoute: () => app,
  beforeLoad: () => {
    throw redirect({ to: '/dashboard', replace: true })
  },
})
const dashboard = createRoute({
  path: '/dashboard',
  getParentRoute: () => app,
  validateSearch: dashboardSearch,
  search: { middlewares: [stripSearchParams(ALL_TIME)] },
  component: lazyRouteComponent(
    () => import('./features/orders/dashboard/dashboard-page.tsx'),
    'DashboardPage',
  ),
})
const orders = createRoute({
  path: '/lista-os',
  getParentRoute: () => app,
  validateSearch: ordersSearch,
  search: { middlewares: [stripSearchParams(FIRST_PAGE)] },
  component: lazyRouteComponent(() => import('./features/orders/list/orders-page.tsx'), 'OrdersPage'),
})
const claims = createRoute({
  path: '/solicitacoes',
  getParentRoute: () => app,
  validateSearch: claimsSearch,
  search: { middlewares: [stripSearchParams(FIRST_CLAIM_PAGE)] },
  component: lazyRouteComponent(() => import('./features/claims/list/claims-page.tsx'), 'ClaimsPage'),
})
const deadlines = createRoute({
  path: '/prazos',
  getParentRoute: () => app,
  validateSearch: deadlinesSearch,
  search: { middlewares: [stripSearchParams(FIRST_DEADLINES)] },
  component: lazyRouteComponent(
    () => import('./features/claims/deadlines/deadlines-page.tsx'),
    'DeadlinesPage',
  ),
})
const remittances = createRoute({
  path: '/conciliacao',
  getParentRoute: () => app,
  validateSearch: remittancesSearch,
  search: { middlewares: [stripSearchParams(NO_REMITTANCE)] },
  component: lazyRouteComponent(
    () => import('./features/claims/remittances/remittances-page.tsx'),
    'RemittancesPage',
  ),
})
const refusals = createRoute({
  path: '/recusas',
  getParentRoute: () => app,
  validateSearch: reportsSearch,
  component: lazyRouteComponent(() => import('./features/claims/refusals/refusals-page.tsx'), 'RefusalsPage'),
})
const newOrder = createRoute({
  path: '/nova-os',
  getParentRoute: () => app,
  component: lazyRouteComponent(() => import('./features/orders/form/new-order-page.tsx'), 'NewOrderPage'),
})
/** Stands for an invalid id; the router renders nothing when params.parse itself throws. */
const NO_ORDER = 0
const ofOrder = {
  params: {
    parse: ({ id }: { id: string }) => ({ id: /^[1-9]\d{0,14}$/.test(id) ? Number(id) : NO_ORDER }),
    stringify: ({ id }: { id: number }) => ({ id: String(id) }),
  },
  loader: ({ params }: { params: { id: number } }) => {
    if (params.id === NO_ORDER) throw notFound()
  },
  notFoundComponent: NotFound,
}
const order = createRoute({
  path: '/os/$id',
  getParentRoute: () => app,
  ...ofOrder,
  validateSearch: orderSearch,
  search: { middlewares: [stripSearchParams({ tab: 'geral' })] },
  component: lazyRouteComponent(
    () => import('./features/orders/detail/order-detail-page.tsx'),
    'OrderDetailPage',
  ),
})
const editOrder = createRoute({
  path: '/os/$id/edit',
  getParentRoute: () => app,
  ...ofOrder,
  validateSearch: editSearch,
  component: lazyRouteComponent(() => import('./features/orders/form/edit-order-page.tsx'), 'EditOrderPage'),
})
const printOrder = createRoute({
  path: '/os/$id/imprimir',
  getParentRoute: () => app,
  ...ofOrder,
  validateSearch: printSearch,
  component: lazyRouteComponent(
    () => import('./features/orders/print/order-print-page.tsx'),
    'OrderPrintPage',
  ),
})
const reports = createRoute({
  path: '/relatorios',
  getParentRoute: () => app,
  validateSearch: reportsSearch,
  component: lazyRouteComponent(() => import('./features/orders/reports/reports-page.tsx'), 'ReportsPage'),
})
const brands = createRoute({
  path: '/brands',
  getParentRoute: () => app,
  validateSearch: brandsSearch,
  component: lazyRouteComponent(() => import('./features/catalogue/brands/brands-page.tsx'), 'BrandsPage'),
})
const companies = createRoute({
  path: '/companies',
  getParentRoute: () => app,
  validateSearch: companiesSearch,
  search: { middlewares: [stripSearchParams(NO_COMPANY_FILTER)] },
  component: lazyRouteComponent(
    () => import('./features/catalogue/companies/companies-page.tsx'),
    'CompaniesPage',
  ),
})
const users = createRoute({
  path: '/admin',
  getParentRoute: () => app,
  validateSearch: usersSearch,
  search: { middlewares: [stripSearchParams(NO_USER_FILTER)] },
  component: lazyRouteComponent(() => import('./features/people/users/users-page.tsx'), 'UsersPage'),
})
const importing = createRoute({
  path: '/importar',
  getParentRoute: () => app,
  validateSearch: z.object({ id: z.coerce.number().int().positive().optional().catch(undefined) }),
  component: lazyRouteComponent(() => import('./features/orders/import/import-page.tsx'), 'ImportPage'),
})
const settings = createRoute({
  path: '/settings',
  getParentRoute: () => app,
  validateSearch: settingsSearch,
  search: { middlewares: [stripSearchParams({ tab: 'perfil' })] },
  component: lazyRouteComponent(() => import('./features/people/settings/settings-page.tsx'), 'SettingsPage'),
})

const privacy = createRoute({
  path: '/lgpd',
  getParentRoute: () => app,
  validateSearch: privacySearch,
  search: { middlewares: [stripSearchParams({ tab: 'titular' })] },
  component: lazyRouteComponent(() => import('./features/records/privacy/privacy-page.tsx'), 'PrivacyPage'),
})

const manual = {
  getParentRoute: () => app,
  validateSearch: z.object({ busca: z.string().optional().catch(undefined) }),
  loader: () => import('./features/system/help/manual.ts'),
  component: lazyRouteComponent(() => import('./features/system/help/help-page.tsx'), 'HelpPage'),
}
const help = createRoute({ path: '/ajuda', ...manual })
const helpPage = createRoute({ path: '/ajuda/$page', ...manual })

export const router = createRouter({
  routeTree: root.addChildren([
    open.addChildren([login, signUp, recovery, reset]),
    undoLogin,
    confirmation,
    guest,
    app.addChildren([
      home,
      dashboard,
      orders,
      claims,
      remittances,
      deadlines,
      newOrder,
      order,
      editOrder,
      printOrder,
      share,
      refusals,
      reports,
      importing,
      brands,
      companies,
      users,
      settings,
      privacy,
      help,
      helpPage,
    ]),
  ]),
  parseSearch: readSearchParams,
  stringifySearch: stringifySearchWith(String),
  defaultErrorComponent: ScreenError,
  defaultPreload: 'intent',
  defaultPreloadStaleTime: 0,
  scrollRestoration: true,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
