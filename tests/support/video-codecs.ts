import { readFile, writeFile } from 'node:fs/promises'
import type { VideoTraits } from './media.ts'

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
  av1: [
    '-c:v',
    'libaom-av1',
    '-strict',
    'experimental',
    '-cpu-used',
    '8',
    '-usage',
    'realtime',
    '-b:v',
    '1M',
  ],
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

/** Quarter turn clockwise in the track header, which is where phones write it. */
export async function turn(path: string) {
  const bytes = await readFile(path)
  const matrix = bytes.indexOf('tkhd') + 44
  const quarterTurn = [0, 0x10000, 0, -0x10000, 0, 0, 0, 0, 0x40000000]
  for (const [index, value] of quarterTurn.entries()) bytes.writeInt32BE(value, matrix + index * 4)
  await writeFile(path, bytes)
}
