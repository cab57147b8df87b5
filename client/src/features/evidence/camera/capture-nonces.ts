import { onKeptData } from '../../../lib/kept-data.ts'
import { storedToken } from '../../../lib/session.ts'
import { trpcClient } from '../../../lib/trpc.ts'
import { isTouch } from '../../../ui/page/pointer.ts'

/** As many as are taken of an order in a day without network; what is beyond them is a file like others. */
const KEPT = 100
/** With fewer on the device more are asked for: they may be needed before the network is back. */
const ENOUGH = 50
/** For the way of a photo that is taken with one, and is sent when the network is back. */
const DAY_MS = 86_400_000
/** A database that another tab deletes is not waited for. */
const ANSWERS_MS = 2_000

/**
 * The server's nonces for photos of an order, for each photo one: those that the device keeps, with new ones when they
 * run low and the server answers. A phone asks for them before it is without network.
 */
export async function fillNonces(order_id: number): Promise<string[]> {
  const late = new Promise<string[]>((resolve) => setTimeout(() => resolve([]), ANSWERS_MS))
  const kept = await Promise.race([validNonces(order_id), late]).catch(() => [])
  if (kept.length >= ENOUGH) return kept
  const count = KEPT - kept.length
  const token = storedToken()
  const issued = await trpcClient.evidence.issueNonces.mutate({ order_id, count }).catch(() => null)
  if (!issued || storedToken() !== token) return kept
  const { nonces, expires_at } = issued
  // What is not kept lasts as long as the page.
  if (isTouch()) void keepNonces(order_id, nonces, expires_at).catch(() => {})
  return [...kept, ...nonces]
}

const validNonces = async (order_id: number) =>
  // A desk keeps nothing of orders (48).
  isTouch() ? keptNonces(order_id) : []
const keptNonces = (order_id: number) =>
  onKeptData(async (database, session) => {
    const latest = new Date(Date.now() + DAY_MS).toISOString()
    const work = database.transaction('nonces', 'readwrite')
    const all = await work.store.index('order_id').getAll(order_id)
    const valid = all.filter((one) => one.session === session && one.expires_at >= latest)
    const old = all.filter((one) => !valid.includes(one))
    await Promise.all([...old.map(({ nonce }) => work.store.delete(nonce)), work.done])
    return valid.map(({ nonce }) => nonce)
  })
const keepNonces = (order_id: number, nonces: readonly string[], expires_at: string) =>
  onKeptData(async (database, session) => {
    const work = database.transaction('nonces', 'readwrite')
    const puts = nonces.map((nonce) => work.store.put({ nonce, session, order_id, expires_at }))
    await Promise.all([...puts, work.done])
  })

/** One that went with a photo is of no use for another. */
export const forgetNonce = (nonce: string) =>
  void onKeptData((database) => database.delete('nonces', nonce)).catch(() => {})
