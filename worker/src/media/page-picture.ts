import sharp from 'sharp'
// For its effect too: which loaders exist is decided there.
import { READ } from './image-reader.ts'

export interface PagePicture {
  data: Buffer
  width: number
  height: number
}

/** A picture as a page or a slide shows it; null when its bytes cannot be read. */
export const pagePicture = (path: string, long_side: number, quality: number): Promise<PagePicture | null> =>
  sharp(path, READ)
    .autoOrient()
    .resize({ width: long_side, height: long_side, fit: 'inside', withoutEnlargement: true })
    .flatten({ background: '#ffffff' })
    .jpeg({ quality, mozjpeg: false })
    .toBuffer({ resolveWithObject: true })
    .then(({ data, info: { width, height } }) => ({ data, width, height }))
    .catch(() => null)
