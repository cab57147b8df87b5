import { OverlaysProvider } from '@blueprintjs/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { uploads } from './features/evidence/upload/uploads.ts'
import { forgetDrafts, keepDrafts } from './lib/drafts.ts'
import { watchSession } from './lib/session.ts'
import { keepFormsSteady } from './lib/steady-forms.ts'
import { queryClient, trpc, trpcClient } from './lib/trpc.ts'
import { watchWayBack } from './lib/way-back.ts'
import { router } from './routes.tsx'
import { watchKeys } from './ui/keys/pressed-keys.ts'
import { forgetSelections } from './ui/table/row-selection.ts'
import './theme.css'

watchSession((change) => {
  if (change === 'expired') keepDrafts()
  if (change === 'left') forgetDrafts()
  uploads.belongTo(null)
  queryClient.clear()
  forgetSelections()
  if (change === 'started') return
  const redirect = change === 'expired' ? router.state.location.href : undefined
  void router.navigate({ to: '/login', search: { redirect }, replace: true, ignoreBlocker: true })
})

keepFormsSteady()
watchKeys()
void import('./ui/feedback/toaster.tsx').then(({ openNotices }) => openNotices())

watchWayBack(router)

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
