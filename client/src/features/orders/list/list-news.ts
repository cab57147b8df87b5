import type { AppRouter } from '@garantia/server/router'
import { replaceEqualDeep, useQuery } from '@tanstack/react-query'
import type { inferRouterOutputs } from '@trpc/server'
import { useEffect, useRef } from 'react'
import { trpc } from '../../../lib/trpc.ts'
import type { listInput } from './orders-search.ts'

export type OrderList = inferRouterOutputs<AppRouter>['orderList']['page']

/** Others' changes are seen after this long, in a search later, which reads more; a hidden page does not ask. */
const WATCH_MS = 5_000
const WATCH_SEARCH_MS = 20_000

const isSameRows = (one: OrderList, other: OrderList) =>
  one.items.length === other.items.length && one.items.every(({ id }, i) => id === other.items[i]?.id)

interface Shown {
  data: OrderList | undefined
  dataUpdatedAt: number
  isPlaceholderData: boolean
  isFetching: boolean
}

/**
 * What others change while the list is open. As long as its rows stay where they are, header, cards and rows are
 * replaced together; an answer that would move a row is only announced, and shown when the person asks for it.
 */
export function useListNews(input: ReturnType<typeof listInput>, shown: Shown) {
  const utils = trpc.useUtils()
  const shownAt = useRef(0)
  shownAt.current = shown.dataUpdatedAt
  const watchMs = input.search ? WATCH_SEARCH_MS : WATCH_MS
  const { data: news } = useQuery({
    queryKey: ['order list news', input],
    queryFn: async ({ signal }) => {
      const since = shownAt.current
      return { since, list: await utils.client.orderList.page.query(input, { signal }) }
    },
    initialData: null,
    staleTime: watchMs,
    refetchInterval: watchMs,
    refetchIntervalInBackground: false,
    structuralSharing: false,
    gcTime: 0,
    enabled: shown.data !== undefined && !shown.isPlaceholderData,
  })
  // What was asked before the shown list was read is older than it.
  const isNewer = news !== null && news.since === shown.dataUpdatedAt && !shown.isFetching
  const fresh = isNewer && shown.data && !shown.isPlaceholderData ? news.list : null
  const take = () => {
    if (fresh) utils.orderList.page.setData(input, fresh)
  }
  const movesRows = fresh !== null && shown.data !== undefined && !isSameRows(fresh, shown.data)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each answer
  useEffect(() => {
    if (fresh && !movesRows && replaceEqualDeep(shown.data, fresh) !== shown.data) take()
  }, [fresh])
  return movesRows && shown.data ? { added: Math.max(0, fresh.total - shown.data.total), take } : null
}
