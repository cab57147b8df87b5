import { randomFillSync } from 'node:crypto'
import sharp, { type OutputInfo } from 'sharp'

const [RED, GREEN, BLUE, WHITE] = ['#dd2222', '#22aa22', '#2222dd', '#eeeeee'] as const

/** Four coloured quadrants with noise that makes them hard to compress. */
export async function colourQuadrants(width: number, height: number, noise: number) {
  const [left, top] = [Math.floor(width / 2), Math.floor(height / 2)]
  const quarter = (background: string, x: number, y: number) => ({
    input: {
      create: {
        width: x ? width - left : left,
        height: y ? height - top : top,
        channels: 3 as const,
        background,
      },
    },
    left: x * left,
    top: y * top,
  })
  const flat = [quarter(RED, 0, 0), quarter(GREEN, 1, 0), quarter(BLUE, 0, 1), quarter(WHITE, 1, 1)]
  const grain = randomFillSync(Buffer.alloc(256 * 256 * 4))
  for (let alpha = 3; alpha < grain.length; alpha += 4) grain[alpha] = noise
  return sharp({ create: { width, height, channels: 3, background: '#000' } })
    .composite([
      ...flat,
      {
        input: grain,
        raw: { width: Math.min(256, width), height: Math.min(256, height), channels: 4 },
        tile: true,
      },
    ])
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
}

/** The inverse of what a viewer does for an orientation. */
export function storedFor(orientation: number, { data, info }: { data: Buffer; info: OutputInfo }) {
  const upright = sharp(data, { raw: { width: info.width, height: info.height, channels: 3 } }).raw()
  if (orientation === 2) return upright.flop()
  if (orientation === 3) return upright.rotate(180)
  if (orientation === 4) return upright.flip()
  if (orientation === 5) return upright.rotate(270).flop()
  if (orientation === 6) return upright.rotate(270)
  if (orientation === 7) return upright.rotate(90).flop()
  if (orientation === 8) return upright.rotate(90)
  return upright
}
