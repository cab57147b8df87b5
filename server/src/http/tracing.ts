import { beginRequest } from '@garantia/shared/tracing'
import { type Span, SpanStatusCode } from '@opentelemetry/api'
import type { FastifyInstance, FastifyRequest } from 'fastify'

/** The names of a batch of calls can be long. */
const LONGEST_NAME = 200

/** A span per request, named by the route's pattern: a URL may have a token or a document number. */
export function registerTracing(app: FastifyInstance) {
  const spans = new WeakMap<FastifyRequest, Span>()
  app.addHook('onRequest', (request, _reply, done) => {
    const attributes = { 'http.request.method': request.method, 'garantia.request_id': request.id }
    spans.set(request, beginRequest(request.headers, attributes, done))
  })
  app.addHook('onResponse', (request, reply, done) => {
    const span = spans.get(request)
    const route = routeOf(request)
    span?.updateName(`${request.method} ${route}`.slice(0, LONGEST_NAME))
    span?.setAttributes({ 'http.route': route, 'http.response.status_code': reply.statusCode })
    if (reply.statusCode >= 500) span?.setStatus({ code: SpanStatusCode.ERROR })
    span?.end()
    done()
  })
}

function routeOf({ routeOptions: { url = '' }, params }: FastifyRequest) {
  const { path } = (params ?? {}) as { path?: string }
  return url === '/trpc/:path' && path ? `/trpc/${path}` : url
}
