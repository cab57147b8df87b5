import { OverlaysProvider } from '@blueprintjs/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { watchSession } from './lib/session.ts'
import { queryClient, trpc, trpcClient } from './lib/trpc.ts'
import { router } from './routes.tsx'
import './theme.css'

watchSession((change) => {
  queryClient.clear()
  if (change === 'started') return
  const redirect = change === 'expired' ? router.state.location.href : undefined
  void router.navigate({ to: '/login', search: { redirect }, replace: true, ignoreBlocker: true })
})

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
