import sharp from 'sharp'
// Also imported for its side effect: it restricts the loaders that sharp may use.
import { READ } from './image-reader.ts'

export interface PagePicture {
  data: Buffer
  width: number
  height: number
}

/**
 * A picture as JPEG for a page or a slide, its longest side at most `long_side` px; null when it is
 * unreadable.
 */
export const pagePicture = (path: string, long_side: number, quality: number): Promise<PagePicture | null> =>
  sharp(path, READ)
    .autoOrient()
    .resize({ width: long_side, height: long_side, fit: 'inside', withoutEnlargement: true })
    .flatten({ background: '#ffffff' })
    .jpeg({ quality, mozjpeg: false })
    .toBuffer({ resolveWithObject: true })
    .then(({ data, info: { width, height } }) => ({ data, width, height }))
    .catch(() => null)
