import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'

interface Http {
  request: FastifyRequest
  reply: FastifyReply
}

const named = (header: string) => header.split(',').map((tag) => tag.trim().replace(/^W\//, ''))

/** Whether the caller already holds what this tag names (RFC 9110, weak comparison). */
export function matchesEtag({ headers }: FastifyRequest, etag: string) {
  const tags = named(headers['if-none-match'] ?? '')
  return tags.includes('*') || tags.includes(etag.replace(/^W\//, ''))
}

/**
 * Answers 304 to a poll when nothing has changed since, for the price of reading the stamp. Without a stamp
 * the answer is made anew. Private: the same address answers others differently.
 */
export async function ifNoneMatch<T>({ request, reply }: Http, stamp: string | null, make: () => Promise<T>) {
  reply.header('cache-control', 'private, no-cache').header('vary', 'authorization')
  if (stamp === null) return make()
  const etag = `W/"${createHash('sha256').update(stamp).digest('base64url').slice(0, 22)}"`
  reply.header('etag', etag)
  return matchesEtag(request, etag) ? reply.code(304).send() : make()
}
