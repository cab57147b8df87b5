import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import sharp from 'sharp'

const execute = promisify(execFile)

/** A 12-megapixel JPEG with as much detail as a phone's: large soft shapes under sensor noise. */
export async function photo(): Promise<Buffer> {
  const [width, height] = [4_000, 3_000]
  const shapes = sharp(randomBytes(160 * 120 * 3), { raw: { width: 160, height: 120, channels: 3 } })
  const scene = await shapes.resize(width, height, { kernel: 'cubic' }).raw().toBuffer()
  const noise = await sharp({
    create: {
      width,
      height,
      channels: 3,
      background: '#000',
      noise: { type: 'gaussian', mean: 128, sigma: 14 },
    },
  })
    .png({ compressionLevel: 0 })
    .toBuffer()
  return sharp(scene, { raw: { width, height, channels: 3 } })
    .composite([{ input: noise, blend: 'soft-light' }])
    .jpeg({ quality: 92 })
    .toBuffer()
}

/**
 * A 1080p H.264 video of 12 Mbit/s with sound, as a phone records it: it needs more bits than a brand allows.
 */
export async function video(ffmpeg: string, path: string, seconds: number) {
  const picture = `testsrc2=s=1920x1080:r=30:d=${seconds},noise=alls=14:allf=t`
  await execute(ffmpeg, [
    ...[
      '-v',
      'error',
      '-f',
      'lavfi',
      '-i',
      picture,
      '-f',
      'lavfi',
      '-i',
      `sine=frequency=440:duration=${seconds}`,
    ],
    ...['-c:v', 'libx264', '-preset', 'ultrafast', '-b:v', '12M', '-maxrate', '14M', '-bufsize', '12M'],
    ...['-pix_fmt', 'yuv420p', '-c:a', 'aac', '-shortest', path],
  ])
}
