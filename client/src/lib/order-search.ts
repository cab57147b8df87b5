import { formatPlate } from '@garantia/shared/br/vehicle'
import type { OrderRow } from '@garantia/shared/orders/schema'
import { keepPreviousData } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { statusOf } from './messages.ts'
import { recentOrders, setRecentOrders } from './recent-orders.ts'
import { trpc } from './trpc.ts'

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
  const opened = trpc.useQueries((t) => ids.map((id) => t.orders.one({ id }, { enabled: isUnanswered })))
  useEffect(() => {
    if (data && data.length < ids.length)
      setRecentOrders(
        person,
        data.map(({ id }) => id),
      )
  }, [data, ids, person])
  return {
    orders: data ?? (isUnanswered ? opened.flatMap((one) => one.data ?? []) : []),
    isPending: ids.length > 0 && recent.isPending,
  }
}

/** What distinguishes one order from another at a glance. */
export const factsOf = ({ customer_name, vehicle_plate, vehicle_model, brand }: OrderRow) =>
  [customer_name, vehicle_plate && formatPlate(vehicle_plate), vehicle_model ?? brand.display_name]
    .filter(Boolean)
    .join(' · ')
