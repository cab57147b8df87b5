import { type FileHandle, open } from 'node:fs/promises'
import { invalid, unsupported } from '@garantia/shared/errors'
import {
  FILE_TYPE_LABEL,
  FORMATS,
  type FormatName,
  formatOfExtension,
  MAX_HEIC_PIXELS,
  MAX_PIXELS,
  nameContradicts,
  truthfulName,
} from '@garantia/shared/evidence/formats'
import { integer } from '@garantia/shared/format'
import { fileTypeFromBuffer, fileTypeFromFile } from 'file-type'
import { pictureSize } from './picture-size.ts'
import { refuseEmpty, type Spooled, safeFilename } from './spool-upload.ts'

export interface IdentifiedFile extends Spooled {
  format: FormatName
  width: number | null
  height: number | null
}

/**
 * Identifies the format by content (D-22), corrects the name's extension and measures pictures in px. 415 for
 * an unsupported format, or when the file name contradicts the content; 422 when it is empty, unreadable or
 * has too many pixels.
 */
export async function identifyFile(file: Spooled): Promise<IdentifiedFile> {
  refuseEmpty(file.size)
  const start = await startOf(file)
  const format = await formatOf(file.path, start)
  if (!format)
    throw unsupported('Formato não aceito. Envie foto (JPEG, PNG, WebP, AVIF, TIFF, HEIC), vídeo ou PDF.')
  if (nameContradicts(file.filename, format)) {
    const found = FILE_TYPE_LABEL[FORMATS[format].type]
    throw unsupported(
      `O nome termina como outro tipo, mas o conteúdo é ${found} (${FORMATS[format].ext}). Confira o arquivo.`,
    )
  }
  const picture =
    FORMATS[format].type === 'image'
      ? await measurePicture(file, format, start)
      : { width: null, height: null }
  return { ...file, filename: safeFilename(truthfulName(file.filename, format)), format, ...picture }
}

/** Bytes read first, in which most headers stand. */
const START = 64 * 1024
/** Bytes read at once behind them when fewer are asked for: neighbouring segments cost one read. */
const WINDOW = 4_096

/** The format by its content. The start tells it of pictures; others may need parts that lie further back. */
async function formatOf(path: string, start: Buffer) {
  const sniffed = await fileTypeFromBuffer(start)
  const format = sniffed && formatOfExtension(sniffed.ext)
  if (format && FORMATS[format].type === 'image') return format
  const whole = await fileTypeFromFile(path)
  return whole && formatOfExtension(whole.ext)
}

/**
 * Reads only the header, so that a picture with too many pixels is refused before it is decoded: 422 over 210
 * megapixels, 64 for HEIC. In JavaScript alone: this process has the database and the keys, so no decoder of
 * untrusted bytes that could be overrun runs in it.
 */
async function measurePicture(file: Spooled, format: FormatName, start: Buffer) {
  const { width, height } = (await sizeIn(file, format, start)) ?? {}
  if (!width || !height)
    throw invalid('A imagem está danificada e não pôde ser lida. Envie-a de novo a partir do aparelho.')
  const limit = format === 'heic' ? MAX_HEIC_PIXELS : MAX_PIXELS
  if (width * height > limit)
    throw invalid(
      `A imagem tem ${integer(Math.round((width * height) / 1_000_000))} megapixels; o máximo é ${integer(limit / 1_000_000)}.`,
    )
  return { width, height }
}

/** Opens the file only when its start does not tell the size. */
async function sizeIn({ path, size }: Spooled, format: FormatName, start: Buffer) {
  let window = start
  let from = 0
  let file: FileHandle | undefined
  try {
    return await pictureSize(async (position, length) => {
      if (position < from || Math.min(position + length, size) > from + window.length) {
        file ??= await open(path)
        window = await bytesAt(file, position, Math.max(length, WINDOW))
        from = position
      }
      return window.subarray(position - from, position - from + length)
    }, format)
  } finally {
    await file?.close()
  }
}

async function startOf({ path, size }: Spooled) {
  const file = await open(path)
  try {
    return await bytesAt(file, 0, Math.min(START, size))
  } finally {
    await file.close()
  }
}

async function bytesAt(file: FileHandle, position: number, most: number) {
  const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(most), 0, most, position)
  return buffer.subarray(0, bytesRead)
}
