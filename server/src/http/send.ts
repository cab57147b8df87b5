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

/** How a file is handed out: saved and forgotten, or shown and asked for again. */
const SAVED = { type: 'attachment', cache: 'private, no-store' } as const
const SHOWN = { type: 'inline', cache: 'private, no-cache' } as const
type Disposition = typeof SAVED | typeof SHOWN

/** A file from a stranger's phone never runs in our origin: no sniffing, no scripts, under its own name (RFC 6266). */
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
    .header('content-security-policy', "default-src 'none'; sandbox")
    .header('cache-control', cache)
}

/** A body that nobody waits for any more is closed. */
function sendBody(reply: FastifyReply, body: Readable) {
  reply.raw.once('close', () => body.destroy())
  return reply.send(body)
}

/** What is written while it is read, so that nobody knows its length. */
export function sendStream(
  { reply }: Http,
  body: Readable,
  { filename, mime }: { filename: string; mime: string },
) {
  setDownloadHeaders(reply, filename, mime, SAVED)
  return sendBody(reply, body)
}

/** Something of known length that can be read from anywhere: a stored object, or a package made of many. */
interface Sendable extends Omit<StoredObject, 'key'> {
  read(range: ByteRange): Promise<Readable>
}

export const sendObject = (ctx: Ctx, object: StoredObject, http: Http) =>
  sendRange(sendable(ctx, object), http)
/** For a page that shows it; whether it may still be seen is asked each time. */
export const sendShown = (ctx: Ctx, object: StoredObject, http: Http) =>
  sendRange(sendable(ctx, object), http, SHOWN)
const sendable = (ctx: Ctx, object: StoredObject): Sendable => ({
  ...object,
  read: (range) => ctx.storage.read(object.key, range),
})

/** The whole, or a byte range of it (RFC 9110, one range; several are answered whole). */
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
  // Without a body at all, Fastify would overwrite the length with 0.
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
