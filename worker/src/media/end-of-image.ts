import type { FormatName } from '@garantia/shared/evidence/formats'

/**
 * The number of bytes that belong to the picture; what follows (a page, an archive) was appended. TIFF has no end:
 * its parts lie wherever its directory says. Undefined when the structure cannot be followed.
 */
export function endOfImage(bytes: Buffer, format: FormatName): number | undefined {
  if (format === 'jpeg') return endOfJpeg(bytes)
  if (format === 'png') return endOfPng(bytes)
  if (format === 'webp') return endOfWebp(bytes)
  if (format === 'avif' || format === 'heic') return endOfBoxes(bytes)
  return bytes.length
}

const SOI = 0xd8
const EOI = 0xd9
const SOS = 0xda
/** ITU T.81, B.1.1.2: markers without a segment; those of restart stand inside the scan. */
const isBare = (marker: number) => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7)

/** ITU T.81, annex B: segments with their length, and scans, in which FF is followed by 00 or a restart. */
function endOfJpeg(bytes: Buffer) {
  if (bytes[0] !== 0xff || bytes[1] !== SOI) return undefined
  for (let at = 2; at + 1 < bytes.length; ) {
    if (bytes[at] !== 0xff) return undefined
    const marker = bytes[at + 1] ?? 0
    if (marker === 0xff) at += 1
    else if (marker === EOI) return at + 2
    else if (isBare(marker)) at += 2
    else {
      if (at + 4 > bytes.length) return undefined
      at += 2 + bytes.readUInt16BE(at + 2)
      if (marker === SOS) at = endOfScan(bytes, at)
    }
  }
  return undefined
}

function endOfScan(bytes: Buffer, from: number) {
  for (let at = bytes.indexOf(0xff, from); at >= 0; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1] ?? 0
    if (next !== 0 && !isBare(next) && next !== 0xff) return at
  }
  return bytes.length
}

const PNG_HEAD = 8
/** PNG (ISO/IEC 15948), 5.3: length, type, data and checksum of each chunk; IEND is the last. */
function endOfPng(bytes: Buffer) {
  for (let at = PNG_HEAD; at + 12 <= bytes.length; ) {
    const end = at + 12 + bytes.readUInt32BE(at)
    if (end > bytes.length) return undefined
    if (bytes.toString('latin1', at + 4, at + 8) === 'IEND') return end
    at = end
  }
  return undefined
}

/** WebP container (RIFF): the size in its header, padded to even. */
function endOfWebp(bytes: Buffer) {
  if (bytes.length < 12) return undefined
  const size = bytes.readUInt32LE(4)
  const end = 8 + size + (size % 2)
  return end <= bytes.length ? end : undefined
}

/** Boxes of a still picture (ISO/IEC 14496-12 and 23008-12); another one behind them is not of the picture. */
const BOXES = new Set(['ftyp', 'meta', 'mdat', 'moov', 'idat'])
function endOfBoxes(bytes: Buffer) {
  let end = 0
  for (let at = 0; at + 8 <= bytes.length; ) {
    const type = bytes.toString('latin1', at + 4, at + 8)
    const short = bytes.readUInt32BE(at)
    // 0: up to the end of the file; 1: a long size follows.
    if (short === 0 && BOXES.has(type)) return bytes.length
    if (short === 1 && at + 16 > bytes.length) break
    const size = short === 1 ? Number(bytes.readBigUInt64BE(at + 8)) : short
    if (size < 8 || at + size > bytes.length || !/^[a-z0-9 ]{4}$/i.test(type)) break
    at += size
    if (BOXES.has(type)) end = at
  }
  return end > 0 ? end : undefined
}
