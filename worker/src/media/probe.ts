import { execFile } from 'node:child_process'
import { z } from 'zod'
import { cameraOf } from './exif.ts'
import type { VideoTools } from './ffmpeg.ts'
import { videoTooLarge, videoUnreadable, videoWithoutPicture } from './refusal.ts'
import type { Run, Source, VideoInfo } from './types.ts'
import { MAX_VIDEO_PIXELS, MAX_VIDEO_SIDE, untrustedInputFlags } from './untrusted.ts'

const text = z.string().optional()
const streamShape = z.object({
  index: z.number(),
  codec_type: text,
  codec_name: text,
  pix_fmt: text,
  width: z.number().optional(),
  height: z.number().optional(),
  sample_aspect_ratio: text,
  avg_frame_rate: text,
  r_frame_rate: text,
  bit_rate: text,
  duration: text,
  channels: z.number().optional(),
  color_primaries: text,
  color_transfer: text,
  color_space: text,
  disposition: z.object({ attached_pic: z.number().optional() }).optional(),
  tags: z.record(z.string(), z.string()).optional(),
  side_data_list: z.array(z.object({ rotation: z.number().optional() })).optional(),
})
type Stream = z.output<typeof streamShape>
const reply = z.object({
  streams: z.array(streamShape),
  format: z.object({ duration: text, bit_rate: text, tags: z.record(z.string(), z.string()).optional() }),
})

type File = Pick<Source, 'path' | 'format'>

const seen = new WeakMap<File, VideoInfo>()
/**
 * Runs ffprobe, once per source. Throws CannotConvert when the file is unreadable, has no video stream or is
 * larger than an 8K frame; a missing file or program is a plain Error.
 */
export async function probe(tools: VideoTools, source: File, run: Run): Promise<VideoInfo> {
  const video = seen.get(source) ?? (await readVideoInfo(tools, source, run))
  seen.set(source, video)
  return video
}

async function readVideoInfo(tools: VideoTools, source: File, run: Run): Promise<VideoInfo> {
  const { streams, format } = await ask(tools, source, run)
  const picture = streams.find((stream) => stream.codec_type === 'video' && !stream.disposition?.attached_pic)
  if (!picture) throw videoWithoutPicture()
  const { width = 0, height = 0 } = picture
  if (width < 2 || height < 2) throw videoUnreadable()
  if (Math.max(width, height) > MAX_VIDEO_SIDE || width * height > MAX_VIDEO_PIXELS)
    throw videoTooLarge(width, height)

  const sound = streams.find((stream) => stream.codec_type === 'audio' && known(stream.codec_name))
  const turn = rotationOf(picture)
  const shown = Math.max(2, Math.round(width * pixelShape(picture.sample_aspect_ratio)))
  const tags = { ...picture.tags, ...format.tags }
  return {
    width: turn % 180 === 0 ? shown : height,
    height: turn % 180 === 0 ? height : shown,
    rotated: turn !== 0,
    duration: positive(picture.duration) ?? positive(format.duration),
    fps: rate(picture.avg_frame_rate) ?? rate(picture.r_frame_rate) ?? 30,
    codec: picture.codec_name ?? 'unknown',
    pixel_format: picture.pix_fmt ?? 'unknown',
    bit_rate: positive(picture.bit_rate) ?? positive(format.bit_rate),
    colour: {
      primaries: known(picture.color_primaries),
      transfer: known(picture.color_transfer),
      matrix: known(picture.color_space),
    },
    stream: picture.index,
    audio: sound
      ? { stream: sound.index, codec: sound.codec_name ?? '', channels: sound.channels ?? 1 }
      : null,
    captured_at:
      parseTimestamp(tags['com.apple.quicktime.creationdate']) ?? parseTimestamp(tags.creation_time),
    location: tags['com.apple.quicktime.location.ISO6709'] ?? tags.location ?? null,
    camera: cameraOf(
      tags['com.apple.quicktime.make'] ?? tags['com.android.manufacturer'],
      tags['com.apple.quicktime.model'] ?? tags['com.android.model'],
    ),
  }
}

async function ask(tools: VideoTools, source: File, run: Run) {
  const json = await new Promise<string>((resolve, reject) => {
    const flags = [
      '-v',
      'error',
      '-of',
      'json',
      '-show_streams',
      '-show_format',
      '-threads',
      String(tools.threads),
    ]
    execFile(
      tools.ffprobe,
      [...flags, ...untrustedInputFlags(source.format), '-i', source.path],
      { signal: run.signal, timeout: 60_000, killSignal: 'SIGKILL', maxBuffer: 8_000_000 },
      (error, stdout, stderr) => {
        if (!error) return resolve(stdout)
        if (run.signal.aborted) return reject(run.signal.reason)
        const missing = error.code === 'ENOENT' || /No such file|Permission denied/.test(stderr)
        reject(missing ? error : videoUnreadable(error))
      },
    )
  })
  const parsed = reply.safeParse(JSON.parse(json))
  if (!parsed.success) throw videoUnreadable(parsed.error)
  return parsed.data
}

const known = (name: string | undefined) => (name && name !== 'unknown' && name !== 'none' ? name : null)

const positive = (figure: string | undefined) => {
  const value = Number(figure)
  return Number.isFinite(value) && value > 0 ? value : null
}

/** «30000/1001» → 29.97; a value outside 0.1–480 is a time base, not a frame rate. */
const rate = (fraction: string | undefined) => {
  const [top = 0, bottom = 1] = (fraction ?? '').split('/').map(Number)
  const value = top / bottom
  return Number.isFinite(value) && value >= 0.1 && value <= 480 ? value : null
}

const pixelShape = (ratio: string | undefined) => {
  const [across = 1, down = 1] = (ratio ?? '1:1').split(':').map(Number)
  const shape = across / down
  return Number.isFinite(shape) && shape >= 0.1 && shape <= 10 ? shape : 1
}

function rotationOf({ side_data_list = [], tags }: Stream) {
  const matrix = side_data_list.find((data) => data.rotation !== undefined)?.rotation
  const degrees = Math.round((matrix ?? Number(tags?.rotate ?? 0)) / 90) * 90
  return Number.isFinite(degrees) ? ((degrees % 360) + 360) % 360 : 0
}

/** Cameras whose clock was never set write 1904 or 1970. */
const parseTimestamp = (iso: string | undefined) => {
  const at = iso ? new Date(iso) : null
  return at && at.getUTCFullYear() >= 1990 ? at : null
}
