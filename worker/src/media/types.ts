import type { FormatName } from '@garantia/shared/evidence/formats'
import type { VideoTools } from './ffmpeg.ts'
import type { Quality } from './quality.ts'

export interface Source {
  path: string
  format: FormatName
  size: number
}

export interface Target {
  /** Bytes the result may take; never one more. */
  budget_bytes: number
  /** Extensions as the brand writes them, in its order of preference. */
  image_formats: readonly string[]
  video_formats: readonly string[]
  /** Longest side of a converted picture, in pixels. */
  long_side: number
  keep_gps: boolean
  max_video_seconds?: number | null
  /** Degrees clockwise beyond upright, for pictures. */
  rotation?: number
}

export interface Run {
  /** Private folder of this job; the caller makes it and deletes it. */
  dir: string
  signal: AbortSignal
  onProgress: (percent: number) => void
}

/** Width and height as a person sees the picture, upright. */
export interface Facts {
  width: number | null
  height: number | null
  duration_seconds: number | null
  pages: number | null
  captured_at: Date | null
}

/** What an original says of itself beside its measures; of the place only whether there is one. */
export interface InspectedFacts extends Facts {
  camera: string | null
  /** As EXIF counts, 1 to 8. */
  orientation: number | null
  has_location: boolean | null
}

export interface Converted extends Facts {
  path: string
  size: number
  format: FormatName
  /** False when the bytes of picture and sound are those of the original. */
  reencoded: boolean
  /** True when more bytes would have given more: quality, size, frames or sound were reduced for the budget. */
  is_over_compressed: boolean
}

export interface Preview extends Quality {
  path: string
  size: number
}

/** What there is to know of a video before converting it. */
export interface VideoInfo {
  /** As displayed: rotation and pixel shape applied. */
  width: number
  height: number
  rotated: boolean
  /** Seconds of the picture; null when the container does not say. */
  duration: number | null
  fps: number
  codec: string
  pixel_format: string
  /** Bits per second of the picture, container and sound taken off; null when unknown. */
  bit_rate: number | null
  /** As ffmpeg names them, for the flags of the same name; null when not stated. */
  colour: { primaries: string | null; transfer: string | null; matrix: string | null }
  stream: number
  audio: { stream: number; codec: string; channels: number } | null
  captured_at: Date | null
  location: string | null
  camera: string | null
}

export type Container = 'mp4' | 'mov'

/** Everything one conversion of one video needs. */
export interface VideoConversion {
  tools: VideoTools
  source: Source
  video: VideoInfo
  duration: number
  container: Container
  budget: number
  keep_gps: boolean
  run: Run
}
