import { join } from 'node:path'
import type { VideoConversion, VideoInfo } from './types.ts'
import type { VideoPlan } from './video-plan.ts'

/** Quality at which a phone video looks the same after conversion; measured with the preset below. */
const CRF = 21
/** «fast» takes twice the time for a thousandth of SSIM at the same size. */
const PRESET = 'veryfast'

export const remuxing = (job: VideoConversion) => [
  ...chosenStreams(job.video),
  '-c',
  'copy',
  ...containerFlags(job),
]

/** `quality` aims at the picture and writes statistics; `rate` reads them and aims at the bytes. */
export function encoding(job: VideoConversion, plan: VideoPlan, aim: 'quality' | 'rate') {
  const statistics = ['-passlogfile', join(job.run.dir, 'pass')]
  return [
    ...chosenStreams(job.video),
    ...['-vf', filters(plan), '-c:v', 'libx264', '-preset', PRESET, '-profile:v', 'high'],
    ...(aim === 'quality'
      ? ['-crf', String(CRF), '-pass', '1', '-fastfirstpass', '0', ...statistics]
      : ['-b:v', String(plan.video_rate), '-pass', '2', ...statistics]),
    // Without this buffer two passes strayed over the size in measurements; with it none did.
    ...['-maxrate', String(Math.round(plan.video_rate * 1.5)), '-bufsize', String(plan.video_rate * 2)],
    ...colours(job.video),
    ...(plan.audio
      ? ['-c:a', 'aac', '-b:a', String(plan.audio.rate), '-ac', String(plan.audio.channels)]
      : []),
    ...containerFlags(job),
  ]
}

/** Picture and one sound; data, subtitles and cover art stay behind, places among them. */
const chosenStreams = ({ stream, audio }: VideoInfo) => [
  ...['-map', `0:${stream}`],
  ...(audio ? ['-map', `0:${audio.stream}`] : []),
  ...['-map_metadata', '-1', '-map_chapters', '-1'],
]

const filters = ({ width, height, fps }: VideoPlan) =>
  [fps === null ? null : `fps=${fps}`, `scale=${width}:${height}:flags=bicubic`, 'setsar=1', 'format=yuv420p']
    .filter((filter) => filter !== null)
    .join(',')

/** Unlabelled HD is BT.709; shrunk to SD and still unlabelled, players would take it for BT.601. */
function colours({ colour, width, height }: VideoInfo) {
  const fallback = Math.min(width, height) >= 720 ? 'bt709' : null
  return Object.entries({
    '-color_primaries': colour.primaries ?? fallback,
    '-color_trc': colour.transfer ?? fallback,
    '-colorspace': colour.matrix ?? fallback,
  }).flatMap(([flag, value]) => (value === null ? [] : [flag, value]))
}

function containerFlags({ video, keep_gps, container }: VideoConversion) {
  const tags = [
    ...(video.captured_at ? [`creation_time=${video.captured_at.toISOString()}`] : []),
    ...(keep_gps && video.location ? [`location=${video.location.replace(/\s/g, '')}`] : []),
  ]
  return [
    ...tags.flatMap((tag) => ['-metadata', tag]),
    ...['-movflags', '+faststart', '-max_muxing_queue_size', '4096', '-f', container],
  ]
}
