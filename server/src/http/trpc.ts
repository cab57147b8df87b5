import { AppError, type Detail } from '@garantia/shared/errors'
import { initTRPC, type TRPCError } from '@trpc/server'
import type { FastifyRequest } from 'fastify'
import { ZodError } from 'zod'
import type { Ctx } from '../kernel/context.ts'
import { INTERNAL, issuesOf, placedIn, refusalFrom, statusOf, trpcErrorFrom } from './errors.ts'
import { noteRefusal } from './note-refusal.ts'
import { contextOf, originOf, tokenOf } from './session.ts'

/**
 * The tRPC context: the use case context, plus the origin, token and cookies that sign-in and sign-out need.
 */
export interface Call {
  ctx: Ctx
  origin: ReturnType<typeof originOf>
  token: string | undefined
  cookies: string | undefined
}
export const callOf =
  (ctx: Ctx) =>
  async (request: FastifyRequest): Promise<Call> => ({
    ctx: await contextOf(ctx, request),
    origin: originOf(request),
    token: tokenOf(request),
    cookies: request.headers.cookie,
  })

function detailOf(error: TRPCError): { detail: Detail; http_status: number } {
  const refusal = error.cause && refusalFrom(error.cause)
  if (refusal) return { detail: placedIn(refusal.detail, 'body'), http_status: statusOf(refusal) }
  if (error.code === 'NOT_FOUND') return { detail: 'Not Found', http_status: 404 }
  if (error.code === 'INTERNAL_SERVER_ERROR') return { detail: INTERNAL, http_status: 500 }
  return { detail: error.message, http_status: 400 }
}

const t = initTRPC.context<Call>().create({
  isDev: false,
  errorFormatter: ({ shape, error }) => {
    const { detail, http_status } = detailOf(error)
    return {
      code: shape.code,
      message: typeof detail === 'string' ? detail : 'Validation Error',
      data: { code: shape.data.code, detail, http_status },
    }
  },
})
export const router = t.router
/** One router of several features, for procedures under one name. */
export const mergeRouters = t.mergeRouters

/**
 * Translates AppErrors to tRPC errors, so that their codes reach the client. One middleware for both kinds of
 * procedure: tRPC copies a call's options for each.
 */
function translating(isForSignedIn: boolean) {
  return t.procedure.use(async ({ ctx, path, next, getRawInput }) => {
    if (isForSignedIn && ctx.ctx.actor.kind === 'anonymous')
      throw trpcErrorFrom(new AppError('unauthenticated', 'Not authenticated'))
    const result = await next()
    if (result.ok) return result
    const { cause } = result.error
    if (cause instanceof ZodError)
      throw trpcErrorFrom(new AppError('invalid', issuesOf(cause.issues, 'body', await getRawInput())))
    const refusal = cause && refusalFrom(cause)
    if (!refusal) return result
    noteRefusal(ctx.ctx, refusal, path)
    throw trpcErrorFrom(refusal)
  })
}

/** A procedure open to anonymous callers. */
export const anyone = translating(false)
/** A procedure for signed-in callers; refuses anonymous ones with 401 before their input is validated. */
export const signedIn = translating(true)
