import { Readable } from 'node:stream'
import { create } from 'content-disposition'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Ctx } from '../kernel/context.ts'
import type { ByteRange, StoredObject } from '../kernel/storage/storage.ts'
import { matchesEtag } from './conditional-get.ts'

interface Http {
  request: FastifyRequest
  reply: FastifyReply
}

/** Of files and pages by users: no script, no other address, and shown in no page. */
export const FILE_POLICY = "default-src 'none'; sandbox; frame-ancestors 'none'"

/** How a file is sent: as a download that is not cached, or inline with revalidation at each use. */
const SAVED = { type: 'attachment', cache: 'private, no-store' } as const
const SHOWN = { type: 'inline', cache: 'private, no-cache' } as const
type Disposition = typeof SAVED | typeof SHOWN

/**
 * Headers for untrusted files, so that none runs in our origin: no content sniffing, no scripts (CSP
 * sandbox), and the file name encoded as RFC 6266 says.
 */
function setDownloadHeaders(
  reply: FastifyReply,
  filename: string,
  mime: string,
  { type, cache }: Disposition,
) {
  reply
    .header('content-disposition', create(filename, { type }))
    .header('content-type', mime)
    .header('x-content-type-options', 'nosniff')
    .header('content-security-policy', FILE_POLICY)
    .header('cache-control', cache)
}

/** Sends a stream and destroys it when the client disconnects. */
function sendBody(reply: FastifyReply, body: Readable) {
  reply.raw.once('close', () => body.destroy())
  return reply.send(body)
}

/** Sends a download whose length is not known in advance. */
export function sendStream(
  { reply }: Http,
  body: Readable,
  { filename, mime }: { filename: string; mime: string },
) {
  setDownloadHeaders(reply, filename, mime, SAVED)
  return sendBody(reply, body)
}

/** An object of known length with random access: a stored object, or a package of several. */
interface Sendable extends Omit<StoredObject, 'key'> {
  read(range: ByteRange): Promise<Readable>
}

/** Sends a stored object as a download, with ranges. */
export const sendObject = (ctx: Ctx, object: StoredObject, http: Http) =>
  sendRange(sendable(ctx, object), http)
/**
 * Sends a stored object for display in a page; it is revalidated, and the right to see it checked, at each
 * use.
 */
export const sendShown = (ctx: Ctx, object: StoredObject, http: Http) =>
  sendRange(sendable(ctx, object), http, SHOWN)
const sendable = (ctx: Ctx, object: StoredObject): Sendable => ({
  ...object,
  read: (range) => ctx.storage.read(object.key, range),
})

/**
 * Sends the whole object or one byte range (RFC 9110; a request for several ranges gets the whole): 200 or
 * 206, 304 when `If-None-Match` matches, 416 when the range starts behind the end.
 */
export async function sendRange(
  object: Sendable,
  { request, reply }: Http,
  disposition: Disposition = SAVED,
) {
  const wanted = rangeOf(request, object)
  if (wanted === 'unsatisfiable')
    return reply
      .code(416)
      .header('content-range', `bytes */${object.size}`)
      .send({ detail: 'Range Not Satisfiable' })
  setDownloadHeaders(reply, object.filename, object.mime, disposition)
  reply.header('accept-ranges', 'bytes').header('etag', object.etag)
  if (matchesEtag(request, object.etag)) return reply.code(304).send()
  const range = wanted ?? { start: 0, end: object.size - 1 }
  if (wanted) reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${object.size}`)
  reply.header('content-length', range.end - range.start + 1)
  // Without a body, Fastify would set the length to 0.
  if (request.method === 'HEAD') return reply.send(Readable.from([]))
  return sendBody(reply, await object.read(range))
}

function rangeOf({ headers }: FastifyRequest, { size, etag }: Sendable) {
  const [, from = '', to = ''] = /^bytes=(\d*)-(\d*)$/.exec(headers.range ?? '') ?? []
  const isRange = from === '' ? to !== '' : to === '' || Number(from) <= Number(to)
  if (!isRange || (headers['if-range'] && headers['if-range'] !== etag)) return null
  const start = from === '' ? Math.max(0, size - Number(to)) : Number(from)
  const end = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1)
  return start >= size ? 'unsatisfiable' : { start, end }
}
