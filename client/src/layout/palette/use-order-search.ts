import { keepPreviousData } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { recentOrders, setRecentOrders } from '../../lib/recent-orders.ts'
import { trpc } from '../../lib/trpc.ts'

const DEBOUNCE_MS = 120

/** The typed text after DEBOUNCE_MS without changes. */
function useDebounced(text: string) {
  const [debounced, setDebounced] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(text), DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return debounced
}

/** Orders matching the typed text; `isUpToDate` tells whether they belong to the text on the screen. */
export function useOrderSearch(wanted: string) {
  const search = useDebounced(wanted)
  const isAsked = search !== ''
  const found = trpc.orderList.find.useQuery(
    { search },
    { enabled: isAsked, placeholderData: keepPreviousData, staleTime: 10_000 },
  )
  return {
    orders: wanted !== '' && isAsked ? found.data : undefined,
    error: found.isFetching ? null : found.error,
    isUpToDate: wanted === '' || (wanted === search && !found.isFetching && !found.isPlaceholderData),
    retry: () => void found.refetch(),
  }
}

/** Recently opened orders, without those the user may no longer read. */
export function useRecent(person: number) {
  const [ids] = useState(() => recentOrders(person))
  const recent = trpc.orderList.readable.useQuery({ ids }, { enabled: ids.length > 0, gcTime: 0 })
  const { data } = recent
  useEffect(() => {
    if (data && data.length < ids.length)
      setRecentOrders(
        person,
        data.map(({ id }) => id),
      )
  }, [data, ids, person])
  return data ?? []
}
