import { IncomingMessage } from 'node:http'
import { AppError } from '@garantia/shared/errors'
import type { FastifyRequest } from 'fastify'
import type { UploadPart } from '../kernel/storage/storage.ts'

const MAX_FILES = 500

/** The announced size of a request's body in bytes; null when it has none, as a chunked body. */
export const contentLength = ({ headers }: FastifyRequest) => Number(headers['content-length']) || null

/**
 * The parts of a multipart body, files and fields in the order they arrive, at most 500 files. 415 for
 * another content type, 400 for a malformed body. Other file fields than `file` and `files` are skipped.
 */
export async function* uploadParts(request: FastifyRequest): AsyncGenerator<UploadPart> {
  if (!request.isMultipart()) throw new AppError('unsupported', 'Envie os arquivos como multipart/form-data.')
  const isDisposable = request.raw instanceof IncomingMessage
  const parts = request.parts({
    limits: { files: MAX_FILES, fields: 20, fieldSize: 20_000, fileSize: Number.POSITIVE_INFINITY },
  })
  try {
    for await (const part of parts) {
      if (part.type === 'field') yield { kind: 'field', name: part.fieldname, value: String(part.value) }
      else if (part.fieldname !== 'files' && part.fieldname !== 'file') part.file.resume()
      else yield { kind: 'file', filename: part.filename ?? '', body: part.file, isDisposable }
    }
  } catch (error) {
    throw isBroken(error) ? new AppError('rule', 'Invalid multipart data.', { cause: error }) : error
  } finally {
    // A caller reads the refusal only after sending the whole body, so what is left of it is read and
    // discarded.
    request.raw.unpipe().resume()
  }
}

/** Errors of busboy have no code; all others (refusals, the disk, limits) do. */
const isBroken = (error: unknown) =>
  error instanceof Error &&
  !(error instanceof AppError) &&
  (error as NodeJS.ErrnoException).code === undefined
