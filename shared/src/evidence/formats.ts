/**
 * The kinds of file we take, told apart by their first bytes, never by their name (D-22).
 * `ext` is how a file of this kind is named; `aliases` are the extensions people's devices give it.
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

/** Brands speak of extensions («jpg», «mp4»); this reads them. */
export const formatOfExtension = (extension: string): FormatName | undefined => {
  const ext = extension.toLowerCase().replace(/^\./, '')
  return FORMAT_NAMES.find(
    (name) => FORMATS[name].ext === ext || (FORMATS[name].aliases as readonly string[]).includes(ext),
  )
}
const extensionOf = (filename: string) => /\.([A-Za-z0-9]{1,8})$/.exec(filename)?.[1]?.toLowerCase()

/**
 * A name that promises another kind of file than its bytes hold: a .jpg that is a PDF was renamed by
 * hand or damaged on the way, and nobody would find it under that name again.
 */
export const nameContradicts = (filename: string, format: FormatName) => {
  const extension = extensionOf(filename)
  const promised = extension && formatOfExtension(extension)
  return promised !== undefined && promised !== '' && FORMATS[promised].type !== FORMATS[format].type
}

/** What a picker offers; HEIC is listed so that iPhones send originals instead of re-encoding them. */
export const UPLOAD_ACCEPT = [
  'image/*',
  'video/*',
  'application/pdf',
  ...FORMAT_NAMES.filter((name) => FORMATS[name].type !== 'document').flatMap((name) =>
    [FORMATS[name].ext, ...FORMATS[name].aliases].map((ext) => `.${ext}`),
  ),
].join(',')

/** Pixels above which a picture is refused: phones reach 200 megapixels, bombs go further. */
export const MAX_PIXELS = 210_000_000
/** HEIC is decoded whole in memory (4 bytes a pixel), so it gets a lower ceiling. */
export const MAX_HEIC_PIXELS = 64_000_000
