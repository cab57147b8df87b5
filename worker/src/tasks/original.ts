import { join } from 'node:path'
import type { Ctx } from '@garantia/server/kernel'
import { FORMATS, type FormatName } from '@garantia/shared/evidence/formats'
import type { Source } from '../media/media.ts'

interface Original {
  original_key: string
  format: FormatName
  file_size: number
}

/** The original as a source for the media tools, from the storage itself where that is a folder. */
export async function originalOf(
  { storage }: Ctx,
  { original_key: key, format, file_size: size }: Original,
  dir: string,
): Promise<Source> {
  const own = join(dir, `original.${FORMATS[format].ext}`)
  return { path: await storage.localPath(key, own), format, size }
}
