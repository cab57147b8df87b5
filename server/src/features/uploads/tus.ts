import { EventEmitter } from 'node:events'
import { PassThrough, Readable } from 'node:stream'
import { AppError, conflict, invalid, notFound, tooLarge, unsupported } from '@garantia/shared/errors'
import type { UploadResult } from '@garantia/shared/evidence/schema'
import { UPLOAD_HOURS, uploadMetadata } from '@garantia/shared/evidence/upload'
import { DataStore, ERRORS, Server, TUS_RESUMABLE, Upload } from '@tus/server'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { BodyTimeout } from '../../http/bodies.ts'
import { issuesOf } from '../../http/errors.ts'
import type { Ctx } from '../../kernel/context.ts'
import type { Hold } from '../../kernel/holds.ts'
import {
  beginUpload,
  dropUpload,
  holdUpload,
  MISSING,
  maxUpload,
  offsetOf,
  ownUpload,
  takePiece,
  type UploadRow,
} from './service.ts'

const PIECE = 'application/offset+octet-stream'
const EXTENSIONS = ['creation', 'creation-with-upload', 'termination', 'expiration']
const HOUR_MS = 3_600_000

/** What OPTIONS tells before anybody begins. */
export const capabilities = (ctx: Ctx) => ({
  'tus-resumable': TUS_RESUMABLE,
  'tus-version': TUS_RESUMABLE,
  'tus-extension': EXTENSIONS.join(','),
  'tus-max-size': String(maxUpload(ctx)),
})

/** Who is asked to let go of an upload gets this long to write what has come. */
const DRAIN_MS = 500
/** Headers of ours are set by the app; the library's CORS is none of its business. */
const NOT_PASSED_ON = /^(access-control-.*|content-length|content-type)$/

interface Http {
  request: FastifyRequest
  reply: FastifyReply
}

/** One call of the tus protocol: the library speaks it, our use cases decide. */
export async function speakTus(ctx: Ctx, { request, reply }: Http) {
  reply.header('tus-resumable', TUS_RESUMABLE)
  refuseStrangers(request, reply)
  const call: Call = { hold: null, upload: null, result: null, failure: null }
  const line = new EventEmitter()
  const body = bodyOf(request, line, ctx.config.UPLOAD_STALL_SECONDS * 1_000)
  try {
    const answer = await serverFor(ctx, request, call).handleWeb(asWebRequest(request, line, body))
    if (body?.isStalled()) throw new BodyTimeout()
    if (call.failure) throw inOurWords(call.failure)
    if (answer.status >= 400) throw inOurWords(await answer.text())
    for (const [name, value] of answer.headers) if (!NOT_PASSED_ON.test(name)) reply.header(name, value)
    const evidence_id = call.result ? idOf(call.result) : call.upload?.evidence_id
    if (evidence_id) reply.header('upload-evidence-id', evidence_id)
    if (call.result) return reply.code(request.method === 'POST' ? 201 : 200).send(call.result)
    return reply.code(answer.status).send()
  } finally {
    body?.leave()
  }
}

interface Call {
  hold: Hold | null
  upload: UploadRow | null
  result: UploadResult | null
  failure: unknown
}
const idOf = ({ uploaded, skipped }: UploadResult) => uploaded[0]?.id ?? skipped[0]?.evidence_id

/** The library made for one caller; what it asks for on the way is kept in `call`. */
function serverFor(ctx: Ctx, request: FastifyRequest, call: Call) {
  const { id } = request.params as { id?: string }
  return new Server({
    path: request.routeOptions.url ?? '',
    relativeLocation: true,
    datastore: storeFor(ctx, call),
    maxSize: maxUpload(ctx),
    lockDrainTimeout: DRAIN_MS,
    locker: {
      newLock: (id) => ({
        async lock(_, wanted) {
          call.hold = await holdUpload(ctx, id, () => void wanted())
        },
        async unlock() {
          await call.hold?.release()
        },
      }),
    },
    namingFunction: () => crypto.randomUUID(),
    getFileIdFromRequest: () => id,
    onIncomingRequest: async (_, id) => {
      if (request.method !== 'POST') await ownUpload(ctx, id)
    },
    onResponseError: (_, error) => {
      call.failure = error
      return undefined
    },
  })
}

/** Every method runs under the lock and reads the row anew: before it, somebody else had the upload. */
function storeFor(ctx: Ctx, call: Call): DataStore {
  return Object.assign(new DataStore(), {
    extensions: EXTENSIONS,
    getExpiration: () => UPLOAD_HOURS * HOUR_MS,
    async create(wanted: Upload) {
      call.upload = await beginUpload(ctx, wanted.id, wanted.size ?? 0, aboutOf(wanted))
      wanted.creation_date = call.upload.created_at.toISOString()
      return wanted
    },
    async getUpload(id: string) {
      const upload = await ownUpload(ctx, id)
      call.upload = upload
      return new Upload({
        id,
        size: upload.size,
        offset: await offsetOf(ctx, upload),
        metadata: metadataOf(upload),
        creation_date: upload.created_at.toISOString(),
      })
    },
    async write(body: Readable, id: string, offset: number) {
      if (!call.hold || call.upload?.id !== id) throw new Error('written without its lock')
      const taken = await takePiece(ctx, call.upload, offset, body, call.hold)
      call.result = taken.result ?? null
      return taken.offset
    },
    async remove(id: string) {
      await dropUpload(ctx, await ownUpload(ctx, id))
    },
  })
}

function aboutOf({ metadata = {} }: Upload) {
  const { order_id } = metadata
  const given = {
    ...metadata,
    order_id: /^[1-9]\d{0,14}$/.test(order_id ?? '') ? Number(order_id) : order_id,
  }
  const read = uploadMetadata.safeParse(given)
  if (!read.success) throw new AppError('invalid', issuesOf(read.error.issues, 'header', given))
  return read.data
}

const metadataOf = ({ order_id, filename, category, description, sha256 }: UploadRow) =>
  Object.fromEntries(
    Object.entries({ order_id: String(order_id), filename, category, description, sha256 }).filter(
      ([, value]) => value !== null,
    ),
  )

function refuseStrangers({ method, headers }: FastifyRequest, reply: FastifyReply) {
  if (headers['tus-resumable'] !== TUS_RESUMABLE) {
    reply.header('tus-version', TUS_RESUMABLE)
    throw new AppError('precondition', `Envie Tus-Resumable: ${TUS_RESUMABLE}.`)
  }
  const isPiece = method === 'PATCH' || (method === 'POST' && headers['content-type'] !== undefined)
  if (isPiece && headers['content-type'] !== PIECE) throw unsupported(`Envie os bytes como ${PIECE}.`)
}

/**
 * The bytes of a piece. A caller who goes away, or sends nothing for a while, ends the piece; what had come
 * is kept. Whoever is refused while still sending reads the refusal, since the rest is read away.
 */
function bodyOf({ body: source }: FastifyRequest, line: EventEmitter, stall_ms: number) {
  if (!(source instanceof Readable)) return null
  const stream = new PassThrough()
  let isStalled = false
  const timer = setTimeout(() => {
    isStalled = true
    line.emit('error', new BodyTimeout())
  }, stall_ms)
  const alive = () => void timer.refresh()
  source.on('data', alive)
  source.once('end', () => clearTimeout(timer))
  source.once('error', (error) => line.emit('error', error))
  source.pipe(stream)
  return {
    stream,
    isStalled: () => isStalled,
    leave() {
      clearTimeout(timer)
      source.off('data', alive)
      source.unpipe(stream).resume()
      stream.destroy()
    },
  }
}

const HEADERS = [
  'tus-resumable',
  'upload-length',
  'upload-offset',
  'upload-metadata',
  'upload-defer-length',
  'upload-concat',
  'content-type',
  'content-length',
]

/** The library reads web requests, and listens for the caller's leaving on the Node request behind them. */
function asWebRequest(
  { method, headers }: FastifyRequest,
  line: EventEmitter,
  body: { stream: Readable } | null,
) {
  const given = HEADERS.flatMap((name) =>
    headers[name] === undefined ? [] : [[name, String(headers[name])]],
  )
  const request = new Request('http://localhost/', {
    method,
    headers: given as [string, string][],
    ...(body && { body: Readable.toWeb(body.stream) as ReadableStream, duplex: 'half' }),
  } as RequestInit)
  return Object.assign(request, { runtime: { name: 'node', node: { req: line } } }) as Request
}

const NO_PARTS = 'Este servidor pede o tamanho do arquivo no começo e não junta envios.'
const WORDS = new Map<unknown, AppError>([
  [ERRORS.MISSING_OFFSET, invalid('Informe a posição em Upload-Offset.', 'header', 'upload-offset')],
  [ERRORS.FILE_NOT_FOUND, notFound(MISSING)],
  [ERRORS.FILE_NO_LONGER_EXISTS, notFound(MISSING)],
  [ERRORS.INVALID_OFFSET, conflict('A posição não é a do servidor. Consulte-a (HEAD) e continue dali.')],
  [ERRORS.ERR_SIZE_EXCEEDED, tooLarge('O corpo passa do tamanho anunciado do arquivo.')],
  [ERRORS.INVALID_LENGTH, invalid('Informe o tamanho do arquivo em bytes.', 'header', 'upload-length')],
  [ERRORS.UNSUPPORTED_CREATION_DEFER_LENGTH_EXTENSION, new AppError('rule', NO_PARTS)],
  [ERRORS.UNSUPPORTED_CONCATENATION_EXTENSION, new AppError('rule', NO_PARTS)],
  [ERRORS.ABORTED, conflict('O envio foi interrompido antes do fim. Continue de onde parou.')],
])

/** The library's refusals are constants, a class, or a line that names the wrong headers. */
function inOurWords(failure: unknown) {
  const known = WORDS.get(failure)
  if (known) return known
  if (typeof failure === 'string') {
    const names = failure
      .replace(/^Invalid /, '')
      .trim()
      .split(' ')
    const issues = names.map((name) => ({
      loc: ['header', name],
      msg: 'Valor inválido',
      type: 'value_error',
    }))
    return new AppError('invalid', issues)
  }
  const { status_code } = failure as { status_code?: number }
  return status_code === ERRORS.ERR_MAX_SIZE_EXCEEDED.status_code
    ? WORDS.get(ERRORS.ERR_SIZE_EXCEEDED)
    : failure
}
