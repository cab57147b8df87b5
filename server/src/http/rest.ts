import { AppError, type ErrorCode } from '@garantia/shared/errors'
import { type Action, authorizeSome } from '@garantia/shared/policy'
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify'
import { z } from 'zod'
import type { Ctx } from '../kernel/context.ts'
import { issuesOf } from './errors.ts'
import { noteRefusal } from './note-refusal.ts'
import { contextOf } from './session.ts'

type Shape = z.ZodObject
type Out<S extends Shape | undefined> = S extends Shape ? z.output<S> : undefined

interface Spec<P, Q, B> {
  method: HTTPMethods | HTTPMethods[]
  path: `/${string}` | `/${string}`[]
  /** What the call does, in Portuguese, for the OpenAPI document. */
  summary?: string
  /** Tag in the document; `endpoints.ts` sets one per feature. */
  tag?: string
  /** Error codes that cannot be derived from the other properties. */
  errors?: readonly ErrorCode[]
  /** Refused before the input is judged when the caller has no right to it on any subject. */
  action?: Action
  /** Open to callers without a token; all other endpoints answer them 401. */
  public?: true
  params?: P
  query?: Q
  /** Request headers for the document; they are validated by the handler of their protocol. */
  headers?: Shape
  body?: B
  /** The body may also be form-encoded, as OAuth2 clients send it. */
  form?: true
  /** A valid body, for the document. */
  example?: B extends Shape ? z.input<B> : never
  /**
   * The handler reads the multipart body itself: files that are stored, whose fields may also be in the URL,
   * or one that is read.
   */
  files?: 'many' | 'one'
  /** The body is a piece of a file; only the last piece is answered with a body. */
  piece?: 'required' | 'optional'
  reply?: z.ZodType
  /** Content type of the response, when it is not JSON. */
  media?: string | string[]
  /** Headers of the OPTIONS response besides `Allow`. */
  options?: (ctx: Ctx) => Record<string, string>
  /** The response has no body. */
  empty?: true
  /** Supports byte ranges (206, 416). */
  ranges?: true
  /** Answers 304 when `If-None-Match` matches. */
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

/** Declares one REST endpoint: its input, its output and the use case that answers. */
export const endpoint = <
  P extends Shape | undefined = undefined,
  Q extends Shape | undefined = undefined,
  B extends Shape | undefined = undefined,
>(
  spec: Spec<P, Q, B>,
  run: (ctx: Ctx, given: { params: Out<P>; query: Out<Q>; body: Out<B> }, http: Http) => unknown,
): Endpoint => ({ ...(spec as Spec<Shape, Shape, Shape>), run })

/**
 * URLs carry only text: each field is converted to the type its schema expects, blank counts as absent, then
 * the schema validates the whole, including rules between fields.
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
/** The schema inside optional, nullable, default and similar wrappers. */
export const unwrapSchema = (field: z.ZodType): z.ZodType =>
  'innerType' in field.def ? unwrapSchema(field.def.innerType as z.ZodType) : field

/** A path id is a positive integer without sign, leading zero or exponent (D-01). */
const PATH_ID = /^[1-9]\d{0,14}$/

export const toArray = <T>(one: T | T[]) => (Array.isArray(one) ? one : [one])

/**
 * Mounts the endpoints. Each request gets the caller's context, then 401 without a token unless the endpoint
 * is public, 422 when path, query or body do not fit their schemas.
 */
export function mountRest(app: FastifyInstance, ctx: Ctx, endpoints: readonly Endpoint[]) {
  for (const {
    path,
    method,
    params,
    query,
    body,
    piece,
    status,
    action,
    run,
    public: isPublic,
  } of endpoints) {
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
          try {
            if (action) authorizeSome(own.actor, action)
            const given = {
              params: checkPath(params, urlParams, request.params),
              query: check('query', urlQuery, request.query),
              body: check('body', body, request.body),
            }
            reply.code(status ?? 200)
            return await run(own, given as never, { request, reply })
          } catch (error) {
            noteRefusal(own, error, `${request.method} ${url}`)
            throw error
          }
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

/** Looks up the methods of a URL, for the `Allow` header of a 405 or OPTIONS response. */
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
