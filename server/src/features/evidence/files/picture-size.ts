import type { FormatName } from '@garantia/shared/evidence/formats'
import { HEIF } from 'image-size/types/heif'
import { JPG } from 'image-size/types/jpg'
import { PNG } from 'image-size/types/png'
import { TIFF } from 'image-size/types/tiff'
import { WEBP } from 'image-size/types/webp'

/** Reads bytes of a file, fewer at its end. */
export type ReadBytes = (position: number, length: number) => Promise<Buffer>

interface Size {
  width: number
  height: number
}

/** Bytes in which PNG and WebP have their size, and all formats their signature. */
const HEAD = 4_096
/** Segments or boxes of one level that are looked at: a JPEG of 64 MB of metadata has a thousand. */
const MOST_STEPS = 2_000
/** Bytes of a TIFF's first directory: five thousand entries. */
const DIRECTORY = 65_536

/**
 * Width and height in px, upright for a JPEG; null when they cannot be read. The work has a limit, whatever the
 * bytes say, since it is done by the process that answers all requests: image-size itself looks through a whole file
 * byte by byte, or for each of its boxes again (2.1.0), so it only gets the few bytes that have the size.
 */
export async function pictureSize(read: ReadBytes, format: FormatName): Promise<Size | null> {
  try {
    return await sizeOf(read, format)
  } catch (error) {
    if (error instanceof RangeError || error instanceof TypeError) return null
    throw error
  }
}

async function sizeOf(read: ReadBytes, format: FormatName): Promise<Size | null> {
  const head = alone(await read(0, HEAD))
  if (format === 'jpeg') return JPG.validate(head) ? jpegSize(read) : null
  if (format === 'png') return PNG.validate(head) ? PNG.calculate(head) : null
  if (format === 'webp') return WEBP.validate(head) ? WEBP.calculate(head) : null
  if (format === 'tiff') return TIFF.validate(head) ? tiffSize(read) : null
  return HEIF.validate(head) ? heifSize(read) : null
}

/** With a memory of its own: image-size reads past the end of a view. */
const alone = (...parts: Uint8Array[]) => new Uint8Array(Buffer.concat(parts))

const [SOI, APP0_EMPTY] = [Buffer.from([0xff, 0xd8]), Buffer.from([0xff, 0xe0, 0, 2])]
const [APP1, SOS, EOI] = [0xe1, 0xda, 0xd9]
/** Frames with a size that image-size knows: baseline, extended and progressive. */
const FRAMES = [0xc0, 0xc1, 0xc2]
/** Markers without a length: TEM and the restarts. */
const isBare = (marker: number) => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7)

/** From segment to segment (ITU-T T.81, B.1.1), over fill bytes; of the metadata only the last EXIF is read. */
async function jpegSize(read: ReadBytes): Promise<Size | null> {
  let exif: Uint8Array = APP0_EMPTY
  let at = 2
  for (let steps = 0; steps < MOST_STEPS; steps++) {
    const head = await read(at, 10)
    const marker = head.readUInt8(1)
    if (head[0] !== 0xff || marker === 0xff || marker === 0) {
      at++
    } else if (isBare(marker)) {
      at += 2
    } else {
      const length = head.readUInt16BE(2)
      if (length < 2 || marker === SOS || marker === EOI) return null
      if (FRAMES.includes(marker)) {
        const { width, height, orientation = 1 } = JPG.calculate(alone(SOI, exif, head))
        return orientation > 4 ? { width: height, height: width } : { width, height }
      }
      if (marker === APP1 && head.toString('latin1', 4, 8) === 'Exif')
        exif = alone(await read(at, 2 + length))
      at += 2 + length
    }
  }
  return null
}

/** The header, with the first directory right behind it wherever in the file that is. */
async function tiffSize(read: ReadBytes): Promise<Size> {
  const head = alone(await read(0, 16))
  const view = new DataView(head.buffer)
  const isLittle = head[0] === 0x49
  const isBig = view.getUint16(2, isLittle) === 43
  const at = isBig ? Number(view.getBigUint64(8, isLittle)) : view.getUint32(4, isLittle)
  if (isBig) view.setBigUint64(8, 16n, isLittle)
  else view.setUint32(4, 16, isLittle)
  return TIFF.calculate(alone(head, await read(at, DIRECTORY)))
}

interface Box {
  kind: string
  /** Position of its content, and of the end of it. */
  start: number
  end: number
}

/** The boxes between two positions (ISO/IEC 14496-12, 4.2). */
async function* boxesIn(read: ReadBytes, { start, end }: Omit<Box, 'kind'>): AsyncGenerator<Box> {
  let at = start
  for (let steps = 0; at < end; steps++) {
    const head = await read(at, 16)
    if (head.length < 8) return
    if (steps === MOST_STEPS) throw new RangeError('Too many boxes')
    const kind = head.toString('latin1', 4, 8)
    const size = head.readUInt32BE(0)
    const [header, whole] = size === 1 ? [16, Number(head.readBigUInt64BE(8))] : [8, size || end - at]
    if (whole < header) throw new RangeError('A box that is smaller than its header')
    yield { kind, start: at + header, end: Math.min(end, at + whole) }
    at += whole
  }
}

async function boxIn(read: ReadBytes, place: Omit<Box, 'kind'>, kind: string) {
  for await (const box of boxesIn(read, place)) if (box.kind === kind) return box
  throw new RangeError(`No ${kind}`)
}

/** The largest of the sizes that HEIC and AVIF list, also for tiles and thumbnails (ISO/IEC 23008-12, 6.5.3). */
async function heifSize(read: ReadBytes): Promise<Size | null> {
  const meta = await boxIn(read, { start: 0, end: Number.POSITIVE_INFINITY }, 'meta')
  const iprp = await boxIn(read, { ...meta, start: meta.start + 4 }, 'iprp')
  const ipco = await boxIn(read, iprp, 'ipco')
  let largest: Size | null = null
  for await (const { kind, start } of boxesIn(read, ipco)) {
    if (kind !== 'ispe') continue
    const sides = await read(start + 4, 8)
    const size = { width: sides.readUInt32BE(0), height: sides.readUInt32BE(4) }
    if (!largest || size.width * size.height > largest.width * largest.height) largest = size
  }
  return largest
}
