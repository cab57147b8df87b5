import type { AnyRouter } from '@tanstack/react-router'
import { dashboardSearch } from '../features/orders/dashboard/dashboard-search.ts'
import { CHART_DAYS, filterOf, lastDays } from '../features/orders/dashboard/period.ts'
import { listInput, ordersSearch } from '../features/orders/list/orders-search.ts'
import { ME_FRESH_MS } from '../lib/actor.ts'
import { isSignedIn } from '../lib/session.ts'
import { holdEarlyAnswers, trpcUtils } from '../lib/trpc.ts'

/** What a screen shows first, by its path. */
const FIRST_QUERIES: Record<string, (search: unknown) => void> = {
  '/lista-os': (search) => {
    void trpcUtils.orderList.page.prefetch(listInput(ordersSearch.parse(search)))
  },
  '/dashboard': (search) => {
    void trpcUtils.dashboard.metrics.prefetch(filterOf(dashboardSearch.parse(search)))
    void trpcUtils.dashboard.metrics.prefetch(lastDays(CHART_DAYS, new Date()))
    void trpcUtils.dashboard.attention.prefetch()
    void trpcUtils.dashboard.recent.prefetch()
  },
}

/**
 * Asks for what the first screen of a visit shows while its scripts still load: at a quarter of a desktop's
 * speed they take a second longer than the answer.
 */
export function sendEarlyQueries(router: AnyRouter) {
  const { pathname, search } = router.latestLocation
  if (!isSignedIn() || pathname === '/undo-login') return
  void trpcUtils.account.me.prefetch(undefined, { staleTime: ME_FRESH_MS })
  void trpcUtils.firstSteps.read.prefetch()
  void trpcUtils.installation.problems.prefetch()
  holdEarlyAnswers()
  const sendQueries = FIRST_QUERIES[pathname === '/' ? '/dashboard' : pathname]
  // In a request of its own: the frame of the screen does not wait for the slower answers.
  setTimeout(() => {
    sendQueries?.(search)
    holdEarlyAnswers()
  })
}
