import sharp, { type Sharp } from 'sharp'

/**
 * A picture decoded in memory. This module leaves sharp's loaders unrestricted: the demo drawings need SVG.
 */
export interface Pixels {
  data: Buffer
  raw: { width: number; height: number; channels: 1 | 2 | 3 | 4 }
}

/** Decodes the picture into memory. */
export async function inMemory(image: Sharp): Promise<Pixels> {
  const { data, info } = await image.raw().toBuffer({ resolveWithObject: true })
  return { data, raw: { width: info.width, height: info.height, channels: info.channels } }
}

/** Resizes by `scale`, a factor of the width and height. */
export const shrunk = ({ data, raw }: Pixels, scale: number) =>
  inMemory(sharp(data, { raw }).resize({ width: Math.max(1, Math.round(raw.width * scale)) }))
