import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** The first piece of a request has its method. */
const REQUEST = /^(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS) /

export type BadNetwork = Awaited<ReturnType<typeof badNetwork>>

/** A proxy before a server: it counts the bytes sent, and a test may slow, cut or freeze it. */
export async function badNetwork(target: string) {
  let { hostname, port } = new URL(target)
  const pairs = new Set<Socket[]>()
  const frozen = new WeakSet<Socket[]>()
  let isUp = true
  let delay = 0
  let sent = 0
  let loss = { share: 0, count: 0, requests: 0 }
  const answersLost = new WeakSet<Socket[]>()
  let limit = { bytes: Number.POSITIVE_INFINITY, reached: () => {} }

  const cut = () => {
    isUp = false
    for (const pair of pairs) for (const end of pair) end.resetAndDestroy()
  }
  const server = createServer((near) => {
    if (!isUp) return near.resetAndDestroy()
    const far = connect(Number(port), hostname)
    const pair = [near, far]
    pairs.add(pair)
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      void carry(pair, from, to)
      from.on('error', () => {})
      from.on('close', () => {
        pairs.delete(pair)
        to.destroy()
      })
    }
  })
  async function carry(pair: Socket[], from: Socket, to: Socket) {
    try {
      for await (const piece of from as AsyncIterable<Buffer>) {
        if (delay > 0) await sleep(delay)
        if (frozen.has(pair)) await new Promise<never>(() => {})
        if (isLost(pair, from, piece)) {
          for (const end of pair) end.resetAndDestroy()
          return
        }
        if (from === pair[0]) sent += piece.length
        if (!to.write(piece)) await once(to, 'drain')
        if (sent >= limit.bytes) limit.reached()
      }
      to.end()
    } catch {
      to.destroy()
    }
  }
  /** Every other request that is lost never reaches the server; of the rest it is the answer that does not come back. */
  function isLost(pair: Socket[], from: Socket, piece: Buffer) {
    if (from !== pair[0]) return answersLost.has(pair)
    if (loss.share === 0 || !REQUEST.test(piece.toString('latin1', 0, 8))) return false
    loss.requests++
    if (loss.count >= loss.requests * loss.share) return false
    loss.count++
    if (loss.count % 2 === 0) return true
    answersLost.add(pair)
    return false
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('no address')
  return {
    url: `http://127.0.0.1:${address.port}`,
    /** Bytes from the browser to the server so far. */
    sent: () => sent,
    /** Resets every connection and accepts no new one, immediately or after so many bytes. */
    cut,
    cutAfter: (bytes: number) =>
      new Promise<void>((reached) => {
        limit = {
          bytes: sent + bytes,
          reached() {
            limit = { bytes: Number.POSITIVE_INFINITY, reached: () => {} }
            cut()
            reached()
          },
        }
      }),
    restore() {
      isUp = true
    },
    /** New connections go to this server. */
    retarget(url: string) {
      ;({ hostname, port } = new URL(url))
    },
    /** Open connections stay open, and carry nothing any more. */
    freeze() {
      for (const pair of pairs) frozen.add(pair)
    },
    /** Loses this share of all requests. */
    lose(share: number) {
      loss = { share, count: 0, requests: 0 }
    },
    /** Requests since then, and how many of them were lost. */
    losses: () => loss,
    /** Delays every chunk by so much. */
    slow(milliseconds: number) {
      delay = milliseconds
    },
    async close() {
      cut()
      server.close()
      await once(server, 'close')
    },
  }
}
