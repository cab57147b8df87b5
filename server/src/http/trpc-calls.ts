import {
  type AnyTRPCProcedure,
  type AnyTRPCRouter,
  getTRPCErrorFromUnknown,
  getTRPCErrorShape,
  TRPCError,
  type TRPCErrorShape,
} from '@trpc/server'
import { getHTTPStatusCode } from '@trpc/server/http'
import type { FastifyInstance, FastifyRequest } from 'fastify'

interface Served<Context> {
  router: AnyTRPCRouter
  /** More calls in one request are refused. */
  most_in_batch: number
  contextOf(request: FastifyRequest): Promise<Context>
  onFailure(error: TRPCError, path: string | undefined): void
}
type Answer = { result: { data: unknown } } | { error: TRPCErrorShape }
interface Asked {
  path: string
  procedure: AnyTRPCProcedure | undefined
  place: number
}

/** An answer may be one of a stream elsewhere; tRPC's own adapter says so of every answer. */
const VARY = 'trpc-accept, accept'
const METHOD = { query: 'GET', mutation: 'POST', subscription: null } as const

const refused = (code: TRPCError['code'], message: string, cause?: unknown) =>
  new TRPCError({ code, message, cause })

/**
 * Serves the procedures of a router at `/:path`, with the answers of tRPC's adapter for Fastify (11.19), which
 * `tests/api/trpc-adapter.test.ts` compares. That one makes a web Request, a Response and a combined AbortSignal for
 * each call: half the processor time of a page of the list, most of it as garbage. Left out is what no client of
 * this server uses: subscriptions, streamed answers, bodies other than JSON.
 */
export function serveProcedures<Context>(app: FastifyInstance, served: Served<Context>) {
  const { router, onFailure } = served
  const { _config: config, procedures } = router._def
  app.removeContentTypeParser('application/json')
  // A broken body is an answer of each call.
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) =>
    done(null, body),
  )

  function failed(cause: unknown, { path, procedure }: Partial<Asked> = {}): Answer {
    const error = getTRPCErrorFromUnknown(cause)
    onFailure(error, path)
    const type = procedure?._def.type ?? 'unknown'
    return { error: getTRPCErrorShape({ config, error, type, path, input: undefined, ctx: undefined }) }
  }

  function askedIn(request: FastifyRequest, isBatch: boolean): Asked[] {
    refuseOtherBody(request)
    const { path } = request.params as { path: string }
    const paths = isBatch ? path.split(',') : [path]
    if (paths.length > served.most_in_batch) throw refused('BAD_REQUEST', 'Batch call exceeds maximum size')
    const asked = paths.map((path, place) => ({ path, place, procedure: procedureAt(path) }))
    const types = new Set(asked.flatMap(({ procedure }) => procedure?._def.type ?? []))
    if (types.size > 1)
      throw refused('BAD_REQUEST', `Cannot mix procedure types in call: ${[...types].join(', ')}`)
    return asked
  }
  const procedureAt = (path: string): AnyTRPCProcedure | undefined =>
    Object.hasOwn(procedures, path) ? procedures[path] : undefined

  async function answerTo(request: FastifyRequest): Promise<Answer | Answer[]> {
    const query = request.url.indexOf('?')
    const search = new URLSearchParams(query < 0 ? '' : request.url.slice(query))
    const isBatch = search.get('batch') === '1'
    let asked: Asked[]
    try {
      asked = askedIn(request, isBatch)
    } catch (error) {
      return failed(error)
    }
    // A failure is an answer of each call.
    const [context] = await Promise.allSettled([served.contextOf(request)])
    const inputs = inputsOf(request, search, isBatch)
    const answers = asked.map(async (one) => {
      try {
        const { path, procedure, place } = one
        if (!procedure) throw refused('NOT_FOUND', `No procedure found on path "${path}"`)
        const { type } = procedure._def
        if (METHOD[type] !== request.method)
          throw refused(
            'METHOD_NOT_SUPPORTED',
            `Unsupported ${request.method}-request to ${type} procedure at path "${path}"`,
          )
        const getRawInput = async () => (await inputs())[place]
        if (context.status === 'rejected') throw context.reason
        const ctx = context.value
        const data = await procedure({ path, type, ctx, getRawInput, signal: undefined, batchIndex: place })
        return { result: { data } }
      } catch (error) {
        return failed(error, one)
      }
    })
    const [only] = answers
    return isBatch || !only ? Promise.all(answers) : only
  }

  app.all('/:path', async (request, reply) => {
    if (request.method === 'HEAD') return reply.code(204).send()
    const answer = await answerTo(request)
    // With a serializer of its own, Fastify adds no character set to the type.
    return reply
      .code(getHTTPStatusCode(answer as Parameters<typeof getHTTPStatusCode>[0]))
      .headers({ vary: VARY, 'content-type': 'application/json' })
      .serializer(JSON.stringify)
      .send(answer)
  })
}

function refuseOtherBody({ method, headers }: FastifyRequest) {
  const type = headers['content-type']
  if (method === 'GET' || type?.startsWith('application/json')) return
  throw refused(
    'UNSUPPORTED_MEDIA_TYPE',
    type === undefined ? 'Missing content-type header' : `Unsupported content-type "${type}`,
  )
}

/** The inputs of a request by the place of the call, read when the first call asks for its own. */
function inputsOf(request: FastifyRequest, search: URLSearchParams, isBatch: boolean) {
  let inputs: Promise<Record<number, unknown>> | undefined
  async function read(): Promise<Record<number, unknown>> {
    const text =
      request.method === 'GET' ? search.get('input') || undefined : ((request.body as string) ?? '')
    if (text === undefined) return {}
    const given = parsed(text)
    if (!isBatch) return { 0: given }
    if (typeof given !== 'object' || given === null || Array.isArray(given))
      throw refused('BAD_REQUEST', '"input" needs to be an object when doing a batch call')
    return given as Record<number, unknown>
  }
  return () => {
    inputs ??= read()
    return inputs
  }
}
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw refused('BAD_REQUEST', (cause as Error).message, cause)
  }
}
