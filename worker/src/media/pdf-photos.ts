import { inflateSync } from 'node:zlib'
import {
  PDFArray,
  PDFBool,
  PDFDict,
  type PDFDocument,
  PDFName,
  PDFNumber,
  PDFRawStream,
  PDFRef,
} from '@cantoo/pdf-lib'
import sharp, { type Sharp } from 'sharp'
import { pngAround } from './png.ts'

/** A picture inside a PDF that may be re-encoded as a JPEG. */
export interface Photo {
  ref: PDFRef
  dict: PDFDict
  bytes: Uint8Array
  bands: 1 | 3
  encoding: PixelEncoding
}
/** Encoding of its pixels: a JPEG, a deflated JPEG, deflated raw pixels, or deflated PNG scanlines. */
type PixelEncoding = 'jpeg' | 'deflated jpeg' | 'pixels' | 'png lines'

/**
 * Range of the compression: 0 is hardly visible, 1 the most at which a page is still legible. `side` in px.
 */
const LARGEST = { side: 3508, quality: 88 }
const SMALLEST = { side: 850, quality: 42 }
const MOST_PIXELS = 100_000_000
/** Lower limit for raw pixels: a JPEG is decoded line by line, they are unpacked whole in memory. */
const MOST_RAW_PIXELS = 40_000_000

/**
 * Grey and RGB pictures of 8 bits. Masks, indexed, CMYK and 1-bit pictures are small or easily damaged and
 * are left unchanged.
 */
export function photosOf(pdf: PDFDocument): Photo[] {
  const objects = pdf.context.enumerateIndirectObjects()
  const masks = new Set<string>()
  for (const [, object] of objects) {
    if (!(object instanceof PDFRawStream)) continue
    for (const key of ['SMask', 'Mask']) {
      const mask = object.dict.get(PDFName.of(key))
      if (mask instanceof PDFRef) masks.add(mask.tag)
    }
  }
  return objects.flatMap(([ref, object]) => {
    if (!(object instanceof PDFRawStream) || masks.has(ref.tag) || !isPlainPicture(object.dict)) return []
    const { dict, contents: bytes } = object
    const bands = bandsOf(dict)
    const encoding = bands && encodingOf(dict, bands)
    return bands && encoding ? [{ ref, dict, bytes, bands, encoding }] : []
  })
}

const named = (dict: PDFDict, key: string) => dict.lookup(PDFName.of(key))
const figure = (dict: PDFDict, key: string) => {
  const found = named(dict, key)
  return found instanceof PDFNumber ? found.asNumber() : null
}

function isPlainPicture(dict: PDFDict) {
  const soft = named(dict, 'SMask')
  return (
    named(dict, 'Subtype') === PDFName.of('Image') &&
    named(dict, 'ImageMask') !== PDFBool.True &&
    !dict.has(PDFName.of('Decode')) &&
    // Colour-key masks and colours already blended with a background (Matte) must stay exact.
    !(named(dict, 'Mask') instanceof PDFArray) &&
    !(soft instanceof PDFRawStream && soft.dict.has(PDFName.of('Matte')))
  )
}

function encodingOf(dict: PDFDict, bands: 1 | 3): PixelEncoding | null {
  const filter = named(dict, 'Filter')
  const names = filter instanceof PDFArray ? filter.asArray().map(String) : [String(filter)]
  if (names.join() === '/DCTDecode') return 'jpeg'
  if (names.join() === '/FlateDecode,/DCTDecode') return 'deflated jpeg'
  const [width, height] = [figure(dict, 'Width') ?? 0, figure(dict, 'Height') ?? 0]
  const isDeflatedOnly = names.join() === '/FlateDecode' && figure(dict, 'BitsPerComponent') === 8
  if (!isDeflatedOnly || width * height < 1 || width * height > MOST_RAW_PIXELS) return null
  const given = named(dict, 'DecodeParms')
  const how = given instanceof PDFArray ? given.lookup(0) : given
  const predictor = how instanceof PDFDict ? (figure(how, 'Predictor') ?? 1) : 1
  if (predictor === 1) return 'pixels'
  const isPng =
    how instanceof PDFDict &&
    predictor >= 10 &&
    figure(how, 'Columns') === width &&
    (figure(how, 'Colors') ?? 1) === bands &&
    (figure(how, 'BitsPerComponent') ?? 8) === 8
  return isPng ? 'png lines' : null
}

function bandsOf(dict: PDFDict): 1 | 3 | null {
  const space = named(dict, 'ColorSpace')
  if (space === PDFName.of('DeviceGray')) return 1
  if (space === PDFName.of('DeviceRGB')) return 3
  if (!(space instanceof PDFArray)) return null
  const kind = space.lookup(0)
  if (kind === PDFName.of('CalGray')) return 1
  if (kind === PDFName.of('CalRGB')) return 3
  const profile = kind === PDFName.of('ICCBased') ? space.lookup(1) : undefined
  const count = profile instanceof PDFRawStream ? figure(profile.dict, 'N') : 0
  return count === 1 || count === 3 ? count : null
}

/**
 * The picture as a JPEG, compressed by 0 to 1; null where that is not smaller or the picture cannot be read.
 */
export async function recompressPhoto(photo: Photo, compression: number) {
  const between = (from: number, to: number) => Math.round(from * (to / from) ** compression)
  const side = between(LARGEST.side, SMALLEST.side)
  try {
    const made = await pixelsOf(photo)
      .resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true })
      .toColourspace(photo.bands === 1 ? 'b-w' : 'srgb')
      // Trellis search takes as long as five plain encodes: used only where bytes are scarce.
      .jpeg({ quality: between(LARGEST.quality, SMALLEST.quality), mozjpeg: compression > 0 })
      .toBuffer({ resolveWithObject: true })
    return made.info.channels === photo.bands && made.data.length < photo.bytes.length ? made : null
  } catch {
    return null // one unreadable picture does not stop the others
  }
}
export type RecompressedPhoto = Awaited<ReturnType<typeof recompressPhoto>>

/** Embedded colour profiles are ignored: the PDF declares its own colour space. */
function pixelsOf({ dict, bytes, bands, encoding }: Photo): Sharp {
  const read = { limitInputPixels: MOST_PIXELS, failOn: 'none', ignoreIcc: true } as const
  if (encoding === 'jpeg') return sharp(bytes, read)
  const [width, height] = [figure(dict, 'Width') ?? 0, figure(dict, 'Height') ?? 0]
  if (encoding === 'png lines') return sharp(pngAround(bytes, width, height, bands), read)
  const maxOutputLength = encoding === 'pixels' ? width * height * bands + 16 : 4 * bytes.length + 1_000_000
  const unpacked = inflateSync(bytes, { maxOutputLength })
  if (encoding === 'deflated jpeg') return sharp(unpacked, read)
  return sharp(unpacked.subarray(0, width * height * bands), { raw: { width, height, channels: bands } })
}

/** Replaces the original picture by the smaller one; the PDF keeps its object reference. */
export function replace(
  pdf: PDFDocument,
  { ref, dict }: Photo,
  { data, info }: NonNullable<RecompressedPhoto>,
) {
  const smaller = dict.clone(pdf.context)
  smaller.set(PDFName.of('Width'), PDFNumber.of(info.width))
  smaller.set(PDFName.of('Height'), PDFNumber.of(info.height))
  smaller.set(PDFName.of('BitsPerComponent'), PDFNumber.of(8))
  smaller.set(PDFName.of('Filter'), PDFName.of('DCTDecode'))
  smaller.delete(PDFName.of('DecodeParms'))
  pdf.context.assign(ref, PDFRawStream.of(smaller, data))
}
