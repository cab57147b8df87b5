import { MANIFEST, SUMS } from './proof.ts'

/** What is told of a file in a ZIP. */
export interface ArchivedEntry {
  name: string
  /** As it is written, in UTF-8. */
  raw_name: Uint8Array
  /** Date and time in MS-DOS format. */
  dos_time: number
  /** Seconds since 1970; only in layouts that have it. */
  unix_time: number
  crc32: number
  size: number
  /** Bytes that it takes in the ZIP. */
  packed: number
}

type Field = readonly [width: 2 | 4 | 8, value: number] | Uint8Array
export type Fields = readonly Field[]

/** Numbers are little-endian. */
export function bytesOf(fields: Fields): Uint8Array {
  const lengths = fields.map((field) => (field instanceof Uint8Array ? field.length : field[0]))
  const bytes = new Uint8Array(lengths.reduce((sum, length) => sum + length, 0))
  const view = new DataView(bytes.buffer)
  let at = 0
  for (const field of fields) {
    if (field instanceof Uint8Array) {
      bytes.set(field, at)
      at += field.length
    } else {
      const [width, value] = field
      if (width === 2) view.setUint16(at, value, true)
      else if (width === 4) view.setUint32(at, value, true)
      else view.setBigUint64(at, BigInt(value), true)
      at += width
    }
  }
  return bytes
}

/** What a version of the product writes around files to make a ZIP of them. */
export interface Layout {
  /** The bytes are in stored blocks of Deflate instead of as they are. */
  isDeflated: boolean
  /** Before and behind the bytes of a file. */
  before(entry: ArchivedEntry): Fields
  behind(entry: ArchivedEntry): Fields
  /** In the directory, for a file whose `before` is at that offset. */
  listed(entry: ArchivedEntry, offset: number): Fields
  /** Behind a directory of so many entries and bytes, which begins at `start`. */
  end(count: number, size: number, start: number): Fields
}

const FULL_16 = 0xffff
const FULL_32 = 0xffffffff
const UTF8_NAME = 0x0800
const SIZES_BEHIND = 0x0008
const VERSION = 20
const VERSION_64 = 45
const MADE_ON_UNIX = (3 << 8) | VERSION_64
const REGULAR_FILE = 0o100644 * 0x10000
const DOS_ARCHIVE = 0x20

/** The numbers as ZIP64's field; none without numbers. */
const zip64 = (...values: number[]): Fields =>
  values.length === 0 ? [] : [[2, 1], [2, 8 * values.length], ...values.map((value): Field => [8, value])]

const lengthOf = (fields: Fields) => bytesOf(fields).length

/** From flags to lengths: what both headers of a file tell alike. */
const described = (
  {
    raw_name,
    dos_time,
    crc32,
    packed,
    size,
  }: Pick<ArchivedEntry, 'raw_name' | 'dos_time'> & Partial<ArchivedEntry>,
  flags: number,
  method: number,
  extra: Fields,
): Fields => [
  [2, flags],
  [2, method],
  [4, dos_time],
  [4, crc32 ?? 0],
  [4, Math.min(packed ?? 0, FULL_32)],
  [4, Math.min(size ?? 0, FULL_32)],
  [2, raw_name.length],
  [2, lengthOf(extra)],
]

/** Without comment, on the first disk. */
const listedFile = (
  version: number,
  described: Fields,
  attributes: number,
  offset: number,
  raw_name: Uint8Array,
  extra: Fields,
): Fields => [
  [4, 0x02014b50],
  [2, MADE_ON_UNIX],
  [2, version],
  ...described,
  [2, 0],
  [2, 0],
  [2, 0],
  [4, attributes],
  [4, Math.min(offset, FULL_32)],
  raw_name,
  ...extra,
]

const shortEnd = (count: number, size: number, start: number): Fields => [
  [4, 0x06054b50],
  [2, 0],
  [2, 0],
  [2, Math.min(count, FULL_16)],
  [2, Math.min(count, FULL_16)],
  [4, Math.min(size, FULL_32)],
  [4, Math.min(start, FULL_32)],
  [2, 0],
]

const longEnd = (made: number, count: number, size: number, start: number): Fields => [
  [4, 0x06064b50],
  [8, 44],
  [2, made],
  [2, VERSION_64],
  [4, 0],
  [4, 0],
  [8, count],
  [8, count],
  [8, size],
  [8, start],
  [4, 0x07064b50],
  [4, 0],
  [8, start + size],
  [4, 1],
]

/** archiver 8: sizes and checksum of a stream are behind its bytes, those of a text before them. */
function archiver(isDeflated: boolean, isStream: (name: string) => boolean): Layout {
  const method = isDeflated ? 8 : 0
  const flagsOf = ({ name, raw_name }: ArchivedEntry) =>
    (isStream(name) ? SIZES_BEHIND : 0) | (raw_name.some((byte) => byte > 0x7f) ? UTF8_NAME : 0)
  const versionOf = ({ name }: ArchivedEntry) => (isStream(name) ? VERSION : 10)
  const isLong = ({ size, packed }: ArchivedEntry) => size > FULL_32 || packed > FULL_32
  return {
    isDeflated,
    before(entry) {
      const { name, raw_name, dos_time } = entry
      const told = isStream(name) ? { raw_name, dos_time } : entry
      return [
        [4, 0x04034b50],
        [2, versionOf(entry)],
        ...described(told, flagsOf(entry), method, []),
        raw_name,
      ]
    },
    behind(entry) {
      const { name, crc32, packed, size } = entry
      const width = isLong(entry) ? 8 : 4
      return isStream(name)
        ? [
            [4, 0x08074b50],
            [4, crc32],
            [width, packed],
            [width, size],
          ]
        : []
    },
    listed(entry, offset) {
      const { raw_name, packed, size } = entry
      const is64 = isLong(entry) || offset > FULL_32
      const extra = is64 ? zip64(size, packed, offset) : []
      const told = is64 ? { ...entry, packed: FULL_32, size: FULL_32 } : entry
      return listedFile(
        is64 ? VERSION_64 : versionOf(entry),
        described(told, flagsOf(entry), method, extra),
        REGULAR_FILE + DOS_ARCHIVE,
        is64 ? FULL_32 : offset,
        raw_name,
        extra,
      )
    },
    end(count, size, start) {
      if (count <= FULL_16 && size <= FULL_32 && start <= FULL_32) return shortEnd(count, size, start)
      return [...longEnd(VERSION_64, count, size, start), ...shortEnd(FULL_16, FULL_32, FULL_32)]
    },
  }
}

/** `server/src/kernel/zip.ts`: sizes and checksum before the bytes, and the time of the file in UTC. */
const computed: Layout = {
  isDeflated: false,
  before(entry) {
    const { raw_name, size } = entry
    const wide = size >= FULL_32 ? zip64(size, size) : []
    const extra = [...wide, ...utcTime(entry)]
    return [
      [4, 0x04034b50],
      [2, wide.length > 0 ? VERSION_64 : VERSION],
      ...described(entry, UTF8_NAME, 0, extra),
      raw_name,
      ...extra,
    ]
  },
  behind: () => [],
  listed(entry, offset) {
    const { raw_name, size } = entry
    const wide = zip64(...(size >= FULL_32 ? [size, size] : []), ...(offset >= FULL_32 ? [offset] : []))
    const extra = [...wide, ...utcTime(entry)]
    const version = wide.length > 0 ? VERSION_64 : VERSION
    return listedFile(version, described(entry, UTF8_NAME, 0, extra), REGULAR_FILE, offset, raw_name, extra)
  },
  end(count, size, start) {
    const short = shortEnd(count, size, start)
    if (count < FULL_16 && start < FULL_32 && size < FULL_32) return short
    return [...longEnd(MADE_ON_UNIX, count, size, start), ...short]
  },
}
/** Extended timestamp of Info-ZIP, with the time of the last change. */
const utcTime = ({ unix_time }: ArchivedEntry): Fields => [
  [2, 0x5455],
  [2, 5],
  Uint8Array.of(1),
  [4, unix_time],
]

/** All that the product has ever sealed dossiers in, the newest first; from which day on, until the one above it. */
export const ARCHIVE_LAYOUTS: readonly Layout[] = [
  // 2026-11-30
  archiver(true, () => true),
  // 2026-11-22
  archiver(false, () => true),
  // 2026-11-21
  computed,
  archiver(false, (name) => name !== MANIFEST && name !== SUMS),
]
