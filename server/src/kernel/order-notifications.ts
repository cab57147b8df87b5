import { Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { connectionOf } from './connection.ts'
import type { Logger } from './log.ts'

const CHANNEL = 'order_news'
const RETRY_MS = [200, 1_000, 3_000, 10_000]
/** Interval in ms of the query that detects a dead connection. */
const HEARTBEAT_MS = 30_000
/** `end` of pg waits for the other side to close; a proxy or network that does not must not keep pages waiting. */
const END_MS = 2_000

export interface OrderNotifications {
  /**
   * Calls back with the topic of every committed change of the order, and with «resumed» when notifications
   * may have been missed. Returns the function that unsubscribes.
   */
  subscribe(order_id: number, listener: (topic: string) => void): () => void
  /** Ends the connection and stops reconnecting. */
  close(): Promise<void>
}

/**
 * Change notifications of orders (LISTEN/NOTIFY) over one connection of this process, however many pages
 * listen. It opens with the first subscriber and closes after the last; a lost connection is reopened after
 * 0.2 to 10 s.
 */
export function openOrderNotifications(url: string, log: Logger): OrderNotifications {
  const listeners = new Map<number, Set<(topic: string) => void>>()
  let disconnect = () => {}
  let running: Promise<void> | undefined
  let isClosed = false
  const stopping = new AbortController()
  const isWanted = () => !isClosed && listeners.size > 0

  function dispatch(payload: string) {
    const [id, topic = ''] = payload.split(' ')
    for (const listener of listeners.get(Number(id)) ?? []) listener(topic)
  }

  async function listen(onReady: () => void) {
    const socket = new Socket()
    const own = new pg.Client({
      stream: () => socket,
      ...connectionOf(url, 'servidor'),
      query_timeout: 10_000,
    })
    const ended = Promise.withResolvers<void>()
    disconnect = ended.resolve
    own.on('error', () => ended.resolve())
    own.on('end', () => ended.resolve())
    own.on('notification', ({ payload }) => dispatch(payload ?? ''))
    const heartbeat = setInterval(() => void own.query('select 1').catch(() => ended.resolve()), HEARTBEAT_MS)
    try {
      await own.connect()
      await own.query(`listen ${CHANNEL}`)
      onReady()
      await ended.promise
    } finally {
      clearInterval(heartbeat)
      await Promise.race([own.end().catch(() => undefined), wait(END_MS, undefined, { ref: false })])
      socket.destroy()
    }
  }

  async function keepListening() {
    let failures = 0
    while (isWanted()) {
      await listen(() => {
        failures = 0
        for (const id of listeners.keys()) dispatch(`${id} resumed`)
      }).catch((err: unknown) => log.warn({ err }, 'notícias do banco interrompidas'))
      if (!isWanted()) break
      await wait(RETRY_MS[Math.min(failures++, RETRY_MS.length - 1)], undefined, {
        signal: stopping.signal,
      }).catch(() => undefined)
    }
    running = undefined
    // A subscriber may have been added after the last check.
    if (isWanted()) running = keepListening()
  }

  return {
    subscribe(order_id, listener) {
      const others = listeners.get(order_id) ?? new Set()
      listeners.set(order_id, others.add(listener))
      running ??= keepListening()
      return () => {
        others.delete(listener)
        if (others.size === 0 && listeners.get(order_id) === others) listeners.delete(order_id)
        if (!isWanted()) disconnect()
      }
    },
    async close() {
      isClosed = true
      stopping.abort()
      disconnect()
      await running
    },
  }
}
