import { PassThrough, pipeline } from 'node:stream'
import formbody from '@fastify/formbody'
import multipart from '@fastify/multipart'
import { AppError } from '@garantia/shared/errors'
import type { FastifyInstance, FastifyRequest } from 'fastify'

/** Part of a file, as tus sends it. */
const PIECE = 'application/offset+octet-stream'
/** A body of at most 1 MB; whoever needs longer than this holds a connection, and sends nothing useful. */
const JSON_TIMEOUT_MS = 30_000

/** How bodies are read: JSON, forms and multipart, as they are, within a time. */
export function registerBodyParsers(app: FastifyInstance, timeout_ms = JSON_TIMEOUT_MS) {
  refuseEncoded(app)
  refuseSlow(app, timeout_ms)
  app.removeContentTypeParser('text/plain')
  app.removeContentTypeParser('application/json')
  const strict = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    // A POST without a body may still say that it is JSON.
    if (body === '') return done(null, undefined)
    void strict(request, body as string, (error, parsed) =>
      error
        ? done(new AppError('invalid', [{ loc: ['body'], msg: 'JSON decode error', type: 'json_invalid' }]))
        : done(null, parsed),
    )
  })
  app.addContentTypeParser(PIECE, (request, body, done) =>
    request.routeOptions.config.takesPieces
      ? done(null, body)
      : done(new AppError('unsupported', 'Tipo de conteúdo não aceito.')),
  )
  void app.register(formbody)
  void app.register(multipart)
}

const hasBody = ({ headers }: FastifyRequest) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/** A compressed body would be read as text or stored as it is, and could unpack to anything (RFC 9110, 15.5.16). */
function refuseEncoded(app: FastifyInstance) {
  app.addHook('onRequest', async (request, reply) => {
    const encoding = request.headers['content-encoding'] ?? 'identity'
    if (encoding === 'identity' || !hasBody(request)) return
    reply.header('accept-encoding', 'identity')
    throw new AppError('unsupported', 'Envie o corpo sem compressão (Content-Encoding: identity).')
  })
}

/** Uploads may take as long as the server's own limit allows; everything else is small. */
function refuseSlow(app: FastifyInstance, timeout_ms: number) {
  app.addHook('preParsing', async (request, _reply, payload) => {
    if (!hasBody(request) || isUpload(request)) return payload
    const body = new PassThrough()
    const timer = setTimeout(() => body.destroy(new BodyTimeout()), timeout_ms).unref()
    // Whoever reads `body` is told of its errors.
    pipeline(payload, body, () => clearTimeout(timer))
    return body
  })
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The body may be a piece of a file. */
    takesPieces?: boolean
  }
}

const isUpload = ({ headers }: FastifyRequest) =>
  headers['content-type']?.startsWith('multipart/') || headers['content-type'] === PIECE

export class BodyTimeout extends Error {
  readonly statusCode = 408
  constructor() {
    super('A requisição demorou demais para chegar.')
  }
}
