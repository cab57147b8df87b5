import { open } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { AppError, invalid, textOf, tooLarge } from '@garantia/shared/errors'
import { FILENAME_MAX_BYTES } from '@garantia/shared/evidence/schema'
import { bytes, MEGABYTE } from '@garantia/shared/format'
import type { Ctx } from '../../../kernel/context.ts'
import type { UploadPart } from '../../../kernel/storage/storage.ts'
import { emptyDigest, writeStream } from '../../../kernel/storage/write-stream.ts'

/** An uploaded file, complete and hashed on the local disk, but not yet stored as evidence. */
export interface Spooled {
  path: string
  filename: string
  size: number
  sha256: string
  crc32: number
}

/** Maximum size of an uploaded file in bytes. */
export const limitOfUpload = ({ config }: Ctx) => config.UPLOAD_MAX_FILE_MB * MEGABYTE

/** Refuses a file over the size limit with 413. */
export function refuseOverLimit(filename: string, size: number, limit: number) {
  if (size > limit) throw tooLarge(`«${filename}» passa de ${bytes(limit)}, o máximo por arquivo enviado.`)
}
/** Refuses an empty file with 422. */
export function refuseEmpty(size: number) {
  if (size === 0) throw invalid('O arquivo está vazio (0 byte). Envie-o de novo a partir do aparelho.')
}

type FilePart = Extract<UploadPart, { kind: 'file' }>

interface Spooling {
  /** Bytes that the file may have. */
  limit: number
  /** Is told of the bytes and may refuse more. */
  arrived: (bytes: number) => Promise<void>
}

/**
 * Streams a file to the scratch folder while hashing it. 413 over the size limit; 400 when the client disconnects.
 */
export async function spool(
  path: string,
  filename: string,
  { body, isDisposable = false }: FilePart,
  { limit, arrived }: Spooling,
): Promise<Spooled> {
  const digest = emptyDigest()
  let size = 0
  let refusal: unknown
  const file = await open(path, 'wx', 0o600)
  try {
    await writeStream(measured(arriving(body)), file, { start: 0, digest, isDisposable })
  } finally {
    await file.close()
  }
  if (refusal) throw refusal
  refuseOverLimit(filename, size, limit)
  return { path, filename, size, sha256: digest.hash.digest('hex'), crc32: digest.crc }

  async function* measured(chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      size += chunk.length
      // Read to its end nevertheless, so that the files after it can be processed.
      if (size > limit || refusal) continue
      try {
        await arrived(chunk.length)
      } catch (error) {
        refusal = error
        continue
      }
      yield chunk
    }
  }
}

/**
 * Turns errors of the request into a 400, to distinguish them from errors of the disk: a pipeline passes any
 * error to all its streams.
 */
async function* arriving(body: Readable): AsyncGenerator<Buffer> {
  try {
    yield* body
  } catch (cause) {
    throw new AppError('rule', 'O envio foi interrompido antes do fim. Envie de novo.', { cause })
  }
}

/**
 * The client's file name without path and control characters, at most 180 bytes (D-51); «arquivo» when
 * nothing is left.
 */
export function safeFilename(name: string) {
  const last = (name.split(/[\\/]/).at(-1) ?? '')
    .normalize('NFC')
    .replace(/[\p{C}\uFFFD]/gu, '')
    .trim()
  const bare = /^\.*$/.test(last) ? 'arquivo' : last
  const dot = bare.lastIndexOf('.')
  const [stem, extension] =
    dot > 0 && bare.length - dot <= 12 ? [bare.slice(0, dot), bare.slice(dot)] : [bare, '']
  return cut(stem, FILENAME_MAX_BYTES - Buffer.byteLength(extension)) + extension
}
/** Cuts at a character boundary: a partial character would become U+FFFD. */
const cut = (text: string, max: number) =>
  Buffer.from(text)
    .subarray(0, max)
    .toString()
    .replace(/\uFFFD+$/, '')

/**
 * The error of an upload in which no file was accepted: that of the single file, else one that lists every
 * file, with their common code or 422.
 */
export function refusalOf(
  refused: readonly { index: number; filename: string; error: AppError }[],
): AppError {
  const [first] = refused
  if (refused.length === 1 && first)
    return first.error.code === 'invalid' ? new AppError('invalid', issues(refused)) : first.error
  const codes = new Set(refused.map(({ error }) => error.code))
  return new AppError(codes.size === 1 && first ? first.error.code : 'invalid', issues(refused))
}
const issues = (refused: readonly { index: number; filename: string; error: AppError }[]) =>
  refused.map(({ index, filename, error }) => ({
    loc: ['body', 'files', index],
    msg: `${filename}: ${textOf(error.detail)}`,
    type: 'value_error',
  }))
