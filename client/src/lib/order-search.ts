import { formatPlate } from '@garantia/shared/br/vehicle'
import type { OrderRow } from '@garantia/shared/orders/schema'
import { hashKey, keepPreviousData, useQuery } from '@tanstack/react-query'
import { getQueryKey } from '@trpc/react-query'
import { useEffect, useState } from 'react'
import { keptAnswer } from './kept-data.ts'
import { statusOf } from './messages.ts'
import { recentOrders, setRecentOrders } from './recent-orders.ts'
import { trpc, trpcUtils } from './trpc.ts'

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

/** Recently opened orders, without those the user may no longer read; where no server answers, those kept on the device. */
export function useRecent(person: number) {
  const [ids] = useState(() => recentOrders(person))
  const recent = trpc.orderList.readable.useQuery({ ids }, { enabled: ids.length > 0, gcTime: 0 })
  const { data, error } = recent
  const isUnanswered = data === undefined && error !== null && statusOf(error) === undefined
  const kept = useQuery({
    queryKey: ['kept-orders', ids],
    queryFn: () => keptOrders(ids),
    enabled: isUnanswered,
    gcTime: 0,
  })
  useEffect(() => {
    if (data && data.length < ids.length)
      setRecentOrders(
        person,
        data.map(({ id }) => id),
      )
  }, [data, ids, person])
  return {
    orders: data ?? (isUnanswered ? (kept.data ?? []) : []),
    isPending: ids.length > 0 && recent.isPending,
  }
}

/** As this page or this device has them: the server would note a question for each as a look at it. */
async function keptOrders(ids: readonly number[]) {
  const found = ids.map(async (id) => {
    const hash = hashKey(getQueryKey(trpc.orders.one, { id }, 'query'))
    const kept = await keptAnswer(hash).catch(() => undefined)
    return trpcUtils.orders.one.getData({ id }) ?? (kept ? (kept.data as OrderRow) : [])
  })
  return (await Promise.all(found)).flat()
}

/** What distinguishes one order from another at a glance. */
export const factsOf = ({ customer_name, vehicle_plate, vehicle_model, brand }: OrderRow) =>
  [customer_name, vehicle_plate && formatPlate(vehicle_plate), vehicle_model ?? brand.display_name]
    .filter(Boolean)
    .join(' · ')
