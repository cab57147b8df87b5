import { createHash } from 'node:crypto'

/**
 * ZIP files whose layout is computed before the first byte is read: size and CRC-32 of every entry are known,
 * so length, entity tag and any byte range follow from arithmetic. Entries are stored, never deflated.
 */
export interface ZipEntry {
  name: string
  at: Date
  size: number
  crc32: number
  /** A storage key, or the bytes themselves in one or more buffers. */
  source: string | readonly Buffer[]
}
/** Bytes in memory, or a stored object with its expected length and CRC-32. */
export type ZipPiece = Buffer | StoredPiece
export interface StoredPiece {
  key: string
  length: number
  crc32: number
}
export interface ZipLayout {
  size: number
  /**
   * A strong entity tag: it identifies every byte, since the headers contain the sizes and checksums of all
   * contents.
   */
  etag: string
  /** In order, without gaps. */
  pieces: ZipPiece[]
}

/** Values beyond the 32-bit and 16-bit fields are written to ZIP64 records. */
const MOST_32 = 0xffffffff
const MOST_16 = 0xffff
const VERSION = 20
const VERSION_64 = 45
const MADE_ON_UNIX = 3 << 8
const REGULAR_READABLE = 0o100644 << 16
const NAMES_ARE_UTF8 = 0x0800

/**
 * Builds a layout entry by entry: of many thousand entries only the headers are kept in memory. `end()`
 * returns the layout; nothing may be added afterwards.
 */
export function startLayout() {
  const pieces: ZipPiece[] = []
  const directory: Buffer[] = []
  let central: Buffer[] = []
  const hash = createHash('sha256')
  let count = 0
  let offset = 0
  const put = (piece: ZipPiece) => {
    pieces.push(piece)
    if (piece instanceof Buffer) hash.update(piece)
    offset += piece.length
  }
  /** Joins the collected headers: ten thousand small buffers take more memory than their content. */
  function flushHeaders() {
    directory.push(Buffer.concat(central))
    central = []
  }
  return {
    add(entry: ZipEntry) {
      count++
      central.push(centralHeader(entry, offset))
      if (central.length === HEADERS_PER_BUFFER) flushHeaders()
      put(localHeader(entry))
      const { source: key, size: length, crc32 } = entry
      if (typeof key !== 'string') key.forEach(put)
      else if (length > 0) put({ key, length, crc32 })
    },
    end(): ZipLayout {
      flushHeaders()
      const start = offset
      directory.forEach(put)
      put(endRecords(count, offset - start, start))
      return { size: offset, etag: `"${hash.digest('hex')}"`, pieces }
    },
  }
}
const HEADERS_PER_BUFFER = 500

/**
 * Date and time in MS-DOS format, in Brasília time (UTC−3); readers that support it use the UTC extra field
 * instead.
 */
function dosTimestamp(at: Date) {
  const local = new Date(Math.max(at.getTime(), Date.UTC(1980, 0, 2)) - 3 * 3_600_000)
  const time = (local.getUTCHours() << 11) | (local.getUTCMinutes() << 5) | (local.getUTCSeconds() >> 1)
  const day = ((local.getUTCFullYear() - 1980) << 9) | ((local.getUTCMonth() + 1) << 5) | local.getUTCDate()
  return { time, day }
}

const capped = (value: number) => Math.min(value, MOST_32)

/** A header with its name, timestamp and 64-bit numbers filled in; the rest of its fixed part is zero. */
function headerOf(fixed: number, { name, at }: ZipEntry, big: readonly number[]) {
  const named = fixed + Buffer.byteLength(name)
  const widened = named + (big.length > 0 ? 4 + 8 * big.length : 0)
  const head = Buffer.allocUnsafe(widened + UTC_TIMESTAMP_FIELD.length).fill(0, 0, fixed)
  head.write(name, fixed)
  if (big.length > 0) {
    head.writeUInt16LE(ZIP64, named)
    head.writeUInt16LE(8 * big.length, named + 2)
    for (const [place, value] of big.entries()) head.writeBigUInt64LE(BigInt(value), named + 4 + 8 * place)
  }
  UTC_TIMESTAMP_FIELD.copy(head, widened)
  head.writeInt32LE(Math.floor(at.getTime() / 1000), widened + 5)
  return { head, version: big.length > 0 ? VERSION_64 : VERSION, name_size: named - fixed }
}
const ZIP64 = 1
const UTC_TIMESTAMP_FIELD = Buffer.from([0x55, 0x54, 5, 0, 1, 0, 0, 0, 0])

/**
 * Writes the fields that the local and the central header share, from the flags to the lengths of name and
 * extra fields.
 */
function describe(
  head: Buffer,
  from: number,
  { at, size, crc32 }: ZipEntry,
  name_size: number,
  fixed: number,
) {
  head.writeUInt16LE(NAMES_ARE_UTF8, from)
  const { time, day } = dosTimestamp(at)
  head.writeUInt16LE(time, from + 4)
  head.writeUInt16LE(day, from + 6)
  head.writeUInt32LE(crc32, from + 8)
  head.writeUInt32LE(capped(size), from + 12)
  head.writeUInt32LE(capped(size), from + 16)
  head.writeUInt16LE(name_size, from + 20)
  head.writeUInt16LE(head.length - name_size - fixed, from + 22)
}

const sizes = ({ size }: ZipEntry) => (size >= MOST_32 ? [size, size] : [])

function localHeader(entry: ZipEntry) {
  const { head, version, name_size } = headerOf(LOCAL, entry, sizes(entry))
  head.writeUInt32LE(0x04034b50, 0)
  head.writeUInt16LE(version, 4)
  describe(head, 6, entry, name_size, LOCAL)
  return head
}
const LOCAL = 30

function centralHeader(entry: ZipEntry, offset: number) {
  const big = [...sizes(entry), ...(offset >= MOST_32 ? [offset] : [])]
  const { head, version, name_size } = headerOf(CENTRAL, entry, big)
  head.writeUInt32LE(0x02014b50, 0)
  head.writeUInt16LE(MADE_ON_UNIX | VERSION_64, 4)
  head.writeUInt16LE(version, 6)
  describe(head, 8, entry, name_size, CENTRAL)
  head.writeUInt32LE(REGULAR_READABLE >>> 0, 38)
  head.writeUInt32LE(capped(offset), 42)
  return head
}
const CENTRAL = 46

function endRecords(count: number, size: number, start: number) {
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(Math.min(count, MOST_16), 8)
  end.writeUInt16LE(Math.min(count, MOST_16), 10)
  end.writeUInt32LE(capped(size), 12)
  end.writeUInt32LE(capped(start), 16)
  if (count < MOST_16 && start < MOST_32 && size < MOST_32) return end
  const record = Buffer.alloc(56)
  record.writeUInt32LE(0x06064b50, 0)
  record.writeBigUInt64LE(44n, 4)
  record.writeUInt16LE(MADE_ON_UNIX | VERSION_64, 12)
  record.writeUInt16LE(VERSION_64, 14)
  record.writeBigUInt64LE(BigInt(count), 24)
  record.writeBigUInt64LE(BigInt(count), 32)
  record.writeBigUInt64LE(BigInt(size), 40)
  record.writeBigUInt64LE(BigInt(start), 48)
  const locator = Buffer.alloc(20)
  locator.writeUInt32LE(0x07064b50, 0)
  locator.writeBigUInt64LE(BigInt(start + size), 8)
  locator.writeUInt32LE(1, 16)
  return Buffer.concat([record, locator, end])
}
