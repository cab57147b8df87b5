import { isIP } from 'node:net'
import { API_TOKEN_PREFIX } from '@garantia/shared/tokens/schema'
import type { FastifyRequest } from 'fastify'
import { personOfApiToken } from '../kernel/api-tokens.ts'
import type { Ctx } from '../kernel/context.ts'

const BEARER = /^Bearer +(\S+)$/i
/** The token of a request, or undefined; other schemes are none. */
export const tokenOf = (request: FastifyRequest) => BEARER.exec(request.headers.authorization ?? '')?.[1]

/** The context as the caller of this request. An unknown or expired token is nobody's. */
export async function contextOf(ctx: Ctx, request: FastifyRequest): Promise<Ctx> {
  const token = tokenOf(request)
  const person = token && (await personOf(ctx, token))
  request.callerId = person ? person.id : null
  return { ...ctx, log: request.log as Ctx['log'], actor: person || { kind: 'anonymous' } }
}

const personOf = (ctx: Ctx, token: string) =>
  token.startsWith(API_TOKEN_PREFIX) ? personOfApiToken(ctx, token) : ctx.sessions.personOf(token)

declare module 'fastify' {
  interface FastifyRequest {
    /** Whose token the request bears, for the log. */
    callerId: number | null
  }
}

/** What a proxy forwards is text of its sender until it proves to be an address. */
export const originOf = (request: FastifyRequest) => ({
  ip: isIP(request.ip) ? request.ip : null,
  user_agent: request.headers['user-agent']?.slice(0, 300) ?? null,
})
