import { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { AppError, conflict, invalid, notFound, tooLarge, unsupported } from '@garantia/shared/errors'
import type { UploadResult } from '@garantia/shared/evidence/schema'
import { UPLOAD_HOURS, uploadMetadata } from '@garantia/shared/evidence/upload'
import { DataStore, ERRORS, Server, TUS_RESUMABLE, Upload } from '@tus/server'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { BodyTimeout } from '../../../http/body-parsers.ts'
import { issuesOf } from '../../../http/errors.ts'
import type { AdvisoryLock, Purpose } from '../../../kernel/advisory-locks.ts'
import type { Ctx } from '../../../kernel/context.ts'
import {
  beginUpload,
  cancelUpload,
  lockUpload,
  MISSING,
  maxUpload,
  offsetOf,
  ownUpload,
  TOO_LONG,
  takePiece,
  type UploadRow,
} from './service.ts'

/** A connection without data for this long counts as lost when its client reconnects. */
const SILENCE_MS = 700
const PIECE = 'application/offset+octet-stream'
const EXTENSIONS = ['creation', 'creation-with-upload', 'termination', 'expiration']
const HOUR_MS = 3_600_000

/** Headers of the OPTIONS response. */
export const capabilities = (ctx: Ctx) => ({
  'tus-resumable': TUS_RESUMABLE,
  'tus-version': TUS_RESUMABLE,
  'tus-extension': EXTENSIONS.join(','),
  'tus-max-size': String(maxUpload(ctx)),
})

/** The app sets its own CORS and content headers; the library's are dropped. */
const NOT_PASSED_ON = /^(access-control-.*|content-length|content-type)$/

export interface Http {
  request: FastifyRequest
  reply: FastifyReply
}

/**
 * Handles one tus request: the library implements the protocol, our use cases decide. 412 without
 * `Tus-Resumable`, 415 for another content type, 408 for a stalled body; otherwise the errors of
 * `beginUpload`, `ownUpload` and `takePiece`.
 */
export async function handleTusRequest(
  ctx: Ctx,
  { request, reply }: Http,
  { order_id, answerOf = (result) => result }: Limits = {},
) {
  reply.header('tus-resumable', TUS_RESUMABLE)
  checkTusHeaders(request, reply)
  const call: Call = { lock: null, upload: null, result: null, failure: null }
  const body = bodyOf(request, ctx.config.UPLOAD_STALL_SECONDS * 1_000)
  try {
    const answer = await serverFor(ctx, request, call, { body, order_id }).handleWeb(asWebRequest(request))
    if (body?.isStalled()) throw new BodyTimeout()
    if (call.failure) throw translateTusError(call.failure)
    if (answer.status >= 400) throw translateTusError(await answer.text())
    for (const [name, value] of answer.headers) if (!NOT_PASSED_ON.test(name)) reply.header(name, value)
    const evidence_id = call.result ? idOf(call.result) : call.upload?.evidence_id
    if (evidence_id && order_id === undefined) reply.header('upload-evidence-id', evidence_id)
    if (call.result)
      return reply.code(request.method === 'POST' ? 201 : 200).send(await answerOf(call.result))
    return reply.code(answer.status).send()
  } finally {
    body?.stop()
  }
}

/** What a caller without an account may not decide or learn. */
interface Limits {
  /** The order that the file belongs to, whatever the metadata say; neither its id nor the file's is answered. */
  order_id?: number
  /** What is answered when the file is complete. */
  answerOf?: (result: UploadResult) => unknown
}
interface Call {
  lock: AdvisoryLock | null
  upload: UploadRow | null
  result: UploadResult | null
  failure: unknown
}
const idOf = ({ uploaded, skipped }: UploadResult) => uploaded[0]?.id ?? skipped[0]?.evidence_id

interface Given {
  body: PieceBody | null
  order_id: number | undefined
}
/** The library's server for one request; results are collected in `call`. */
function serverFor(ctx: Ctx, request: FastifyRequest, call: Call, given: Given) {
  const { body } = given
  const { id } = request.params as { id?: string }
  return new Server({
    path: request.routeOptions.url ?? '',
    relativeLocation: true,
    datastore: storeFor(ctx, call, given),
    locker: {
      newLock: (id) => ({
        async lock() {
          // The id of a new upload is not known to any client yet, so it needs no lock unless bytes come with
          // it.
          if (request.method === 'POST' && !body) return
          const onContended = (by: Purpose) => {
            if (by === 'end') body?.cut()
            else if (body?.isSilent()) body.stop()
          }
          call.lock = await lockUpload(ctx, id, onContended, request.method === 'DELETE' ? 'end' : 'use')
        },
        async unlock() {
          await call.lock?.release()
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

/**
 * Every method runs under the lock and reads the row again, since another request may have had the upload
 * before.
 */
function storeFor(ctx: Ctx, call: Call, { body, order_id }: Given): DataStore {
  return Object.assign(new DataStore(), {
    extensions: EXTENSIONS,
    getExpiration: () => UPLOAD_HOURS * HOUR_MS,
    async create(wanted: Upload) {
      call.upload = await beginUpload(ctx, wanted.id, wanted.size ?? 0, aboutOf(wanted, order_id))
      wanted.creation_date = call.upload.created_at.toISOString()
      return wanted
    },
    async getUpload(id: string) {
      const isNew = call.upload !== null
      const upload = call.upload ?? (await ownUpload(ctx, id))
      call.upload = upload
      return new Upload({
        id,
        size: upload.size,
        offset: isNew ? 0 : await offsetOf(ctx, upload),
        metadata: metadataOf(upload, order_id !== undefined),
        creation_date: upload.created_at.toISOString(),
      })
    },
    async write(_: Readable, id: string, offset: number) {
      if (!call.lock || call.upload?.id !== id) throw new Error('written without its lock')
      if (!body) return offset
      const taken = await takePiece(ctx, call.upload, offset, body, call.lock)
      call.result = taken.result ?? null
      return taken.offset
    },
    async remove(id: string) {
      await cancelUpload(ctx, id)
    },
  })
}

function aboutOf({ metadata = {} }: Upload, only_order_id: number | undefined) {
  const { order_id } = metadata
  const given = {
    ...metadata,
    order_id: only_order_id ?? (/^[1-9]\d{0,14}$/.test(order_id ?? '') ? Number(order_id) : order_id),
  }
  const read = uploadMetadata.safeParse(given)
  if (!read.success) throw new AppError('invalid', issuesOf(read.error.issues, 'header', given))
  return read.data
}

function metadataOf({ order_id, filename, category, description, sha256 }: UploadRow, isGuest: boolean) {
  const given = { order_id: isGuest ? null : String(order_id), filename, category, description, sha256 }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null))
}

function checkTusHeaders({ method, headers }: FastifyRequest, reply: FastifyReply) {
  if (headers['tus-resumable'] !== TUS_RESUMABLE) {
    reply.header('tus-version', TUS_RESUMABLE)
    throw new AppError('precondition', `Envie Tus-Resumable: ${TUS_RESUMABLE}.`)
  }
  const isPiece = method === 'PATCH' || (method === 'POST' && headers['content-type'] !== undefined)
  if (isPiece && headers['content-type'] !== PIECE) throw unsupported(`Envie os bytes como ${PIECE}.`)
}

interface PieceBody {
  chunks: AsyncIterable<Buffer>
  /** They come from a socket and are used by no other code. */
  isDisposable: boolean
  /** Stops reading: bytes already read are kept, the rest is discarded. */
  stop(): void
  /** Closes the connection. */
  cut(): void
  isStalled(): boolean
  /** Whether no data has arrived for SILENCE_MS: a client that reconnects has then lost this connection. */
  isSilent(): boolean
}

/**
 * The bytes of a piece, read directly from the socket: the library's web streams take twice the time. A
 * disconnected or stalled client ends the piece; bytes received so far are kept.
 */
function bodyOf({ body }: FastifyRequest, stall_ms: number): PieceBody | null {
  if (!(body instanceof Readable)) return null
  const source = body
  let state: 'open' | 'over' | 'stalled' = 'open'
  let isStopped = false
  let waitingSince = Number.POSITIVE_INFINITY
  let wake = () => {}
  const end = (how: 'over' | 'stalled') => {
    if (state === 'open') state = how
    wake()
  }
  source.on('readable', () => wake())
  for (const event of ['end', 'error', 'close'] as const) source.once(event, () => end('over'))
  async function* chunks() {
    for (;;) {
      const chunk = source.read() as Buffer | null
      if (chunk) yield chunk
      else if (state !== 'open') return
      else {
        waitingSince = performance.now()
        const timer = setTimeout(() => end('stalled'), stall_ms)
        await new Promise<void>((resolve) => {
          wake = resolve
        })
        clearTimeout(timer)
        waitingSince = Number.POSITIVE_INFINITY
      }
      if (isStopped) return
    }
  }
  return {
    chunks: chunks(),
    isDisposable: source instanceof IncomingMessage,
    stop() {
      isStopped = true
      wake()
      // A client reads the answer only after sending the whole body.
      source.removeAllListeners('readable').resume()
    },
    cut() {
      isStopped = true
      source.destroy()
      wake()
    },
    isStalled: () => state === 'stalled',
    isSilent: () => performance.now() - waitingSince > SILENCE_MS,
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

/** The headers for the library to validate; the bytes bypass it. */
function asWebRequest({ method, headers }: FastifyRequest) {
  const given = HEADERS.flatMap((name) =>
    headers[name] === undefined ? [] : [[name, String(headers[name])]],
  )
  return new Request('http://localhost/', { method, headers: given as [string, string][] })
}

const NO_PARTS = 'Este servidor pede o tamanho do arquivo no começo e não junta envios.'
const TRANSLATED_ERRORS = new Map<unknown, AppError>([
  [ERRORS.MISSING_OFFSET, invalid('Informe a posição em Upload-Offset.', 'header', 'upload-offset')],
  [ERRORS.FILE_NOT_FOUND, notFound(MISSING)],
  [ERRORS.FILE_NO_LONGER_EXISTS, notFound(MISSING)],
  [ERRORS.INVALID_OFFSET, conflict('A posição não é a do servidor. Consulte-a (HEAD) e continue dali.')],
  [ERRORS.ERR_SIZE_EXCEEDED, tooLarge(TOO_LONG)],
  [ERRORS.INVALID_LENGTH, invalid('Informe o tamanho do arquivo em bytes.', 'header', 'upload-length')],
  [ERRORS.UNSUPPORTED_CREATION_DEFER_LENGTH_EXTENSION, new AppError('rule', NO_PARTS)],
  [ERRORS.UNSUPPORTED_CONCATENATION_EXTENSION, new AppError('rule', NO_PARTS)],
  [ERRORS.ABORTED, conflict('O envio foi interrompido antes do fim. Continue de onde parou.')],
])

/** The library's errors are constants, or a line that names invalid headers; all others are our own. */
function translateTusError(failure: unknown) {
  const known = TRANSLATED_ERRORS.get(failure)
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
  return failure
}
