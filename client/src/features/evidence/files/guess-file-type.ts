import { type FileType, FORMATS, formatOfExtension } from '@garantia/shared/evidence/formats'

/** What a chosen file seems to be, before the server has read its bytes. */
export function guessFileType({ name, type }: Pick<File, 'name' | 'type'>): FileType | undefined {
  if (type.startsWith('image/')) return 'image'
  if (type.startsWith('video/')) return 'video'
  const format = formatOfExtension(name.slice(name.lastIndexOf('.') + 1))
  return format && FORMATS[format].type
}
