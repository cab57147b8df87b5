import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

const SANE = /^[\w.-]{8,64}$/

/**
 * The id of a request: the caller's `x-request-id` (8 to 64 letters, digits, `.`, `_` or `-`), so that the
 * logs of both sides can be matched; a new UUID for anything else.
 */
export function requestIdOf({ headers }: Pick<IncomingMessage, 'headers'>) {
  const given = headers['x-request-id']
  return typeof given === 'string' && SANE.test(given) ? given : randomUUID()
}

export type OnAnswer = (request: FastifyRequest, reply: FastifyReply) => void

/** Asked every few seconds by a proxy or a supervisor. */
const PROBES = new Set(['/livez', '/readyz', '/api/v1/utils/health-check'])

/** The numbers in a route's parameters: ids of orders, files, people. */
const idsOf = (params: unknown) =>
  Object.fromEntries(
    Object.entries((params ?? {}) as Record<string, string>).filter(([, value]) => /^\d{1,15}$/.test(value)),
  )

/**
 * Logs one line per response, with the route's pattern instead of the URL, so that no token or document
 * number is logged; those of probes at debug level.
 */
export function registerAccessLog(app: FastifyInstance, onAnswer?: OnAnswer) {
  app.decorateRequest('callerId', null)
  // Looking for credentials costs ten times as much as writing the line, and these fields cannot have any.
  const log = app.log.child({}, { redact: { paths: [] } })
  app.addHook('onResponse', (request, reply, done) => {
    onAnswer?.(request, reply)
    const level = PROBES.has(request.routeOptions.url ?? '') && reply.statusCode < 500 ? 'debug' : 'info'
    log[level](
      {
        reqId: request.id,
        method: request.method,
        route: request.routeOptions.url,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
        user_id: request.callerId,
        ...idsOf(request.params),
      },
      'resposta',
    )
    done()
  })
}
