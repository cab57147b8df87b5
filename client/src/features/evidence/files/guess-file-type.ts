import { type FileType, FORMATS, formatOfExtension } from '@garantia/shared/evidence/formats'

/** File type guessed from MIME type and extension, before the server has inspected the bytes. */
export function guessFileType({ name, type }: Pick<File, 'name' | 'type'>): FileType | undefined {
  if (type.startsWith('image/')) return 'image'
  if (type.startsWith('video/')) return 'video'
  const format = formatOfExtension(name.slice(name.lastIndexOf('.') + 1))
  return format && FORMATS[format].type
}
