import { join } from 'node:path'
import type { VideoConversion, VideoInfo } from './types.ts'
import type { VideoPlan } from './video-plan.ts'

/**
 * Constant quality at which a phone video looks the same after conversion; measured with the preset below.
 */
const CRF = 21
/** «fast» takes twice the time and gains a thousandth of SSIM at the same size. */
const PRESET = 'veryfast'

/** Output flags that copy picture and sound into another container without re-encoding. */
export const remuxing = (job: VideoConversion) => [
  ...chosenStreams(job.video),
  '-c',
  'copy',
  ...containerFlags(job),
]

/**
 * Output flags of one pass: `quality` is constant quality and writes statistics, `rate` reads them and meets
 * the size.
 */
export function encoding(job: VideoConversion, plan: VideoPlan, aim: 'quality' | 'rate') {
  const statistics = ['-passlogfile', join(job.run.dir, 'pass')]
  return [
    ...chosenStreams(job.video),
    ...['-vf', filters(plan), '-c:v', 'libx264', '-preset', PRESET, '-profile:v', 'high'],
    ...(aim === 'quality'
      ? ['-crf', String(CRF), '-pass', '1', '-fastfirstpass', '0', ...statistics]
      : ['-b:v', String(plan.video_rate), '-pass', '2', ...statistics]),
    // Without this buffer, two-pass encodes exceeded the size in measurements; with it none did.
    ...['-maxrate', String(Math.round(plan.video_rate * 1.5)), '-bufsize', String(plan.video_rate * 2)],
    ...colours(job.video),
    ...(plan.audio
      ? ['-c:a', 'aac', '-b:a', String(plan.audio.rate), '-ac', String(plan.audio.channels)]
      : []),
    ...containerFlags(job),
  ]
}

/**
 * Maps the video and one audio stream. Data, subtitles, cover art and all metadata are dropped;
 * containerFlags restores time and position.
 */
const chosenStreams = ({ stream, audio }: VideoInfo) => [
  ...['-map', `0:${stream}`],
  ...(audio ? ['-map', `0:${audio.stream}`] : []),
  ...['-map_metadata', '-1', '-map_chapters', '-1'],
]

const filters = ({ width, height, fps }: VideoPlan) =>
  [fps === null ? null : `fps=${fps}`, `scale=${width}:${height}:flags=bicubic`, 'setsar=1', 'format=yuv420p']
    .filter((filter) => filter !== null)
    .join(',')

/** HD without colour tags is BT.709; scaled to SD and still untagged, players would take it for BT.601. */
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
