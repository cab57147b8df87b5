import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'

interface Http {
  request: FastifyRequest
  reply: FastifyReply
}

const named = (header: string) => header.split(',').map((tag) => tag.trim().replace(/^W\//, ''))

/** Whether `If-None-Match` names this entity tag (RFC 9110, weak comparison). */
export function matchesEtag({ headers }: FastifyRequest, etag: string) {
  const tags = named(headers['if-none-match'] ?? '')
  return tags.includes('*') || tags.includes(etag.replace(/^W\//, ''))
}

/**
 * Answers 304 when the caller's `If-None-Match` matches the stamp, at the cost of reading the stamp alone;
 * otherwise, or without a stamp, the result of `make`. Marked private, because the same address answers
 * different callers differently.
 */
export async function ifNoneMatch<T>({ request, reply }: Http, stamp: string | null, make: () => Promise<T>) {
  reply.header('cache-control', 'private, no-cache').header('vary', 'authorization')
  if (stamp === null) return make()
  const etag = `W/"${createHash('sha256').update(stamp).digest('base64url').slice(0, 22)}"`
  reply.header('etag', etag)
  return matchesEtag(request, etag) ? reply.code(304).send() : make()
}
