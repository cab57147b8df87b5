import { OverlaysProvider } from '@blueprintjs/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { uploads } from './features/evidence/upload/uploads.ts'
import { sendEarlyQueries } from './layout/early-queries.ts'
import { loadNewVersion, watchVersion } from './lib/app-version.ts'
import { watchConnection } from './lib/connection.ts'
import { clearDrafts, saveDrafts } from './lib/drafts.ts'
import { watchActivity } from './lib/idle.ts'
import { preventFormBlur } from './lib/prevent-form-blur.ts'
import { watchListLocation } from './lib/return-to-list.ts'
import { watchSession } from './lib/session.ts'
import { queryClient, trpc, trpcClient } from './lib/trpc.ts'
import { router } from './routes.tsx'
import { watchKeys } from './ui/keys/pressed-keys.ts'
import { isTouch } from './ui/page/pointer.ts'
import { clearSelections } from './ui/table/row-selection.ts'
import './theme.css'

watchActivity()
watchSession((change) => {
  if (change === 'expired') {
    saveDrafts()
    void import('./lib/shared-files.ts').then(({ forgetWhoShares }) => forgetWhoShares()).catch(() => {})
  }
  if (change === 'left') clearDrafts()
  uploads.setOwner(null)
  queryClient.clear()
  clearSelections()
  if (change === 'started') return
  const redirect = change === 'expired' ? router.state.location.href : undefined
  void router.navigate({ to: '/login', search: { redirect }, replace: true, ignoreBlocker: true })
})

watchConnection(() => {
  void queryClient.refetchQueries({
    type: 'active',
    predicate: ({ state }) => state.status === 'error' || state.isInvalidated,
  })
})
// While the app is developed its script is none of those that a server knows.
if (import.meta.env.PROD)
  watchVersion(new URL(import.meta.url).pathname, () => {
    void import('./ui/feedback/toaster.tsx').then(({ toast }) =>
      toast.info({
        title: 'Há uma versão nova do Garantia.',
        action: { text: 'Recarregar', act: loadNewVersion },
      }),
    )
  })
preventFormBlur()
watchKeys()
void import('./ui/feedback/toaster.tsx').then(({ preloadToaster }) => preloadToaster())

watchListLocation(router)
sendEarlyQueries(router)

// Phones and tablets go where there is no network; a desk has one, unless the app was installed there.
const LOAD_AGAIN_MS = 30_000
const loadOffline = () =>
  void import('./layout/offline/work-offline.ts').then(
    ({ workOffline }) => workOffline(),
    () => setTimeout(loadOffline, LOAD_AGAIN_MS),
  )
if (isTouch() || matchMedia('(display-mode: standalone)').matches) loadOffline()

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')
createRoot(root).render(
  <StrictMode>
    <trpc.Provider client={trpcClient} queryClient={queryClient}>
      <QueryClientProvider client={queryClient}>
        <OverlaysProvider>
          <RouterProvider router={router} />
        </OverlaysProvider>
      </QueryClientProvider>
    </trpc.Provider>
  </StrictMode>,
)
