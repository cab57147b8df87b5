import { join } from 'node:path'
import sharp from 'sharp'
import { READ, rethrowAsDamaged } from './image-reader.ts'
import type { PagePicture, PageSize, Run, Source } from './types.ts'

/** Writes a picture as `page.jpg`, on white, for a page or a slide. CannotConvert when it is unreadable. */
export async function pagePicture(
  { path: source }: Source,
  { long_side, quality }: PageSize,
  { dir }: Run,
): Promise<PagePicture> {
  const path = join(dir, 'page.jpg')
  const { width, height } = await sharp(source, READ)
    .autoOrient()
    .resize({ width: long_side, height: long_side, fit: 'inside', withoutEnlargement: true })
    .flatten({ background: '#ffffff' })
    .jpeg({ quality, mozjpeg: false })
    .toFile(path)
    .catch(rethrowAsDamaged)
  return { path, width, height }
}
