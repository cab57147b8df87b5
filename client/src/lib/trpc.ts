import type { AppRouter } from '@garantia/server/router'
import { MAX_BATCH } from '@garantia/shared/batch'
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { httpBatchLink } from '@trpc/client'
import { createTRPCQueryUtils, createTRPCReact } from '@trpc/react-query'
import { confirmationLink } from './confirmation.ts'
import { statusOf } from './messages.ts'
import { callHeaders, expireSession } from './session.ts'

export const trpc = createTRPCReact<AppRouter>()

/** A 401 on any call ends the session (STA-3). */
const onError = (error: unknown) => {
  if (statusOf(error) === 401) expireSession()
}

/**
 * No retries, no refetch on focus (GEN-12); `always`, so that calls fail at once when offline instead of
 * hanging.
 */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError }),
  mutationCache: new MutationCache({ onError }),
  defaultOptions: {
    queries: { retry: false, refetchOnWindowFocus: false, networkMode: 'always' },
    mutations: { retry: false, networkMode: 'always' },
  },
})

export const trpcClient = trpc.createClient({
  links: [
    confirmationLink,
    httpBatchLink({
      url: '/trpc',
      headers: callHeaders,
      maxURLLength: 4_000,
      maxItems: MAX_BATCH,
      fetch: (url, options) => fetch(url, { ...options, credentials: 'include' }),
    }),
  ],
})

/** The same queries for code outside of components. */
export const trpcUtils = createTRPCQueryUtils({ client: trpcClient, queryClient })
