import { isClosed } from '@garantia/shared/orders/status'
import { can } from '@garantia/shared/policy'
import { hashKey } from '@tanstack/react-query'
import { getQueryKey } from '@trpc/react-query'
import { fillNonces } from '../../features/evidence/camera/capture-nonces.ts'
import { FIRST_PAGE, listInput, ordersSearch } from '../../features/orders/list/orders-search.ts'
import { actorOf } from '../../lib/actor.ts'
import { isServerAway } from '../../lib/connection.ts'
import { onKeptData } from '../../lib/kept-data.ts'
import { recentOrders } from '../../lib/recent-orders.ts'
import { storedToken } from '../../lib/session.ts'
import { trpc, trpcClient, trpcUtils } from '../../lib/trpc.ts'

/** As many as somebody has at hand in a few days. */
const ORDERS = 20
/** What was kept so short a time ago is new enough, also for the next page. */
const FRESH_MS = 20 * 60_000

let running: Promise<void> | undefined
/** Asks for what the last orders of this person show, so that the device keeps it: those opened here, then the newest. */
export function keepOrders() {
  running ??= keepLast().finally(() => {
    running = undefined
  })
  return running
}

async function keepLast() {
  const token = storedToken()
  const mayGoOn = () => storedToken() === token && !isServerAway()
  if (token === null || isServerAway() || document.hidden) return
  const me = await trpcUtils.account.me.ensureData()
  const newest = await trpcUtils.orderList.page.fetch(listInput(ordersSearch.parse(FIRST_PAGE)), {
    staleTime: FRESH_MS,
  })
  const opened = recentOrders(me.id)
  const recent = opened.length > 0 ? await trpcUtils.orderList.readable.fetch({ ids: opened }) : []
  const rows = new Map([...recent, ...newest.items].map((row) => [row.id, row]))
  for (const row of [...rows.values()].slice(0, ORDERS)) {
    if (!mayGoOn()) return
    try {
      await keepOrder(row.id, mayGoOn)
      const takesPhotos = !isClosed(row.status) && can(actorOf(me), 'evidence.upload', row)
      if (takesPhotos && mayGoOn()) await fillNonces(row.id)
    } catch {
      // It may be gone by now, or the device may have no room.
    }
  }
}

async function keepOrder(id: number, mayGoOn: () => boolean) {
  const hash = hashKey(getQueryKey(trpc.orders.one, { id }, 'query'))
  // A visit keeps what its tab asks for; whoever opens another one without network needs all of them.
  const others = [
    getQueryKey(trpc.evidence.list, { order_id: id }, 'query'),
    getQueryKey(trpc.evidence.checklist, { order_id: id }, 'query'),
    getQueryKey(trpc.conversion.report, { order_id: id }, 'query'),
    getQueryKey(trpc.dossier.list, { order_id: id }, 'query'),
    getQueryKey(trpc.retention.holdOf, { id }, 'query'),
  ].map((key) => hashKey(key))
  const isFresh = await onKeptData(async (database, session) => {
    const kept = await Promise.all([hash, ...others].map((one) => database.get('answers', one)))
    return kept.every((one) => one?.session === session && one.at > Date.now() - FRESH_MS)
  })
  if (isFresh) return
  // Not as if somebody had looked at it, nor into the cache, where it may be newer.
  const order = await trpcClient.orders.one.query({ id, is_kept: true })
  if (!mayGoOn()) return
  const fresh = { staleTime: FRESH_MS }
  await Promise.all([
    trpcUtils.evidence.list.prefetch({ order_id: id }, fresh),
    trpcUtils.evidence.checklist.prefetch({ order_id: id }, fresh),
    trpcUtils.brands.evidenceRules.prefetch({ id: order.brand_id }, fresh),
    trpcUtils.conversion.report.prefetch({ order_id: id }, fresh),
    trpcUtils.dossier.list.prefetch({ order_id: id }, fresh),
    trpcUtils.retention.holdOf.prefetch({ id }, fresh),
  ])
  if (!mayGoOn()) return
  const at = Date.now()
  await onKeptData((database, session) => database.put('answers', { hash, session, data: order, at }))
}
