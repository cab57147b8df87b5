import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'

const SANE = /^[\w.-]{8,64}$/

/** A caller may name its request, so that one name runs through the logs of both; anything odd is replaced. */
export function requestIdOf({ headers }: Pick<IncomingMessage, 'headers'>) {
  const given = headers['x-request-id']
  return typeof given === 'string' && SANE.test(given) ? given : randomUUID()
}

/** One line an answer: the route's pattern, never its address, so that no token or document is written down. */
export function registerAccessLog(app: FastifyInstance) {
  app.decorateRequest('callerId', null)
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id)
  })
  app.addHook('onResponse', async (request, reply) => {
    request.log.info(
      {
        method: request.method,
        route: request.routeOptions.url,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
        user_id: request.callerId,
      },
      'resposta',
    )
  })
}
