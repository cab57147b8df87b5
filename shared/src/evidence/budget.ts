import { MEGABYTE } from '../format.ts'
import type { FileType, FormatName } from './formats.ts'

/**
 * How the bytes of a brand's package are shared out (D-19, D-21, D-53). The limit holds for the whole
 * package of one order, so every share is claimed under the order's lock from this one plan: what is
 * already converted counts with its real size, what runs with its claim, the rest with its need. The sum
 * never passes the limit, whatever order the jobs finish in.
 */
export interface PackageItem {
  id: number
  file_type: FileType
  /** Bytes of the original. */
  file_size: number
  pixels: number | null
  duration_seconds: number | null
  /** Of a PDF; absent where nobody looked. */
  pages?: number | null
  /** Real bytes once converted, the claim while running; null before. */
  committed_bytes: number | null
  /** In a second round: bytes of the copy that stays when nothing better comes of it. They are its own. */
  fallback_bytes?: number | null
}

/** Held back for ZIP headers, manifest and checksums, so that the ZIP itself stays under the limit. */
const RESERVE_RATIO = 0.03
const RESERVE_BASE = 16_000
const RESERVE_PER_FILE = 1_200

/** Under this a photo no longer proves anything. */
export const IMAGE_FLOOR = 150_000
/** Under this a scanned page can no longer be read. */
export const PAGE_FLOOR = 60_000
/** Bytes a second of the smallest video we would hand in: 480p H.264 at 250 kbit/s with 48 kbit/s of sound. */
export const VIDEO_FLOOR_PER_SECOND = (250_000 + 48_000) / 8
/** Bytes a second beyond which a 1080p phone video gains nothing visible (8 Mbit/s). */
const VIDEO_WANT_PER_SECOND = 8_000_000 / 8
/** A small HEIC or AVIF grows when it becomes a JPEG of the same looks; never by more than this. */
const MOST_GROWTH = 3
/** Long side of a converted photo, in pixels. */
export const IMAGE_LONG_SIDE = 2_048
/** A 2048 px JPEG of a detailed scene at quality 85 takes about 0.6 bytes a pixel, and of nothing but grain 1. */
const BYTES_PER_PIXEL = 0.6
const GRAINY_BYTES_PER_PIXEL = 1
const UNKNOWN_DURATION = 60

export const packageLimit = (max_file_size_mb: number) => Math.floor(max_file_size_mb * MEGABYTE)

/** Bytes the converted files may take together. */
export const payloadLimit = (max_file_size_mb: number, files: number) => {
  const limit = packageLimit(max_file_size_mb)
  return Math.max(0, Math.floor(limit * (1 - RESERVE_RATIO)) - RESERVE_BASE - files * RESERVE_PER_FILE)
}

interface Need {
  item: PackageItem
  floor: number
  want: number
}

/** Who has a copy could do without a better one. */
function needOf(item: PackageItem): Need {
  const { floor, want } = wholeNeedOf(item)
  const { fallback_bytes } = item
  return fallback_bytes ? { item, floor: 0, want: Math.max(0, want - fallback_bytes) } : { item, floor, want }
}

function wholeNeedOf(item: PackageItem) {
  if (item.file_type === 'document') return { floor: item.file_size, want: item.file_size }
  if (item.file_type === 'pdf')
    return {
      floor: Math.min(item.file_size, Math.max(IMAGE_FLOOR, (item.pages ?? 1) * PAGE_FLOOR)),
      want: item.file_size,
    }
  if (item.file_type === 'image') {
    const want = Math.min(Math.max(IMAGE_FLOOR, wantedByPhoto(item)), item.file_size * MOST_GROWTH)
    return { floor: Math.min(IMAGE_FLOOR, want), want }
  }
  const seconds = Math.max(1, item.duration_seconds ?? UNKNOWN_DURATION)
  const floor = Math.ceil(seconds * VIDEO_FLOOR_PER_SECOND)
  return {
    floor: Math.min(floor, item.file_size),
    want: Math.max(floor, Math.ceil(seconds * VIDEO_WANT_PER_SECOND)),
  }
}

/** An original that took many bytes a pixel has detail that its copy will need bytes for, the more the smaller it is. */
function wantedByPhoto({ file_size, pixels }: PackageItem) {
  const side = IMAGE_LONG_SIDE * IMAGE_LONG_SIDE * 0.75
  const copied = Math.min(pixels ?? side, side)
  const density = pixels === null ? 0 : 0.85 * (file_size / pixels) * (pixels / copied) ** 0.25
  return Math.ceil(copied * Math.min(GRAINY_BYTES_PER_PIXEL, Math.max(BYTES_PER_PIXEL, density)))
}

/**
 * Who is converted first: stills, for what they leave is the videos' share. Of the stills the lossless ones,
 * whose bytes tell least of what their copy will need, and of each kind the small ones, whose needs are soon
 * known, so that nobody is pressed for the sake of a guess.
 */
export const inConversionOrder = (one: QueuedFile, other: QueuedFile) =>
  turnOf(one) - turnOf(other) || one.file_size - other.file_size
interface QueuedFile extends Pick<PackageItem, 'file_type' | 'file_size'> {
  format: string
}
const LOSSLESS = new Set<string>(['png', 'tiff'] satisfies FormatName[])
const turnOf = ({ file_type, format }: QueuedFile) =>
  file_type === 'video' ? 2 : LOSSLESS.has(format) ? 0 : 1

/** The least that still proves something, and what a file takes when nothing is scarce. */
export const floorOf = (item: PackageItem) => needOf(item).floor
export const wantOf = (item: PackageItem) => Math.min(needOf(item).want, Math.max(item.file_size, 1))

/** A file's share; one that is not `admitted` holds nothing: its bytes only tell what would have fit. */
export interface Share {
  bytes: number
  admitted: boolean
}

/**
 * Bytes each unsettled file may take: everyone's floor first, then photos and PDFs up to what they want,
 * then videos by their length. A video or document whose floor does not fit beside the others is left
 * out, smallest first in, so that one hopeless file never starves the rest. When not even the photos'
 * floors fit, they shrink alike and the conversion says what would fit.
 */
export function planShares(items: readonly PackageItem[], max_file_size_mb: number): Map<number, Share> {
  const settled = sum(items, reservedBytesOf)
  const needs = items.filter((item) => item.committed_bytes === null).map(needOf)
  const available = Math.max(0, payloadLimit(max_file_size_mb, items.length) - settled)
  const soft = needs.filter(canShrink)
  const softFloors = sum(soft, (need) => need.floor)
  const ratio = softFloors > available ? available / softFloors : 1
  let rest = available - Math.min(available, softFloors)
  const admitted: Need[] = soft.map((need) => ({ ...need, floor: Math.floor(need.floor * ratio) }))
  const refused: Need[] = []
  for (const need of needs
    .filter((one) => !canShrink(one))
    .sort((a, b) => a.floor - b.floor || a.item.id - b.item.id)) {
    if (need.floor > rest) refused.push(need)
    else {
      admitted.push(need)
      rest -= need.floor
    }
  }
  const room = rest
  const shares = new Map(admitted.map(({ item, floor }) => [item.id, floor]))
  if (ratio === 1)
    for (const isInGroup of [isStill, isVideo]) {
      const group = admitted.filter(isInGroup)
      const missing = sum(group, (need) => need.want - need.floor)
      const given = Math.min(rest, missing)
      if (missing === 0) continue
      for (const { item, floor, want } of group)
        shares.set(item.id, floor + Math.floor(((want - floor) * given) / missing))
      rest -= given
    }
  // What nobody wanted goes to all alike: a share is a ceiling, not an order to fill it. Beside a refused file
  // it is kept, or who runs would hold it all, and the advice would be that there is no room.
  const isSpared = admitted.length > 0 && ratio === 1 && refused.length === 0
  const spare = isSpared ? Math.floor(rest / admitted.length) : 0
  const plan = new Map<number, Share>(refused.map(({ item }) => [item.id, { bytes: room, admitted: false }]))
  for (const { item } of admitted)
    plan.set(item.id, {
      bytes: (item.fallback_bytes ?? 0) + (shares.get(item.id) ?? 0) + spare,
      admitted: true,
    })
  return plan
}

/** Bytes that nobody else may take. */
export const reservedBytesOf = ({ committed_bytes, fallback_bytes }: PackageItem) =>
  committed_bytes ?? fallback_bytes ?? 0

export interface ConvertedItem extends PackageItem {
  /** Worse than it would be if nothing were scarce. */
  is_over_compressed: boolean
  is_reencode_pass: boolean
}
/** A package that uses this much of its limit has been used well. */
const WELL_USED = 0.7
/** A share that grew by less than this would hardly be seen. */
const LEAST_GAIN = 1.1

/**
 * Files to convert once more when the last of an order has settled: shares are planned before anybody knows
 * what the others will really take, and what those left free would otherwise be lost to who was pressed.
 */
export function filesToReencode<T extends ConvertedItem>(items: readonly T[], max_file_size_mb: number): T[] {
  if (items.some((item) => item.committed_bytes === null)) return []
  if (sum(items, reservedBytesOf) >= WELL_USED * payloadLimit(max_file_size_mb, items.length)) return []
  return items.filter((item) => item.is_over_compressed && !item.is_reencode_pass)
}

/** Whether a share promises a better copy than the first. */
export const isWorthReencoding = (share: number, fallback_bytes: number) =>
  share >= LEAST_GAIN * fallback_bytes

const isVideo = ({ item }: Need) => item.file_type === 'video'
const isStill = (need: Need) => !isVideo(need)
/** Photos and PDFs can be made smaller at a price; a video's length and a document's bytes are what they are. */
const canShrink = ({ item }: Need) => item.file_type === 'image' || item.file_type === 'pdf'
const sum = <T>(list: readonly T[], of: (one: T) => number) => list.reduce((total, one) => total + of(one), 0)

/** Longest video in seconds that the given bytes can carry, for the advice in a refusal. */
export const longestVideo = (bytes: number) => Math.floor(bytes / VIDEO_FLOOR_PER_SECOND)
