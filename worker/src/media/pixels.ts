import sharp, { type Sharp } from 'sharp'

/** A picture in memory. No reader is shut here: who draws a demonstration comes by with SVG. */
export interface Pixels {
  data: Buffer
  raw: { width: number; height: number; channels: 1 | 2 | 3 | 4 }
}

export async function inMemory(image: Sharp): Promise<Pixels> {
  const { data, info } = await image.raw().toBuffer({ resolveWithObject: true })
  return { data, raw: { width: info.width, height: info.height, channels: info.channels } }
}

export const shrunk = ({ data, raw }: Pixels, scale: number) =>
  inMemory(sharp(data, { raw }).resize({ width: Math.max(1, Math.round(raw.width * scale)) }))
