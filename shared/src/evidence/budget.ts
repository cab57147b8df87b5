import { MEGABYTE } from '../format.ts'
import type { FileType, FormatName } from './formats.ts'

/**
 * A file in the plan that divides a brand's package limit (D-19, D-21, D-53). The limit is for the whole
 * package of one order, so every share is reserved under the order's lock from this one plan: converted
 * files count with their real size, running ones with their reservation, the others with their need. The sum
 * never exceeds the limit, in whatever order the jobs finish.
 */
export interface PackageItem {
  id: number
  file_type: FileType
  /** Bytes of the original. */
  file_size: number
  pixels: number | null
  duration_seconds: number | null
  /** Of a PDF; absent when not yet read. */
  pages?: number | null
  /** Real bytes once converted, reserved bytes while running; null before. */
  committed_bytes: number | null
  /** In a re-encode pass: bytes of the fallback copy, which is kept when nothing better is made. */
  fallback_bytes?: number | null
}

/**
 * Kept free for ZIP headers, manifest and checksums, so that the ZIP itself stays within the limit: a ratio
 * of the limit, plus bytes per package and per file.
 */
const RESERVE_RATIO = 0.03
const RESERVE_BASE = 16_000
const RESERVE_PER_FILE = 1_200

/** Bytes below which a photo is no longer usable as evidence. */
export const IMAGE_FLOOR = 150_000
/** Bytes below which a scanned page is no longer legible. */
export const PAGE_FLOOR = 60_000
/** Bytes per second of the smallest acceptable video: 480p H.264 at 250 kbit/s with 48 kbit/s of sound. */
export const VIDEO_FLOOR_PER_SECOND = (250_000 + 48_000) / 8
/** Bytes per second above which a 1080p phone video gains nothing visible (8 Mbit/s). */
const VIDEO_WANT_PER_SECOND = 8_000_000 / 8
/**
 * A small HEIC or AVIF grows when converted to a JPEG of the same quality; never by more than this factor.
 */
const MOST_TIMES_ORIGINAL = 3
/** Long side of a converted photo, in pixels. */
export const IMAGE_LONG_SIDE = 2_048
/** A 2048 px JPEG of a detailed scene at quality 85 takes about 0.6 bytes per pixel, pure grain takes 1. */
const BYTES_PER_PIXEL = 0.6
const GRAINY_BYTES_PER_PIXEL = 1
const UNKNOWN_DURATION = 60

/** The brand's limit in bytes; a megabyte is 1 000 000 bytes (D-53). */
export const packageLimit = (max_file_size_mb: number) => Math.floor(max_file_size_mb * MEGABYTE)

/** Bytes that the converted files may take together: the limit less the reserve for `files` files. */
export const payloadLimit = (max_file_size_mb: number, files: number) => {
  const limit = packageLimit(max_file_size_mb)
  return Math.max(0, Math.floor(limit * (1 - RESERVE_RATIO)) - RESERVE_BASE - files * RESERVE_PER_FILE)
}

interface Need {
  item: PackageItem
  floor: number
  want: number
}

/** A file with a fallback copy needs no minimum; it only profits from bytes beyond that copy. */
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
    const want = Math.min(Math.max(IMAGE_FLOOR, wantedByPhoto(item)), item.file_size * MOST_TIMES_ORIGINAL)
    return { floor: Math.min(IMAGE_FLOOR, want), want }
  }
  const seconds = Math.max(1, item.duration_seconds ?? UNKNOWN_DURATION)
  const floor = Math.ceil(seconds * VIDEO_FLOOR_PER_SECOND)
  return {
    floor: Math.min(floor, item.file_size),
    want: Math.max(floor, Math.ceil(seconds * VIDEO_WANT_PER_SECOND)),
  }
}

/**
 * An original with many bytes per pixel has detail that its copy needs bytes for, the more the smaller the
 * copy is.
 */
function wantedByPhoto({ file_size, pixels }: PackageItem) {
  const side = IMAGE_LONG_SIDE * IMAGE_LONG_SIDE * 0.75
  const copied = Math.min(pixels ?? side, side)
  const density = pixels === null ? 0 : 0.85 * (file_size / pixels) * (pixels / copied) ** 0.25
  return Math.ceil(copied * Math.min(GRAINY_BYTES_PER_PIXEL, Math.max(BYTES_PER_PIXEL, density)))
}

/**
 * Compares two files by conversion order: stills before videos, which get what the stills leave. Among stills
 * the lossless formats come first, as their size says least about the bytes of their copy, then small files,
 * whose real size is soon known, so that no file is over-compressed because of an estimate.
 */
export const inConversionOrder = (one: QueuedFile, other: QueuedFile) =>
  turnOf(one) - turnOf(other) || one.file_size - other.file_size
interface QueuedFile extends Pick<PackageItem, 'file_type' | 'file_size'> {
  format: string
}
const LOSSLESS = new Set<string>(['png', 'tiff'] satisfies FormatName[])
const turnOf = ({ file_type, format }: QueuedFile) =>
  file_type === 'video' ? 2 : LOSSLESS.has(format) ? 0 : 1

/** Smallest size in bytes at which the file is still usable; 0 when it has a fallback copy. */
export const floorOf = (item: PackageItem) => needOf(item).floor
/** Bytes the file takes when there is no shortage, at most the size of its original. */
export const wantOf = (item: PackageItem) => Math.min(needOf(item).want, Math.max(item.file_size, 1))

/** A file's share. Without `admitted` nothing is reserved: `bytes` then only tells what would have fit. */
export interface Share {
  bytes: number
  admitted: boolean
}

/**
 * Bytes that each file without committed bytes may take: first every file's minimum, then photos and PDFs up
 * to their need, then videos by their length. Videos and documents whose minimum does not fit beside the
 * others are left out, the smallest being admitted first, so that one that cannot fit takes nothing from the
 * rest. When not even the photos' minimums fit, all are reduced by the same ratio.
 */
export function planShares(items: readonly PackageItem[], max_file_size_mb: number): Map<number, Share> {
  const committed = sum(items, reservedBytesOf)
  const needs = items.filter((item) => item.committed_bytes === null).map(needOf)
  const available = Math.max(0, payloadLimit(max_file_size_mb, items.length) - committed)
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
  const unassigned = rest
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
  // Bytes beyond every need are divided equally: a share is a limit, not a target. Beside a refused file they
  // stay free; otherwise running jobs would reserve them all, and the advice would be that nothing is left.
  const isSpared = admitted.length > 0 && ratio === 1 && refused.length === 0
  const spare = isSpared ? Math.floor(rest / admitted.length) : 0
  const plan = new Map<number, Share>(
    refused.map(({ item }) => [item.id, { bytes: unassigned, admitted: false }]),
  )
  for (const { item } of admitted)
    plan.set(item.id, {
      bytes: (item.fallback_bytes ?? 0) + (shares.get(item.id) ?? 0) + spare,
      admitted: true,
    })
  return plan
}

/** Bytes of the package that are not available to other files. */
export const reservedBytesOf = ({ committed_bytes, fallback_bytes }: PackageItem) =>
  committed_bytes ?? fallback_bytes ?? 0

export interface ConvertedItem extends PackageItem {
  /** Quality, dimensions, frames or sound were reduced for the budget. */
  is_over_compressed: boolean
  is_reencode_pass: boolean
}
/** Share of the limit from which a package counts as well used. */
const WELL_USED = 0.7
/** A share that grew by less than this factor would make no visible difference. */
const LEAST_GAIN = 1.1

/**
 * Files to convert once more when all files of an order are finished. Shares are planned before the real
 * sizes of the others are known; bytes left free would otherwise be lost to over-compressed files.
 */
export function filesToReencode<T extends ConvertedItem>(items: readonly T[], max_file_size_mb: number): T[] {
  if (items.some((item) => item.committed_bytes === null)) return []
  if (sum(items, reservedBytesOf) >= WELL_USED * payloadLimit(max_file_size_mb, items.length)) return []
  return items.filter((item) => item.is_over_compressed && !item.is_reencode_pass)
}

/** Whether `share` bytes promise a visibly better copy than the fallback copy of `fallback_bytes`. */
export const isWorthReencoding = (share: number, fallback_bytes: number) =>
  share >= LEAST_GAIN * fallback_bytes

const isVideo = ({ item }: Need) => item.file_type === 'video'
const isStill = (need: Need) => !isVideo(need)
/** Photos and PDFs can lose quality; a video's length and a document's bytes cannot be reduced. */
const canShrink = ({ item }: Need) => item.file_type === 'image' || item.file_type === 'pdf'
const sum = <T>(list: readonly T[], of: (one: T) => number) => list.reduce((total, one) => total + of(one), 0)

/** Longest video in whole seconds that fits the given bytes, for the advice in a refusal. */
export const longestVideo = (bytes: number) => Math.floor(bytes / VIDEO_FLOOR_PER_SECOND)
