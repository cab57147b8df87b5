import type { AppRouter } from '@garantia/server/router'
import { MAX_BATCH } from '@garantia/shared/batch'
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { httpBatchLink } from '@trpc/client'
import { createTRPCQueryUtils, createTRPCReact } from '@trpc/react-query'
import { confirmationLink } from './confirmation.ts'
import { watchedFetch } from './connection.ts'
import { statusOf } from './messages.ts'
import { callHeaders, expireSession } from './session.ts'

export const trpc = createTRPCReact<AppRouter>()

/** A 401 on any call ends the session (STA-3). */
const onError = (error: unknown) => {
  if (statusOf(error) === 401) expireSession()
}

/** Queries that were sent before their screen was there, until it has taken the answer. */
const early = new Set<string>()
const EARLY_FRESH_MS = 30_000

/**
 * No retries, no refetch on focus (GEN-12); `always`, so that calls fail at once when offline instead of
 * hanging.
 */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError }),
  mutationCache: new MutationCache({ onError }),
  defaultOptions: {
    queries: {
      retry: false,
      refetchOnWindowFocus: false,
      networkMode: 'always',
      staleTime: ({ queryHash }) => (early.has(queryHash) ? EARLY_FRESH_MS : 0),
    },
    mutations: { retry: false, networkMode: 'always' },
  },
})

/** The first component that shows a query sent so far takes its answer, instead of asking again as usual. */
export function holdEarlyAnswers() {
  for (const { queryHash } of queryClient.getQueryCache().getAll()) early.add(queryHash)
}
// A component decides whether to ask right after it was added.
queryClient.getQueryCache().subscribe(({ type, query }) => {
  if (type === 'observerAdded') queueMicrotask(() => early.delete(query.queryHash))
})

export const trpcClient = trpc.createClient({
  links: [
    confirmationLink,
    httpBatchLink({
      url: '/trpc',
      headers: callHeaders,
      maxURLLength: 4_000,
      maxItems: MAX_BATCH,
      fetch: (url, options) => watchedFetch(url, { ...options, credentials: 'include' }),
    }),
  ],
})

/** The same queries for code outside of components. */
export const trpcUtils = createTRPCQueryUtils({ client: trpcClient, queryClient })
