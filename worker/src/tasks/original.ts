import { join } from 'node:path'
import type { Ctx } from '@garantia/server/kernel'
import { FORMATS, type FormatName } from '@garantia/shared/evidence/formats'
import type { Source } from '../media/media.ts'

interface Original {
  original_key: string
  format: FormatName
  file_size: number
}

/**
 * The original as a source for the media tools. A picture is only read, by this process, and used from the
 * storage where possible; for programs that could write to it, a private copy is made.
 */
export async function originalOf(
  { storage }: Ctx,
  { original_key: key, format, file_size: size }: Original,
  dir: string,
): Promise<Source> {
  const own = join(dir, `original.${FORMATS[format].ext}`)
  if (FORMATS[format].type === 'image') return { path: await storage.localPath(key, own), format, size }
  await storage.fetch(key, own)
  return { path: own, format, size }
}
