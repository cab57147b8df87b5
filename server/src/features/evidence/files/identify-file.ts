import { invalid, unsupported } from '@garantia/shared/errors'
import {
  FILE_TYPE_LABEL,
  FORMATS,
  type FormatName,
  formatOfExtension,
  MAX_HEIC_PIXELS,
  MAX_PIXELS,
  nameContradicts,
} from '@garantia/shared/evidence/formats'
import { integer } from '@garantia/shared/format'
import { fileTypeFromFile } from 'file-type'
import sharp from 'sharp'
import { refuseEmpty, type Spooled } from './intake.ts'

export interface IdentifiedFile extends Spooled {
  format: FormatName
  width: number | null
  height: number | null
}

/**
 * Identifies the format by content (D-22) and measures pictures in px. 415 for an unsupported format, or when
 * the file name contradicts the content; 422 when it is empty, unreadable or has too many pixels.
 */
export async function identifyFile(file: Spooled): Promise<IdentifiedFile> {
  refuseEmpty(file.size)
  const sniffed = await fileTypeFromFile(file.path)
  const format = sniffed && formatOfExtension(sniffed.ext)
  if (!format)
    throw unsupported('Formato não aceito. Envie foto (JPEG, PNG, WebP, AVIF, TIFF, HEIC), vídeo ou PDF.')
  if (nameContradicts(file.filename, format)) {
    const found = FILE_TYPE_LABEL[FORMATS[format].type]
    throw unsupported(
      `O nome termina como outro tipo, mas o conteúdo é ${found} (${FORMATS[format].ext}). Confira o arquivo.`,
    )
  }
  const picture =
    FORMATS[format].type === 'image' ? await measurePicture(file.path, format) : { width: null, height: null }
  return { ...file, format, ...picture }
}

/**
 * Reads only the header, so that a picture with too many pixels is refused before it is decoded: 422 over 210
 * megapixels, 64 for HEIC.
 */
async function measurePicture(path: string, format: FormatName) {
  const header = await sharp(path, { limitInputPixels: false, failOn: 'none' })
    .metadata()
    .catch(() => null)
  if (!header)
    throw invalid('A imagem está danificada e não pôde ser lida. Envie-a de novo a partir do aparelho.')
  const { width, height } = header.autoOrient
  const limit = format === 'heic' ? MAX_HEIC_PIXELS : MAX_PIXELS
  if (width * height > limit)
    throw invalid(
      `A imagem tem ${integer(Math.round((width * height) / 1_000_000))} megapixels; o máximo é ${integer(limit / 1_000_000)}.`,
    )
  return { width, height }
}
