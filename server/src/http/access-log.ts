import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'

const SANE = /^[\w.-]{8,64}$/

/**
 * The id of a request: the caller's `x-request-id` (8 to 64 letters, digits, `.`, `_` or `-`), so that the
 * logs of both sides can be matched; a new UUID for anything else.
 */
export function requestIdOf({ headers }: Pick<IncomingMessage, 'headers'>) {
  const given = headers['x-request-id']
  return typeof given === 'string' && SANE.test(given) ? given : randomUUID()
}

/**
 * Logs one line per response, with the route's pattern instead of the URL, so that no token or document
 * number is logged.
 */
export function registerAccessLog(app: FastifyInstance) {
  app.decorateRequest('callerId', null)
  // Looking for credentials costs ten times as much as writing the line, and these fields cannot have any.
  const log = app.log.child({}, { redact: { paths: [] } })
  app.addHook('onResponse', (request, reply, done) => {
    log.info(
      {
        reqId: request.id,
        method: request.method,
        route: request.routeOptions.url,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
        user_id: request.callerId,
      },
      'resposta',
    )
    done()
  })
}
