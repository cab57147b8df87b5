import { RECENT_MAX } from '@garantia/shared/orders/navigation'

/** Recently opened orders of a user on this device: order ids only, no customer data. */
const keyOf = (person: number) => `recent_orders:${person}`

/** Ids of the orders a user opened last, newest first, at most RECENT_MAX. */
export function recentOrders(person: number): number[] {
  const ids = (localStorage.getItem(keyOf(person)) ?? '').split(',').map(Number)
  return ids.filter((id) => Number.isSafeInteger(id) && id > 0).slice(0, RECENT_MAX)
}
const write = (person: number, ids: readonly number[]) =>
  localStorage.setItem(keyOf(person), ids.slice(0, RECENT_MAX).join(','))

/** Moves an order to the front of the list. */
export const rememberOrder = (person: number, id: number) =>
  write(person, [id, ...recentOrders(person).filter((other) => other !== id)])

export const setRecentOrders = (person: number, ids: readonly number[]) => write(person, ids)
