import { RECENT_MAX } from '@garantia/shared/orders/navigation'

/** The orders a person opened last on this device: numbers of rows only, nothing of a customer. */
const keyOf = (person: number) => `recent_orders:${person}`

export function recentOrders(person: number): number[] {
  const ids = (localStorage.getItem(keyOf(person)) ?? '').split(',').map(Number)
  return ids.filter((id) => Number.isSafeInteger(id) && id > 0).slice(0, RECENT_MAX)
}
const write = (person: number, ids: readonly number[]) =>
  localStorage.setItem(keyOf(person), ids.slice(0, RECENT_MAX).join(','))

export const rememberOrder = (person: number, id: number) =>
  write(person, [id, ...recentOrders(person).filter((other) => other !== id)])

export const setRecentOrders = (person: number, ids: readonly number[]) => write(person, ids)
