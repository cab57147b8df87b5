/**
 * Accepted kinds of file, detected by their first bytes, never by their name (D-22).
 * `ext` is the extension given to converted files; `aliases` are further extensions that devices use.
 */
export const FILE_TYPES = ['image', 'video', 'document', 'pdf'] as const
export type FileType = (typeof FILE_TYPES)[number]

export const FILE_TYPE_LABEL: Record<FileType, string> = {
  image: 'Imagem',
  video: 'Vídeo',
  document: 'Documento',
  pdf: 'PDF',
}

interface Format {
  type: FileType
  mime: string
  ext: string
  aliases: readonly string[]
}

export const FORMATS = {
  jpeg: { type: 'image', mime: 'image/jpeg', ext: 'jpg', aliases: ['jpeg', 'jfif', 'jpe'] },
  png: { type: 'image', mime: 'image/png', ext: 'png', aliases: ['apng'] },
  webp: { type: 'image', mime: 'image/webp', ext: 'webp', aliases: [] },
  avif: { type: 'image', mime: 'image/avif', ext: 'avif', aliases: [] },
  tiff: { type: 'image', mime: 'image/tiff', ext: 'tif', aliases: ['tiff'] },
  heic: { type: 'image', mime: 'image/heic', ext: 'heic', aliases: ['heif', 'hif'] },
  mp4: { type: 'video', mime: 'video/mp4', ext: 'mp4', aliases: ['m4v'] },
  mov: { type: 'video', mime: 'video/quicktime', ext: 'mov', aliases: ['qt'] },
  '3gp': { type: 'video', mime: 'video/3gpp', ext: '3gp', aliases: ['3g2', '3gpp'] },
  mkv: { type: 'video', mime: 'video/x-matroska', ext: 'mkv', aliases: [] },
  webm: { type: 'video', mime: 'video/webm', ext: 'webm', aliases: [] },
  avi: { type: 'video', mime: 'video/x-msvideo', ext: 'avi', aliases: [] },
  wmv: { type: 'video', mime: 'video/x-ms-wmv', ext: 'wmv', aliases: ['asf'] },
  pdf: { type: 'pdf', mime: 'application/pdf', ext: 'pdf', aliases: [] },
  docx: {
    type: 'document',
    mime: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    ext: 'docx',
    aliases: [],
  },
  xlsx: {
    type: 'document',
    mime: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    ext: 'xlsx',
    aliases: [],
  },
  pptx: {
    type: 'document',
    mime: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
    ext: 'pptx',
    aliases: [],
  },
  odt: { type: 'document', mime: 'application/vnd.oasis.opendocument.text', ext: 'odt', aliases: [] },
  ods: { type: 'document', mime: 'application/vnd.oasis.opendocument.spreadsheet', ext: 'ods', aliases: [] },
} as const satisfies Record<string, Format>
export type FormatName = keyof typeof FORMATS
export const FORMAT_NAMES = Object.keys(FORMATS) as FormatName[]

/** The format of an extension as brands write them («jpg», «.MP4»); undefined when it is unknown. */
export const formatOfExtension = (extension: string): FormatName | undefined => {
  const ext = extension.toLowerCase().replace(/^\./, '')
  return FORMAT_NAMES.find(
    (name) => FORMATS[name].ext === ext || (FORMATS[name].aliases as readonly string[]).includes(ext),
  )
}
const extensionOf = (filename: string) => /\.([A-Za-z0-9]{1,8})$/.exec(filename)?.[1]?.toLowerCase()

/**
 * Whether the extension is that of another file type than the content, e.g. a .jpg that is a PDF: such a file
 * was renamed by hand or damaged. An unknown or missing extension is no contradiction.
 */
export const nameContradicts = (filename: string, format: FormatName) => {
  const extension = extensionOf(filename)
  const promised = extension && formatOfExtension(extension)
  return promised !== undefined && promised !== '' && FORMATS[promised].type !== FORMATS[format].type
}

/**
 * The name with an extension that the content keeps: «foto.jpg» of a PNG becomes «foto.png», «pagina.html» of a
 * JPEG «pagina.html.jpg». Whoever opens the file later goes by its extension.
 */
export function truthfulName(filename: string, format: FormatName) {
  const { ext } = FORMATS[format]
  const extension = extensionOf(filename)
  const promised = extension ? formatOfExtension(extension) : undefined
  if (promised === format) return filename
  const stem = extension && promised ? filename.slice(0, -(extension.length + 1)) : filename
  return `${stem}.${ext}`
}

/**
 * Value of the file picker's `accept`. HEIC is listed so that iPhones send originals instead of re-encoding.
 */
export const UPLOAD_ACCEPT = [
  'image/*',
  'video/*',
  'application/pdf',
  ...FORMAT_NAMES.filter((name) => FORMATS[name].type !== 'document').flatMap((name) =>
    [FORMATS[name].ext, ...FORMATS[name].aliases].map((ext) => `.${ext}`),
  ),
].join(',')

/** Pictures with more pixels are refused: phones reach 200 megapixels, decompression bombs go beyond. */
export const MAX_PIXELS = 210_000_000
/** Limit for HEIC, which is decoded whole in memory (4 bytes per pixel). */
export const MAX_HEIC_PIXELS = 64_000_000
