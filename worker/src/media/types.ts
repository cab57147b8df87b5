import type { FormatName } from '@garantia/shared/evidence/formats'
import type { Mark } from '@garantia/shared/evidence/marks'
import type { FoundText, ReadingKind } from '@garantia/shared/evidence/reading'
import type { VideoTools } from './ffmpeg.ts'
import type { Quality } from './quality.ts'

/** An original file on disk; `size` in bytes. */
export interface Source {
  path: string
  format: FormatName
  size: number
}

/** Limits and options of a conversion, taken from the brand's rules. */
export interface Target {
  /** Hard limit of the result, in bytes. */
  budget_bytes: number
  /** Extensions as the brand writes them, in its order of preference. */
  image_formats: readonly string[]
  video_formats: readonly string[]
  /** Longest side of a converted picture, in pixels. */
  long_side: number
  keep_gps: boolean
  max_video_seconds?: number | null
  /** Degrees clockwise, added to the EXIF rotation; for pictures. */
  rotation?: number
  /** Drawn onto the copy of a picture. */
  marks?: readonly Mark[]
}

/** Working context of one job. */
export interface Run {
  /** Private folder of this job; the caller creates and deletes it. */
  dir: string
  signal: AbortSignal
  /** Receives 0–100. */
  onProgress: (percent: number) => void
}

/** Facts of a file; width and height in pixels, after rotation to upright. */
export interface Facts {
  width: number | null
  height: number | null
  duration_seconds: number | null
  pages: number | null
  captured_at: Date | null
}

/** Metadata of an original; of the GPS position only whether there is one. */
export interface InspectedFacts extends Facts {
  camera: string | null
  /** EXIF orientation, 1 to 8. */
  orientation: number | null
  has_location: boolean | null
}

/** A finished conversion; `size` in bytes. */
export interface Converted extends Facts {
  path: string
  size: number
  format: FormatName
  /** False when picture and sound were copied from the original without re-encoding. */
  reencoded: boolean
  /**
   * Quality, dimensions, frames or sound were reduced for the budget; a larger one would give a better
   * result.
   */
  is_over_compressed: boolean
}

/** A thumbnail file and the quality figures of what it shows. */
export interface Preview extends Quality {
  path: string
  size: number
}

/** What is looked for in a picture, turned by so many degrees clockwise besides its EXIF rotation. */
export interface ReadingWish {
  kinds: readonly ReadingKind[]
  turn?: number | undefined
}
/** The texts that were found, and by what. */
export interface PictureReading {
  found: FoundText[]
  engine: string
}

/** A picture for a page or a slide: longest side in px, JPEG quality. */
export interface PageSize {
  long_side: number
  quality: number
}
/** A JPEG for a page or a slide. */
export interface PagePicture {
  path: string
  width: number
  height: number
}

/** Technical data of a video, read before its conversion. */
export interface VideoInfo {
  /** Pixels as displayed: rotation and pixel aspect ratio applied. */
  width: number
  height: number
  rotated: boolean
  /** Seconds of the video stream; null when the container does not state it. */
  duration: number | null
  fps: number
  codec: string
  pixel_format: string
  /** Bits per second of the video stream, else of the whole file; null when unknown. */
  bit_rate: number | null
  /** Names as ffmpeg prints them, passed to its flags of the same name; null when not stated. */
  colour: { primaries: string | null; transfer: string | null; matrix: string | null }
  /** Index of the stream in the input, as in `-map 0:<index>`. */
  stream: number
  audio: { stream: number; codec: string; channels: number } | null
  captured_at: Date | null
  location: string | null
  camera: string | null
}

export type Container = 'mp4' | 'mov'

/** Everything the conversion of one video needs; `duration` in seconds, `budget` in bytes. */
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
