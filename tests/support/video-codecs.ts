import { readFile, writeFile } from 'node:fs/promises'

export interface VideoTraits {
  name?: string
  container?: 'mp4' | 'mov' | '3gp' | 'mkv' | 'webm' | 'avi' | 'wmv'
  codec?: 'h264' | 'hevc' | 'hevc-10bit' | 'vp9' | 'mpeg4' | 'wmv2' | 'h263' | 'mjpeg'
  sound?: 'aac' | 'pcm' | 'none'
  /** Upright, as the viewer sees it. */
  width?: number
  height?: number
  seconds?: number
  fps?: number
  /** Stored rotated, with a rotation matrix, as phones in portrait do (mp4 and mov only). */
  rotated?: boolean
  /** Half at the full frame rate, half at a third of it. */
  vfr?: boolean
  /** 0–100: how hard the video is to compress. */
  noise?: number
  /** ISO timestamp and location in the container's tags. */
  taken?: string
  place?: string
  /** Written as to a pipe: no index, no duration. */
  live?: boolean
}

export const VIDEO_CODEC: Record<NonNullable<VideoTraits['codec']>, string[]> = {
  h264: ['-c:v', 'libx264', '-preset', 'ultrafast', '-crf', '23'],
  hevc: ['-c:v', 'libx265', '-preset', 'ultrafast', '-tag:v', 'hvc1', '-x265-params', 'log-level=error'],
  'hevc-10bit': [
    '-c:v',
    'libx265',
    '-preset',
    'ultrafast',
    '-tag:v',
    'hvc1',
    '-x265-params',
    'log-level=error',
  ],
  vp9: ['-c:v', 'libvpx-vp9', '-deadline', 'realtime', '-cpu-used', '8', '-b:v', '2M'],
  mpeg4: ['-c:v', 'mpeg4', '-q:v', '4'],
  wmv2: ['-c:v', 'wmv2', '-q:v', '4'],
  h263: ['-c:v', 'h263', '-q:v', '4'],
  mjpeg: ['-c:v', 'mjpeg', '-q:v', '4'],
}
export const MUXER = {
  mp4: 'mp4',
  mov: 'mov',
  '3gp': '3gp',
  mkv: 'matroska',
  webm: 'webm',
  avi: 'avi',
  wmv: 'asf',
} as const

export function soundCodec(
  sound: NonNullable<VideoTraits['sound']>,
  container: NonNullable<VideoTraits['container']>,
) {
  if (sound === 'none') return ['-an']
  if (sound === 'pcm') return ['-c:a', 'pcm_s16le']
  if (container === 'webm') return ['-c:a', 'libopus']
  if (container === 'wmv') return ['-c:a', 'wmav2']
  if (container === 'avi') return ['-c:a', 'mp2']
  return ['-c:a', 'aac']
}

/** A quarter turn clockwise in the track header, where phones write it. */
export async function setRotationMatrix(path: string) {
  const bytes = await readFile(path)
  const matrix = bytes.indexOf('tkhd') + 44
  const quarterTurn = [0, 0x10000, 0, -0x10000, 0, 0, 0, 0, 0x40000000]
  for (const [index, value] of quarterTurn.entries()) bytes.writeInt32BE(value, matrix + index * 4)
  await writeFile(path, bytes)
}
