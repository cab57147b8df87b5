import { PassThrough } from 'node:stream'
import { AppError, tooMany } from '@garantia/shared/errors'
import type { FastifyInstance } from 'fastify'
import { signedOrder } from '../features/system/live/service.ts'
import { noteRefusal } from '../http/note-refusal.ts'
import { anonymousContext } from '../http/session.ts'
import type { Ctx } from '../kernel/context.ts'
import { openOrderNotifications } from '../kernel/order-notifications.ts'

/** Shorter than the idle time after which proxies close a connection. */
const HEARTBEAT_MS = 20_000
/**
 * Maximum duration of a stream: the browser then reconnects, and its page fetches a new address when the old
 * one has expired, so that a revoked right ends.
 */
const LONGEST_MS = 15 * 60_000
/** Streams at once, so that one address that was passed on does not take all sockets: of a person, of an order. */
const MOST_OF_PERSON = 50
const MOST_OF_ORDER = 200
const TRY_AGAIN_SECONDS = 30
/** Changes within this time are sent as one message, since the page reloads its data at each. */
const GATHER_MS = 250

function refused(caller: Ctx) {
  const refusal = tooMany(TRY_AGAIN_SECONDS)
  noteRefusal(caller, refusal, 'GET /live')
  return refusal
}

/**
 * Serves `/live/:id/:signature`: server-sent events with the topics of an order that changed. They carry no
 * data; the page reads it through its usual calls, with its usual rights. 404 when the signature is wrong or
 * expired or its person's access was ended, which also ends a stream within a minute; 429 over the number of streams.
 */
export function serveLive(app: FastifyInstance, ctx: Ctx, heartbeat_ms = HEARTBEAT_MS) {
  const notifications = openOrderNotifications(ctx.config.DATABASE_URL, ctx.log)
  const open = new Map<PassThrough, { order_id: number; person: number }>()
  const countOf = (key: 'order_id' | 'person', value: number) =>
    [...open.values()].filter((stream) => stream[key] === value).length
  app.addHook('preClose', async () => {
    for (const stream of open.keys()) stream.end()
    await notifications.close()
  })
  app.get<{ Params: { id: string; signature: string } }>('/live/:id/:signature', async (request, reply) => {
    const caller = anonymousContext(ctx, request)
    const { id, signature } = request.params
    const { order_id, person } = await signedOrder(caller, id, signature)
    if (countOf('person', person) >= MOST_OF_PERSON || countOf('order_id', order_id) >= MOST_OF_ORDER)
      throw refused(caller)
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
    const beat = async () => {
      stream.write(':\n\n')
      // The database may be away for a moment: the stream goes on.
      const isOver = await signedOrder(caller, id, signature).then(
        () => false,
        (error) => error instanceof AppError,
      )
      if (isOver) stream.end()
    }
    const heartbeat = setInterval(beat, heartbeat_ms)
    const ending = setTimeout(() => stream.end(), LONGEST_MS)
    open.set(stream, { order_id, person })
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
