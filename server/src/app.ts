import cors from '@fastify/cors'
import { MAX_BATCH } from '@garantia/shared/batch'
import type { AppError } from '@garantia/shared/errors'
import { isServerAddress } from '@garantia/shared/server-addresses'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import { config as configureZod } from 'zod'
import { serveDirectory } from './api/directory.ts'
import { endpoints } from './api/endpoints.ts'
import { serveLive } from './api/live.ts'
import { serveMedia } from './api/media.ts'
import { serveProbes } from './api/probes.ts'
import { appRouter } from './api/router.ts'
import { serveVerifier } from './api/verifier.ts'
import { toolsInUse } from './features/system/health/service.ts'
import { type OnAnswer, registerAccessLog, requestIdOf } from './http/access-log.ts'
import { BodyTimeout, refuseAllButJson, registerBodyParsers } from './http/body-parsers.ts'
import { registerDefaultHeaders } from './http/default-headers.ts'
import { serveDocs } from './http/docs.ts'
import { INTERNAL, placedIn, refusalFrom, statusOf } from './http/errors.ts'
import { methodsAt, mountRest } from './http/rest.ts'
import { registerCallers } from './http/session.ts'
import { serveClient } from './http/static.ts'
import { registerTracing } from './http/tracing.ts'
import { callOf } from './http/trpc.ts'
import { serveProcedures } from './http/trpc-calls.ts'
import { giveUp, refuseUnreadable } from './http/unreadable.ts'
import { zodErrorMap } from './http/zod-messages.ts'
import type { Ctx } from './kernel/context.ts'

// Default validation messages are in Portuguese too.
configureZod({ customError: zodErrorMap })

const API = '/api/v1'
const JSON_LIMIT = 1_048_576
const REQUEST_TIMEOUT_MS = 15 * 60_000

/** Builds the server without listening, so that tests can inject requests. `onAnswer` is called for each of them. */
export async function buildApp(ctx: Ctx, onAnswer?: OnAnswer): Promise<FastifyInstance> {
  const app = Fastify({
    loggerInstance: ctx.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: JSON_LIMIT,
    requestTimeout: REQUEST_TIMEOUT_MS,
    forceCloseConnections: 'idle',
    trustProxy: ctx.config.TRUSTED_PROXIES.length > 0 && ctx.config.TRUSTED_PROXIES,
    genReqId: requestIdOf,
    // A tRPC batch lists all its procedures in one parameter; the client keeps URLs under 4 000 characters.
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 5_000 },
    clientErrorHandler: refuseUnreadable,
    // These responses skip all hooks, including those that set the request id and the security headers.
    frameworkErrors: (error, request, reply) =>
      handleError(
        error,
        request,
        reply.headers({
          'x-request-id': request.id,
          'content-security-policy': "default-src 'none'",
          'x-content-type-options': 'nosniff',
        }) as unknown as FastifyReply,
      ),
  })
  if (ctx.config.OTEL_EXPORTER_OTLP_ENDPOINT) registerTracing(app)
  registerAccessLog(app, onAnswer)
  registerDefaultHeaders(app, { isHttps: ctx.config.app_url.startsWith('https:') })
  await allowOrigins(app, ctx)
  registerBodyParsers(app)
  registerCallers(app)
  app.setErrorHandler(handleError)
  await app.register(
    async (api) => {
      mountRest(api, ctx, endpoints)
    },
    { prefix: API },
  )
  await app.register(
    async (trpc) => {
      refuseAllButJson(trpc)
      serveProcedures(trpc, {
        router: appRouter,
        most_in_batch: MAX_BATCH,
        contextOf: callOf(ctx),
        onFailure(error, path) {
          if (error.code === 'INTERNAL_SERVER_ERROR')
            ctx.log.error({ err: error.cause ?? error, path }, 'falha')
        },
      })
    },
    { prefix: '/trpc' },
  )
  serveMedia(app, ctx)
  serveDirectory(app, ctx)
  serveDocs(app, () => toolsInUse(ctx))
  serveLive(app, ctx)
  serveVerifier(app, ctx)
  serveProbes(app, ctx)
  const hasClient = await serveClient(app)
  const allowedAt = methodsAt(endpoints, API, ctx)
  app.setNotFoundHandler((request, reply) => {
    const url = request.url.split('?')[0] ?? ''
    const isOurs = isServerAddress(url)
    const isPage = ['GET', 'HEAD'].includes(request.method) && request.headers.accept?.includes('text/html')
    if (hasClient && !isOurs && isPage)
      return reply.header('cache-control', 'no-cache').sendFile('index.html')
    const { allowed, options } = allowedAt(url)
    if (allowed.length > 0 && request.method === 'OPTIONS')
      return reply
        .code(204)
        .headers(options)
        .header('allow', [...allowed, 'OPTIONS'].join(', '))
        .send()
    if (allowed.length > 0 && !allowed.includes(request.method))
      return reply.code(405).header('allow', allowed.join(', ')).send({ detail: 'Method Not Allowed' })
    return reply.code(404).send({ detail: 'Not Found' })
  })
  return app
}

/** Response headers readable by scripts of another origin (CORS). */
const EXPOSED = [
  'x-request-id',
  'etag',
  'retry-after',
  'content-disposition',
  'content-range',
  'accept-ranges',
  'allow',
  'location',
  'tus-resumable',
  'tus-version',
  'tus-extension',
  'tus-max-size',
  'upload-offset',
  'upload-length',
  'upload-metadata',
  'upload-expires',
  'upload-evidence-id',
]

async function allowOrigins(app: FastifyInstance, { config }: Ctx) {
  if (config.CORS_ORIGINS.length > 0)
    await app.register(cors, {
      origin: config.CORS_ORIGINS,
      credentials: true,
      maxAge: 600,
      methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
      exposedHeaders: EXPOSED,
    })
}

const FRAMEWORK_DETAIL: Partial<Record<string, string>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'O corpo da requisição passa de 1 MB.',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'Tipo de conteúdo não aceito.',
  FST_ERR_BAD_URL: 'Not Found',
}

/**
 * Translates every failure to a response: AppErrors to their status, with `Retry-After` where it applies;
 * unexpected errors are logged and answered 500 without details.
 */
/** Set for a file; when its stream fails before the first byte they do not fit the answer that says so. */
const FILE_HEADERS = [
  'content-type',
  'content-length',
  'content-disposition',
  'content-range',
  'accept-ranges',
  'etag',
]

function handleError(error: FastifyError | AppError, request: FastifyRequest, reply: FastifyReply) {
  if (!reply.raw.headersSent)
    for (const name of FILE_HEADERS) {
      reply.removeHeader(name)
      // Fastify has handed them over by then, and asks there too.
      reply.raw.removeHeader(name)
    }
  const refusal = refusalFrom(error)
  if (refusal) {
    if (refusal.code === 'unauthenticated') reply.header('www-authenticate', 'Bearer')
    const wait = refusal.retryAfter ?? (refusal.code === 'unavailable' ? 5 : undefined)
    if (wait !== undefined) reply.header('retry-after', String(wait))
    if (refusal.cause) request.log.warn({ err: refusal.cause }, 'recusa')
    return reply.code(statusOf(refusal)).send({ detail: placedIn(refusal.detail, 'body') })
  }
  // Its sender has already let the answer's time pass, and may go on sending.
  if (error instanceof BodyTimeout) reply.raw.once('finish', () => giveUp(request.raw.socket))
  const { statusCode = 500, code } = error as FastifyError
  if (code === 'FST_ERR_BAD_URL') return reply.code(404).send({ detail: 'Not Found' })
  if (statusCode >= 500) {
    request.log.error({ err: error }, 'falha')
    return reply.code(500).send({ detail: INTERNAL })
  }
  return reply.code(statusCode).send({ detail: FRAMEWORK_DETAIL[code] ?? error.message })
}
