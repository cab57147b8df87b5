import { PassThrough } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { signedOrder } from '../features/system/live/service.ts'
import type { Ctx } from '../kernel/context.ts'
import { openOrderNotifications } from '../kernel/order-notifications.ts'

/** Shorter than the idle time after which proxies close a connection. */
const HEARTBEAT_MS = 20_000
/**
 * Maximum duration of a stream: the browser then reconnects, and its page fetches a new address when the old
 * one has expired, so that a revoked right ends.
 */
const LONGEST_MS = 15 * 60_000
/** Changes within this time are sent as one message, since the page reloads its data at each. */
const GATHER_MS = 250

/**
 * Serves `/live/:id/:signature`: server-sent events with the topics of an order that changed. They carry no
 * data; the page reads it through its usual calls, with its usual rights. 404 when the signature is wrong or
 * expired.
 */
export function serveLive(app: FastifyInstance, ctx: Ctx) {
  const notifications = openOrderNotifications(ctx.config.DATABASE_URL, ctx.log)
  const open = new Set<PassThrough>()
  app.addHook('preClose', async () => {
    for (const stream of open) stream.end()
    await notifications.close()
  })
  app.get<{ Params: { id: string; signature: string } }>('/live/:id/:signature', async (request, reply) => {
    const order_id = signedOrder(ctx, request.params.id, request.params.signature)
    const stream = new PassThrough()
    const pendingTopics = new Set<string>()
    let gathering: NodeJS.Timeout | undefined
    const send = () => {
      gathering = undefined
      stream.write(`data: ${JSON.stringify([...pendingTopics])}\n\n`)
      pendingTopics.clear()
    }
    const forget = notifications.subscribe(order_id, (topic) => {
      pendingTopics.add(topic)
      gathering ??= setTimeout(send, GATHER_MS)
    })
    const heartbeat = setInterval(() => stream.write(':\n\n'), HEARTBEAT_MS)
    const ending = setTimeout(() => stream.end(), LONGEST_MS)
    open.add(stream)
    const leave = () => {
      forget()
      clearInterval(heartbeat)
      clearTimeout(ending)
      clearTimeout(gathering)
      open.delete(stream)
      stream.destroy()
    }
    stream.once('finish', leave)
    reply.raw.once('close', leave)
    stream.write('retry: 2000\n\n')
    return reply
      .header('cache-control', 'no-store')
      .header('x-accel-buffering', 'no')
      .type('text/event-stream; charset=utf-8')
      .send(stream)
  })
}
