import { IncomingMessage } from 'node:http'
import { AppError } from '@garantia/shared/errors'
import type { FastifyRequest } from 'fastify'
import type { UploadPart } from '../kernel/storage/storage.ts'

const MAX_FILES = 500

/** The parts of a multipart body in our words. A body that is no sound multipart is the caller's fault (400). */
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
    // A caller who is still sending reads our refusal only when done: nobody else takes what is left.
    request.raw.unpipe().resume()
  }
}

/** busboy's own complaints carry no code; everything else (our refusals, the disk, limits) does. */
const isBroken = (error: unknown) =>
  error instanceof Error &&
  !(error instanceof AppError) &&
  (error as NodeJS.ErrnoException).code === undefined
