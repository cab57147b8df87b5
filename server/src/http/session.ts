import { isIP } from 'node:net'
import { IDLE_HEADER } from '@garantia/shared/auth/idle'
import { API_TOKEN_PREFIX } from '@garantia/shared/tokens/schema'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { personOfApiToken } from '../kernel/api-tokens.ts'
import type { Ctx } from '../kernel/context.ts'
import { callers } from '../kernel/fair-pool.ts'
import { networkOf } from '../kernel/origin.ts'

const BEARER = /^Bearer +(\S+)$/i
/** The bearer token of a request; undefined without one or with another scheme. */
export const tokenOf = (request: FastifyRequest) => BEARER.exec(request.headers.authorization ?? '')?.[1]

/**
 * Whoever calls shares the database's connections with others. Who it is, is known when the token was looked up; until
 * then a caller counts as anonymous, since anybody can send an invented token.
 */
export function registerCallers(app: FastifyInstance) {
  app.addHook('preHandler', (request, _, done) => {
    const known = callerKeys.get(tokenOf(request) ?? '')
    const caller_key = known ?? `network ${networkOf(originOf(request).ip)}`
    callers.run({ caller_key, isAnonymous: known === undefined }, done)
  })
}

/** Whose token it was the last time, so that looking it up again counts for that person. */
const callerKeys = new Map<string, string>()
const MOST_REMEMBERED = 5_000
function rememberCaller(token: string, caller_key: string) {
  const [oldest] = callerKeys.keys()
  if (callerKeys.size >= MOST_REMEMBERED && oldest !== undefined) callerKeys.delete(oldest)
  callerKeys.set(token, caller_key)
  return caller_key
}

/** The context with the caller of this request as actor; anonymous when the token is unknown or expired. */
export async function contextOf(ctx: Ctx, request: FastifyRequest): Promise<Ctx> {
  const token = tokenOf(request)
  const anonymous = anonymousContext(ctx, request)
  const person = token && (await personOf(anonymous, token, request.headers[IDLE_HEADER] === undefined))
  request.callerId = person ? person.id : null
  const caller = callers.getStore()
  if (caller && token && person)
    Object.assign(caller, { caller_key: rememberCaller(token, `person ${person.id}`), isAnonymous: false })
  return person ? { ...anonymous, actor: person } : anonymous
}

/** The context of a request that is not asked who sends it. */
export const anonymousContext = (ctx: Ctx, request: FastifyRequest): Ctx => ({
  ...ctx,
  log: request.log as Ctx['log'],
  actor: { kind: 'anonymous' },
  origin: originOf(request),
  isGone: () => request.raw.socket.destroyed,
})

const personOf = (ctx: Ctx, token: string, isUsed: boolean) =>
  token.startsWith(API_TOKEN_PREFIX) ? personOfApiToken(ctx, token) : ctx.sessions.personOf(token, isUsed)

declare module 'fastify' {
  interface FastifyRequest {
    /** Id of the person whose token was sent, for the access log. */
    callerId: number | null
  }
}

/**
 * Address and browser of the caller. A forwarded address is untrusted text, so it is dropped unless it is a
 * valid IP.
 */
export const originOf = (request: FastifyRequest) => ({
  ip: isIP(request.ip) ? request.ip : null,
  user_agent: request.headers['user-agent']?.slice(0, 300) ?? null,
})
