import { open } from 'node:fs/promises'
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
import { imageSize } from 'image-size'
import { refuseEmpty, type Spooled, safeFilename } from './intake.ts'

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
  const start = await headOf(file, START)
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

/** Bytes. Headers stand at the start; a TIFF's may stand at its end, and a JPEG's behind large metadata. */
const START = 64 * 1024
const HEAD = 512 * 1024
const MOST = 64 * 1024 * 1024
/**
 * Formats whose size stands in one place: it is there whole or not at all. The others name several pictures.
 */
const ONE_SIZE: readonly FormatName[] = ['jpeg', 'png', 'webp']

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
 * strangers' bytes that could be overrun runs in it.
 */
async function measurePicture(file: Spooled, format: FormatName, start: Buffer) {
  const { width, height } =
    (ONE_SIZE.includes(format) && sizeIn(start)) ||
    (sizeIn(await headOf(file, HEAD)) ?? sizeIn(await headOf(file, MOST)) ?? {})
  if (!width || !height)
    throw invalid('A imagem está danificada e não pôde ser lida. Envie-a de novo a partir do aparelho.')
  const limit = format === 'heic' ? MAX_HEIC_PIXELS : MAX_PIXELS
  if (width * height > limit)
    throw invalid(
      `A imagem tem ${integer(Math.round((width * height) / 1_000_000))} megapixels; o máximo é ${integer(limit / 1_000_000)}.`,
    )
  return { width, height }
}

/** Width and height in px, upright; null when these bytes do not tell them. */
function sizeIn(bytes: Buffer) {
  try {
    const { width, height, orientation = 1 } = imageSize(bytes)
    return orientation > 4 ? { width: height, height: width } : { width, height }
  } catch {
    return null
  }
}

/** The first bytes of a file, at most this many. */
async function headOf({ path, size }: Spooled, most: number) {
  const file = await open(path)
  try {
    const room = Math.min(most, size)
    const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(room), 0, room, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}
