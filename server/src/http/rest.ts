import { AppError, type ErrorCode } from '@garantia/shared/errors'
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify'
import { z } from 'zod'
import type { Ctx } from '../kernel/context.ts'
import { issuesOf } from './errors.ts'
import { contextOf } from './session.ts'

type Shape = z.ZodObject
type Out<S extends Shape | undefined> = S extends Shape ? z.output<S> : undefined

interface Spec<P, Q, B> {
  method: HTTPMethods | HTTPMethods[]
  path: `/${string}` | `/${string}`[]
  /** What the call does, in Portuguese, for the document. */
  summary?: string
  /** Under which heading the document lists it; `endpoints.ts` gives one to a whole feature. */
  tag?: string
  /** Refusals that do not follow from the rest of the row. */
  errors?: readonly ErrorCode[]
  /** Open to callers without a token; everything else answers them 401. */
  public?: true
  params?: P
  query?: Q
  /** Request headers to be described; whoever speaks their protocol judges them. */
  headers?: Shape
  body?: B
  /** The body may also come as a web form, as OAuth2 clients send theirs. */
  form?: true
  /** A body that passes. */
  example?: B extends Shape ? z.input<B> : never
  /** `files` rows read their multipart body themselves. */
  files?: true
  /** The body is a piece of a file; only the last one is answered with a body. */
  piece?: 'required' | 'optional'
  reply?: z.ZodType
  /** What is sent instead of JSON. */
  media?: string | string[]
  /** What OPTIONS says beside the methods. */
  options?: (ctx: Ctx) => Record<string, string>
  /** Answers without a body. */
  empty?: true
  /** Answers byte ranges. */
  ranges?: true
  /** Answers 304 to who names the tag it already holds. */
  hasEtag?: true
  status?: number
}
interface Http {
  request: FastifyRequest
  reply: FastifyReply
}
export interface Endpoint extends Spec<Shape, Shape, Shape> {
  run: (ctx: Ctx, given: never, http: Http) => unknown
}

/** One row of the REST surface: what comes in, what goes out, which use case answers. */
export const endpoint = <
  P extends Shape | undefined = undefined,
  Q extends Shape | undefined = undefined,
  B extends Shape | undefined = undefined,
>(
  spec: Spec<P, Q, B>,
  run: (ctx: Ctx, given: { params: Out<P>; query: Out<Q>; body: Out<B> }, http: Http) => unknown,
): Endpoint => ({ ...(spec as Spec<Shape, Shape, Shape>), run })

/**
 * A URL can only carry text. Each field is read the way its schema means it; blank means absent. The schema
 * itself then judges the whole, with the rules that hold between fields.
 */
function coerceFromUrl(schema: Shape) {
  const readers = Object.entries(schema.shape).map(
    ([name, field]) => [name, readerOf(field as z.ZodType)] as const,
  )
  return z.preprocess((texts) => {
    const given = texts as Record<string, unknown>
    const read = readers.map(([name, reader]) => [name, reader(given[name])] as const)
    return Object.fromEntries(read.filter(([, value]) => value !== undefined))
  }, schema)
}
function readerOf(field: z.ZodType) {
  const kind = unwrapSchema(field)
  return (text: unknown) => {
    if (text === '') return undefined
    if (kind instanceof z.ZodNumber && typeof text === 'string' && /^-?\d+(\.\d+)?$/.test(text))
      return Number(text)
    if (kind instanceof z.ZodBoolean && (text === 'true' || text === 'false')) return text === 'true'
    return text
  }
}
export const unwrapSchema = (field: z.ZodType): z.ZodType =>
  'innerType' in field.def ? unwrapSchema(field.def.innerType as z.ZodType) : field

/** A path id is a plain positive number without sign, leading zero or exponent (D-01). */
const PATH_ID = /^[1-9]\d{0,14}$/

export const toArray = <T>(one: T | T[]) => (Array.isArray(one) ? one : [one])

export function mountRest(app: FastifyInstance, ctx: Ctx, endpoints: readonly Endpoint[]) {
  for (const { path, method, params, query, body, piece, status, run, public: isPublic } of endpoints) {
    const [urlParams, urlQuery] = [params && coerceFromUrl(params), query && coerceFromUrl(query)]
    for (const url of toArray(path))
      app.route({
        method,
        config: { takesPieces: piece !== undefined },
        url: url.replace(/\{(\w+)\}/g, ':$1'),
        handler: async (request, reply) => {
          const own = await contextOf(ctx, request)
          if (!isPublic && own.actor.kind === 'anonymous')
            throw new AppError('unauthenticated', 'Not authenticated')
          const given = {
            params: checkPath(params, urlParams, request.params),
            query: check('query', urlQuery, request.query),
            body: check('body', body, request.body),
          }
          reply.code(status ?? 200)
          return run(own, given as never, { request, reply })
        },
      })
  }
}

function check(where: string, schema: z.ZodType | undefined, value: unknown) {
  if (!schema) return undefined
  const given = value ?? {}
  const result = schema.safeParse(given)
  if (!result.success) throw new AppError('invalid', issuesOf(result.error.issues, where, given))
  return result.data
}
function checkPath(schema: Shape | undefined, coerced: z.ZodType | undefined, value: unknown) {
  for (const [name, text] of Object.entries((value ?? {}) as Record<string, string>)) {
    const field = schema?.shape[name] as z.ZodType | undefined
    if (field && unwrapSchema(field) instanceof z.ZodNumber && !PATH_ID.test(text))
      throw new AppError('invalid', [
        { loc: ['path', name], msg: 'Deve ser um número inteiro positivo', type: 'int_parsing' },
      ])
  }
  return check('path', coerced, value)
}

/** Methods that answer at a URL, for the Allow header of a 405. */
export function methodsAt(endpoints: readonly Endpoint[], base: string, ctx: Ctx) {
  const rows = endpoints.flatMap(({ path, method, options }) =>
    toArray(path).map((url) => ({
      pattern: new RegExp(`^${base}${url.replace(/\/$/, '').replace(/\{\w+\}/g, '[^/]+')}/?$`),
      methods: toArray(method).flatMap((one) => (one === 'GET' ? ['GET', 'HEAD'] : [one])),
      options: options?.(ctx),
    })),
  )
  return (url: string) => {
    const here = rows.filter(({ pattern }) => pattern.test(url))
    return {
      allowed: [...new Set(here.flatMap(({ methods }) => methods))],
      options: here.find(({ options }) => options)?.options ?? {},
    }
  }
}
