import { createHash } from 'node:crypto'

/**
 * ZIP files laid out before the first byte is read: size and CRC-32 of every entry are known, so the
 * length, a tag and any range of the whole follow from arithmetic. Entries are stored, never deflated.
 */
export interface ZipEntry {
  name: string
  at: Date
  size: number
  crc32: number
  /** A storage key, or the bytes themselves. */
  source: string | Buffer
}
export interface ZipPiece {
  start: number
  size: number
  source: string | Buffer
  /** Of a stored object: what its bytes must add up to. */
  crc32?: number
}
export interface ZipLayout {
  size: number
  /** Strong: names every byte, since headers carry the sizes and checksums of all contents. */
  etag: string
  pieces: ZipPiece[]
}

/** What 32-bit and 16-bit fields cannot say is said by ZIP64 records. */
const MOST_32 = 0xffffffff
const MOST_16 = 0xffff
const VERSION = 20
const VERSION_64 = 45
const MADE_ON_UNIX = 3 << 8
const REGULAR_READABLE = 0o100644 << 16
const NAMES_ARE_UTF8 = 0x0800

export function layOut(entries: readonly ZipEntry[]): ZipLayout {
  const pieces: ZipPiece[] = []
  let offset = 0
  const put = (source: string | Buffer, size: number, crc?: number) => {
    pieces.push({ start: offset, size, source, ...(crc !== undefined && { crc32: crc }) })
    offset += size
  }
  const central: Buffer[] = []
  for (const entry of entries) {
    central.push(centralHeader(entry, offset))
    const header = localHeader(entry)
    put(header, header.length)
    if (entry.size > 0) put(entry.source, entry.size, entry.crc32)
  }
  const start = offset
  const directory = Buffer.concat(central)
  put(directory, directory.length)
  const end = endRecords(entries.length, directory.length, start)
  put(end, end.length)
  const hash = createHash('sha256')
  for (const { source } of pieces) if (typeof source !== 'string') hash.update(source)
  return { size: offset, etag: `"${hash.digest('hex')}"`, pieces }
}

/** Date and time as MS-DOS writes them, in Brasília's time; readers that know better use the UTC extra field. */
function dosMoment(at: Date) {
  const local = new Date(Math.max(at.getTime(), Date.UTC(1980, 0, 2)) - 3 * 3_600_000)
  const time = (local.getUTCHours() << 11) | (local.getUTCMinutes() << 5) | (local.getUTCSeconds() >> 1)
  const day = ((local.getUTCFullYear() - 1980) << 9) | ((local.getUTCMonth() + 1) << 5) | local.getUTCDate()
  return { time, day }
}

function extraField(id: number, ...values: bigint[]) {
  const field = Buffer.alloc(4 + values.length * 8)
  field.writeUInt16LE(id, 0)
  field.writeUInt16LE(values.length * 8, 2)
  for (const [place, value] of values.entries()) field.writeBigUInt64LE(value, 4 + place * 8)
  return field
}
const zip64 = (...values: number[]) =>
  values.length === 0 ? Buffer.alloc(0) : extraField(1, ...values.map(BigInt))
function utcMoment(at: Date) {
  const field = Buffer.from([0x55, 0x54, 5, 0, 1, 0, 0, 0, 0])
  field.writeInt32LE(Math.floor(at.getTime() / 1000), 5)
  return field
}
const capped = (value: number) => Math.min(value, MOST_32)

function localHeader({ name, at, size, crc32 }: ZipEntry) {
  const big = size >= MOST_32 ? zip64(size, size) : zip64()
  const bytes = Buffer.from(name)
  const extra = Buffer.concat([big, utcMoment(at)])
  const head = Buffer.alloc(30)
  head.writeUInt32LE(0x04034b50, 0)
  head.writeUInt16LE(big.length > 0 ? VERSION_64 : VERSION, 4)
  head.writeUInt16LE(NAMES_ARE_UTF8, 6)
  const { time, day } = dosMoment(at)
  head.writeUInt16LE(time, 10)
  head.writeUInt16LE(day, 12)
  head.writeUInt32LE(crc32, 14)
  head.writeUInt32LE(capped(size), 18)
  head.writeUInt32LE(capped(size), 22)
  head.writeUInt16LE(bytes.length, 26)
  head.writeUInt16LE(extra.length, 28)
  return Buffer.concat([head, bytes, extra])
}

function centralHeader({ name, at, size, crc32 }: ZipEntry, offset: number) {
  const big = zip64(...(size >= MOST_32 ? [size, size] : []), ...(offset >= MOST_32 ? [offset] : []))
  const bytes = Buffer.from(name)
  const extra = Buffer.concat([big, utcMoment(at)])
  const head = Buffer.alloc(46)
  head.writeUInt32LE(0x02014b50, 0)
  head.writeUInt16LE(MADE_ON_UNIX | VERSION_64, 4)
  head.writeUInt16LE(big.length > 0 ? VERSION_64 : VERSION, 6)
  head.writeUInt16LE(NAMES_ARE_UTF8, 8)
  const { time, day } = dosMoment(at)
  head.writeUInt16LE(time, 12)
  head.writeUInt16LE(day, 14)
  head.writeUInt32LE(crc32, 16)
  head.writeUInt32LE(capped(size), 20)
  head.writeUInt32LE(capped(size), 24)
  head.writeUInt16LE(bytes.length, 28)
  head.writeUInt16LE(extra.length, 30)
  head.writeUInt32LE(REGULAR_READABLE >>> 0, 38)
  head.writeUInt32LE(capped(offset), 42)
  return Buffer.concat([head, bytes, extra])
}

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
