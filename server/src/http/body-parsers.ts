import { PassThrough, pipeline } from 'node:stream'
import formbody from '@fastify/formbody'
import multipart from '@fastify/multipart'
import { AppError, unsupported } from '@garantia/shared/errors'
import type { FastifyInstance, FastifyRequest } from 'fastify'

/** Content type of a part of a file, as tus sends it. */
const PIECE = 'application/offset+octet-stream'
const REFUSED_TYPE = 'Tipo de conteúdo não aceito.'
/** Time limit for a body of at most 1 MB; a slower caller would only occupy a connection. */
const JSON_TIMEOUT_MS = 30_000

/**
 * Registers how bodies are read: JSON, forms, multipart and pieces of files, uncompressed and within a time
 * limit. Callers get 415 for a compressed body or another content type, 408 after `timeout_ms`, 422 for
 * broken JSON.
 */
export function registerBodyParsers(app: FastifyInstance, timeout_ms = JSON_TIMEOUT_MS) {
  refuseEncoded(app)
  refuseSlow(app, timeout_ms)
  app.removeContentTypeParser('text/plain')
  app.removeContentTypeParser('application/json')
  const strict = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    // A POST without a body may still declare JSON.
    if (body === '') return done(null, undefined)
    void strict(request, body as string, (error, parsed) =>
      error
        ? done(new AppError('invalid', [{ loc: ['body'], msg: 'JSON decode error', type: 'json_invalid' }]))
        : done(null, parsed),
    )
  })
  app.addContentTypeParser(PIECE, (request, body, done) =>
    request.routeOptions.config.takesPieces ? done(null, body) : done(unsupported(REFUSED_TYPE)),
  )
  void app.register(formbody)
  void app.register(multipart)
}

const hasBody = ({ headers }: FastifyRequest) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/**
 * Refuses compressed bodies with 415: they would be read as text or stored as they are, and could unpack to
 * any size (RFC 9110, 15.5.16).
 */
function refuseEncoded(app: FastifyInstance) {
  app.addHook('onRequest', (request, reply, done) => {
    const encoding = request.headers['content-encoding'] ?? 'identity'
    if (encoding === 'identity' || !hasBody(request)) return done()
    reply.header('accept-encoding', 'identity')
    done(unsupported('Envie o corpo sem compressão (Content-Encoding: identity).'))
  })
}

/**
 * Refuses every other body with 415 before a byte of it is read. For tRPC, whose plugin (11.19) would read a form of
 * any length into memory.
 */
export function refuseAllButJson(app: FastifyInstance) {
  app.addHook('onRequest', (request, _reply, done) => {
    const type = request.headers['content-type']?.split(';')[0]?.trim().toLowerCase()
    done(hasBody(request) && type !== 'application/json' ? unsupported(REFUSED_TYPE) : undefined)
  })
}

/**
 * Applies the time limit to everything but uploads, which may take as long as the server's request timeout.
 */
function refuseSlow(app: FastifyInstance, timeout_ms: number) {
  app.addHook('preParsing', (request, _reply, payload, done) => {
    if (!hasBody(request) || isUpload(request)) return done(null, payload)
    const body = new PassThrough()
    const timer = setTimeout(() => body.destroy(new BodyTimeout()), timeout_ms).unref()
    // The reader of `body` gets its errors.
    pipeline(payload, body, () => clearTimeout(timer))
    done(null, body)
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

/** The body took too long to arrive; answered as 408. */
export class BodyTimeout extends Error {
  readonly statusCode = 408
  constructor() {
    super('A requisição demorou demais para chegar.')
  }
}
