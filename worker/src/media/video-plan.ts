import type { VideoInfo } from './types.ts'

/** Encoding parameters with which a video uses its budget and no more. Rates in bits per second. */
export interface VideoPlan {
  width: number
  height: number
  /** Set when the frame rate must be reduced. */
  fps: number | null
  video_rate: number
  audio: { rate: number; channels: number } | null
  /** The source has so few bits that one pass of constant quality is expected to fit. */
  fitsInOnePass: boolean
}

/** Two-pass sizes deviate by about a percent; the retries in video.ts handle the rest. */
const RESERVE = 0.97
/**
 * Below this many bits per pixel H.264 shows artefacts; above it the larger frame had the better SSIM each
 * time.
 */
const BITS_PER_PIXEL = 0.025
const SMALLEST_RATE = 60_000
/** Upper limit for players of a 1080p file. */
const LARGEST_RATE = 25_000_000
const SIZES = [
  { long: 1920, short: 1080 },
  { long: 1280, short: 720 },
  { long: 854, short: 480 },
  { long: 640, short: 360 },
] as const
/** Audio rates, each with the total rate from which it is used. */
const SOUND = [
  [128_000, 1_500_000],
  [96_000, 800_000],
  [64_000, 400_000],
] as const
const MOST_FPS = 60
const REDUCED_FPS = 30

/** Chooses frame size, frame rate, sound and rates for `duration` seconds within `budget` bytes. */
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

/** Whether frame size, frame rate or sound are lower than they would be without a budget. */
export const isReduced = (plan: VideoPlan, video: VideoInfo, duration: number) =>
  !isAlike(plan, planVideo(video, duration, Number.POSITIVE_INFINITY))

const isAlike = (one: VideoPlan, other: VideoPlan) =>
  one.width === other.width &&
  one.height === other.height &&
  one.fps === other.fps &&
  one.audio?.rate === other.audio?.rate &&
  one.audio?.channels === other.audio?.channels

/**
 * A new plan from the `size` in bytes of a constant-quality pass, which shows what the picture really needs:
 * the bit rate of an old codec or of a static scene says little about it. Null when frame and sound stay the
 * same.
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

/** Bytes of the MP4's sample tables, which matter at the lowest rates. */
const containerBytes = ({ fps, audio }: VideoInfo, duration: number) =>
  4_000 + duration * (Math.min(fps, MOST_FPS) * 14 + (audio ? 400 : 0))

/** A lower audio rate is chosen only when the picture needs the bits. */
function soundFor({ audio, bit_rate, codec }: VideoInfo, total: number) {
  if (!audio) return null
  const picture = bit_rate === null ? Number.POSITIVE_INFINITY : bit_rate * efficiency(codec)
  const [step = 48_000] = SOUND.find(([rate, from]) => total >= Math.min(from, picture + rate)) ?? []
  const channels = step < 64_000 ? 1 : Math.min(2, audio.channels)
  return { channels, rate: channels === 1 ? Math.min(step, 80_000) : step }
}

/** Where bits are scarce, frames beyond 30 per second are dropped first, then the frame gets smaller. */
function frameFor(video: VideoInfo, video_rate: number) {
  const enough = Math.min(BITS_PER_PIXEL, ownBitsPerPixel(video))
  const holds = (size: { width: number; height: number }, fps: number) =>
    video_rate / (size.width * size.height * fps) >= enough
  const sizes = SIZES.map((limit) => within(video, limit))
  const [largest = { width: video.width, height: video.height }] = sizes
  const fast = Math.min(video.fps, MOST_FPS)
  if (holds(largest, fast)) return { ...largest, fps: reducedFps(video, fast) }
  const fps = Math.min(fast, REDUCED_FPS)
  const size = sizes.find((one) => holds(one, fps)) ?? sizes.at(-1) ?? largest
  return { ...size, fps: reducedFps(video, fps) }
}
const reducedFps = (video: VideoInfo, fps: number) => (video.fps > fps + 1 ? fps : null)

/** A static screen recording needs few bits at any size; scaling it down would only blur its text. */
const ownBitsPerPixel = ({ bit_rate, codec, width, height, fps }: VideoInfo) =>
  bit_rate === null ? Number.POSITIVE_INFINITY : (bit_rate * efficiency(codec)) / (width * height * fps)

/** Bits H.264 needs per bit of this codec. */
const efficiency = (codec: string) => (codec === 'hevc' || codec === 'vp9' || codec === 'av1' ? 1.6 : 1)

function within({ width, height }: VideoInfo, limit: (typeof SIZES)[number]) {
  const scale = Math.min(1, limit.long / Math.max(width, height), limit.short / Math.min(width, height))
  const even = (side: number) => Math.max(2, Math.round((side * scale) / 2) * 2)
  return { width: even(width), height: even(height) }
}
