import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import type { Ctx } from '../kernel/context.ts'

const BEARER = /^Bearer +(\S+)$/i
/** The token of a request, or undefined; other schemes are none. */
export const tokenOf = (request: FastifyRequest) => BEARER.exec(request.headers.authorization ?? '')?.[1]

/** The context as the caller of this request. An unknown or expired token is nobody's. */
export async function contextOf(ctx: Ctx, request: FastifyRequest): Promise<Ctx> {
  const token = tokenOf(request)
  const person = token && (await ctx.sessions.personOf(token))
  return { ...ctx, log: request.log as Ctx['log'], actor: person || { kind: 'anonymous' } }
}

/** What a proxy forwards is text of its sender until it proves to be an address. */
export const originOf = (request: FastifyRequest) => ({
  ip: isIP(request.ip) ? request.ip : null,
  user_agent: request.headers['user-agent']?.slice(0, 300) ?? null,
})
