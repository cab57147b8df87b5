import type { VideoInfo } from './types.ts'

/** How a video is encoded so that it takes the budget's bytes and no more. Rates in bits per second. */
export interface VideoPlan {
  width: number
  height: number
  /** Set when frames must be dropped. */
  fps: number | null
  video_rate: number
  audio: { rate: number; channels: number } | null
  /** The source itself is so small that one pass of constant quality will do. */
  fitsInOnePass: boolean
}

/** The size of a two-pass encode strays by about a percent; see also the two retries of video.ts. */
const RESERVE = 0.97
/** Under this many bits a pixel H.264 smears; above it the larger picture had the better SSIM each time. */
const BITS_PER_PIXEL = 0.025
const SMALLEST_RATE = 60_000
/** More than this no player wants from a 1080p file. */
const LARGEST_RATE = 25_000_000
const SIZES = [
  { long: 1920, short: 1080 },
  { long: 1280, short: 720 },
  { long: 854, short: 480 },
  { long: 640, short: 360 },
] as const
/** Rates of sound, and the rate of the whole from which each is worth it. */
const SOUND = [
  [128_000, 1_500_000],
  [96_000, 800_000],
  [64_000, 400_000],
] as const
const MOST_FPS = 60
const CALM_FPS = 30

export function planVideo(video: VideoInfo, duration: number, budget: number): VideoPlan {
  const overhead = containerBytes(video, duration)
  const total = (Math.max(0, budget * RESERVE - overhead) * 8) / duration
  const audio = soundFor(video, total)
  const video_rate = Math.round(Math.min(LARGEST_RATE, Math.max(SMALLEST_RATE, total - (audio?.rate ?? 0))))
  return {
    ...frameFor(video, video_rate),
    video_rate,
    audio,
    fitsInOnePass: video.bit_rate !== null && video.bit_rate * efficiency(video.codec) < video_rate,
  }
}

/** Whether frame or sound is less than it would be without a budget. */
export const isReduced = (plan: VideoPlan, video: VideoInfo, duration: number) =>
  !isAlike(plan, planVideo(video, duration, Number.POSITIVE_INFINITY))

const isAlike = (one: VideoPlan, other: VideoPlan) =>
  one.width === other.width &&
  one.height === other.height &&
  one.fps === other.fps &&
  one.audio?.rate === other.audio?.rate &&
  one.audio?.channels === other.audio?.channels

/**
 * The plan again when a pass of constant quality showed what the picture really takes: a codec of old, or a
 * camera that stood still, says little of that by its bit rate. Null when frame and sound stay what they are.
 */
export function replanned(
  plan: VideoPlan,
  video: VideoInfo,
  duration: number,
  budget: number,
  size: number,
): VideoPlan | null {
  const { width, height, fps, audio } = plan
  const picture = Math.max(0, size - containerBytes(video, duration)) * (8 / duration) - (audio?.rate ?? 0)
  const bits_per_pixel = Math.max(0, picture) / (width * height * (fps ?? video.fps))
  const measured = bits_per_pixel * video.width * video.height * video.fps
  const own = video.bit_rate === null ? Number.POSITIVE_INFINITY : video.bit_rate * efficiency(video.codec)
  const known = { ...video, codec: 'h264', bit_rate: Math.min(measured, own) }
  const better = planVideo(known, duration, budget)
  return isAlike(plan, better) ? null : better
}

/** Sample tables of the MP4: they count at the lowest rates. */
const containerBytes = ({ fps, audio }: VideoInfo, duration: number) =>
  4_000 + duration * (Math.min(fps, MOST_FPS) * 14 + (audio ? 400 : 0))

/** Sound saves bits only for a picture that needs them. */
function soundFor({ audio, bit_rate, codec }: VideoInfo, total: number) {
  if (!audio) return null
  const picture = bit_rate === null ? Number.POSITIVE_INFINITY : bit_rate * efficiency(codec)
  const [step = 48_000] = SOUND.find(([rate, from]) => total >= Math.min(from, picture + rate)) ?? []
  const channels = step < 64_000 ? 1 : Math.min(2, audio.channels)
  return { channels, rate: channels === 1 ? Math.min(step, 80_000) : step }
}

/** Pixels go first where bits are scarce, after the frames beyond 30 a second. */
function frameFor(video: VideoInfo, video_rate: number) {
  const enough = Math.min(BITS_PER_PIXEL, ownBitsPerPixel(video))
  const holds = (size: { width: number; height: number }, fps: number) =>
    video_rate / (size.width * size.height * fps) >= enough
  const sizes = SIZES.map((limit) => within(video, limit))
  const [largest = { width: video.width, height: video.height }] = sizes
  const fast = Math.min(video.fps, MOST_FPS)
  if (holds(largest, fast)) return { ...largest, fps: reducedFps(video, fast) }
  const calm = Math.min(fast, CALM_FPS)
  const size = sizes.find((one) => holds(one, calm)) ?? sizes.at(-1) ?? largest
  return { ...size, fps: reducedFps(video, calm) }
}
const reducedFps = (video: VideoInfo, fps: number) => (video.fps > fps + 1 ? fps : null)

/** A still screen recording needs few bits at any size; shrinking it would only blur its text. */
const ownBitsPerPixel = ({ bit_rate, codec, width, height, fps }: VideoInfo) =>
  bit_rate === null ? Number.POSITIVE_INFINITY : (bit_rate * efficiency(codec)) / (width * height * fps)

/** Bits H.264 needs for what one bit of this codec says. */
const efficiency = (codec: string) => (codec === 'hevc' || codec === 'vp9' || codec === 'av1' ? 1.6 : 1)

function within({ width, height }: VideoInfo, limit: (typeof SIZES)[number]) {
  const scale = Math.min(1, limit.long / Math.max(width, height), limit.short / Math.min(width, height))
  const even = (side: number) => Math.max(2, Math.round((side * scale) / 2) * 2)
  return { width: even(width), height: even(height) }
}
