import type { ShownOrder } from '@garantia/shared/orders/conversion-badge'
import { useEffect } from 'react'
import { trpc } from './trpc.ts'

/** The missed changes are polled meanwhile, so a failed stream is only retried after this long. */
const RETRY_MS = 30_000
/** For what no notification announces, such as a change between the page's first reading and its subscription. */
const FALLBACK_MS = 30_000

/** Orders whose changes are being reported to this page. */
const followed = new Set<number>()

/** The poll interval of data whose changes are reported: `unreported` while they are not. */
export const pollInterval = (order_id: number, unreported: number) =>
  followed.has(order_id) ? FALLBACK_MS : unreported

/**
 * Refetches an order's data when the server reports a change (server-sent events). Connects only while the
 * page is visible: browsers limit connections per host, and hidden pages would use them up.
 */
export function useLiveOrder(order_id: number) {
  const utils = trpc.useUtils()
  useEffect(() => {
    let source: EventSource | undefined
    let retry: ReturnType<typeof setTimeout> | undefined
    let isUnmounted = false
    let hasFollowed = false

    const refresh = (topics: readonly string[]) => {
      const isAffected = (topic: string) => topics.includes(topic) || topics.includes('resumed')
      if (isAffected('evidence')) {
        void utils.evidence.list.invalidate({ order_id })
        void utils.conversion.report.invalidate({ order_id })
      }
      if (isAffected('dossier')) void utils.dossier.list.invalidate({ order_id })
      if (isAffected('packages')) void utils.packages.list.invalidate()
      if (isAffected('claims')) {
        void utils.claims.ofOrder.invalidate({ order_id })
        void utils.claims.one.invalidate()
        void utils.parts.ofClaim.invalidate()
      }
      if (isAffected('order')) {
        void utils.orders.one.invalidate({ id: order_id })
        // What photos show is said beside the order's fields.
        if (!isAffected('evidence')) void utils.evidence.list.invalidate({ order_id })
      }
    }
    const close = () => {
      clearTimeout(retry)
      source?.close()
      source = undefined
      followed.delete(order_id)
    }
    const open = async () => {
      close()
      const address = await utils.live.address.fetch({ order_id }).catch(() => null)
      if (isUnmounted || document.hidden || source) return
      if (!address) return later()
      const stream = new EventSource(address.url)
      source = stream
      stream.onmessage = ({ data }) => refresh(JSON.parse(data) as string[])
      stream.onopen = () => {
        followed.add(order_id)
        // Since the end of an earlier stream.
        if (hasFollowed) refresh(['resumed'])
        hasFollowed = true
      }
      // The browser reconnects by itself while the stream's URL is valid; after that a new URL is needed.
      stream.onerror = () => {
        // Read at once, and polled from then on.
        if (followed.delete(order_id)) refresh(['resumed'])
        if (stream.readyState === EventSource.CLOSED && source === stream) later()
      }
    }
    const later = () => {
      close()
      retry = setTimeout(open, RETRY_MS)
    }
    const follow = () => {
      if (document.hidden) close()
      else void open()
    }
    follow()
    document.addEventListener('visibilitychange', follow)
    return () => {
      isUnmounted = true
      document.removeEventListener('visibilitychange', follow)
      close()
    }
  }, [order_id, utils])
}

/**
 * Returns a function that shows an order as the server has answered it to a change, and has everything that
 * follows from an order read again. An older answer still on its way is not waited for.
 */
export function useSavedOrder() {
  const utils = trpc.useUtils()
  return async (order: ShownOrder) => {
    const { id } = order
    await utils.orders.one.cancel({ id })
    utils.orders.one.setData({ id }, order)
    void utils.orders.history.invalidate({ id })
    void utils.orderList.invalidate()
    void utils.evidence.list.invalidate({ order_id: id })
    void utils.evidence.checklist.invalidate({ order_id: id })
  }
}
