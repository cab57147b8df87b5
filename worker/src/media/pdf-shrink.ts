import {
  PDFArray,
  PDFBool,
  PDFDict,
  PDFDocument,
  PDFName,
  PDFNumber,
  PDFRawStream,
  PDFRef,
} from '@cantoo/pdf-lib'
import sharp from 'sharp'

/** From hardly visible to the least a page can still be read at. */
const STEPS = [
  { side: 2200, quality: 80 },
  { side: 1700, quality: 72 },
  { side: 1400, quality: 62 },
  { side: 1100, quality: 52 },
  { side: 850, quality: 42 },
] as const
const LAST_STEP = STEPS[4]

interface Photo {
  ref: PDFRef
  dict: PDFDict
  bytes: Uint8Array
}
/** Why a PDF must not be rewritten. */
export type Obstacle = 'locked' | 'signed'
type Shrunk = { bytes: Uint8Array | null; smallest: number } | Obstacle

/** Recompresses the photos of a PDF, in falling sizes until it fits; everything else stays as it is. */
export async function shrinkPdf(
  original: Uint8Array,
  budget: number,
  onPercent: (percent: number) => void,
): Promise<Shrunk> {
  const pdf = await PDFDocument.load(original, { ignoreEncryption: true, updateMetadata: false })
  if (pdf.isEncrypted) return 'locked'
  if (isSigned(pdf)) return 'signed'
  const photos = photosOf(pdf)
  let smallest = original.length
  for (let step = 0; step < STEPS.length; ) {
    for (const [done, photo] of photos.entries()) {
      await replace(pdf, photo, STEPS[step] ?? LAST_STEP)
      onPercent(5 + (90 * (step + (done + 1) / photos.length)) / STEPS.length)
    }
    const bytes = await pdf.save({ rewrite: true, addDefaultPage: false, updateFieldAppearances: false })
    smallest = Math.min(smallest, bytes.length)
    if (bytes.length <= budget) return { bytes, smallest }
    if (photos.length === 0) break
    // A step saves about a third, so far from the goal the next one need not be tried.
    const stride = bytes.length > budget * 2.5 ? 2 : 1
    step = step < STEPS.length - 1 ? Math.min(step + stride, STEPS.length - 1) : STEPS.length
  }
  return { bytes: null, smallest }
}

/** A signature covers the bytes of its file: to rewrite them is to break it. */
function isSigned(pdf: PDFDocument) {
  const form = pdf.catalog.lookup(PDFName.of('AcroForm'))
  const flags = form instanceof PDFDict ? form.lookup(PDFName.of('SigFlags')) : undefined
  return flags instanceof PDFNumber && (flags.asNumber() & 1) === 1
}

/** JPEGs in gray or RGB. Masks, indexed and CMYK pictures are few and easily spoilt: left alone. */
function photosOf(pdf: PDFDocument): Photo[] {
  const objects = pdf.context.enumerateIndirectObjects()
  const masks = new Set<string>()
  for (const [, object] of objects) {
    if (!(object instanceof PDFRawStream)) continue
    for (const key of ['SMask', 'Mask']) {
      const mask = object.dict.get(PDFName.of(key))
      if (mask instanceof PDFRef) masks.add(mask.tag)
    }
  }
  return objects.flatMap(([ref, object]) =>
    object instanceof PDFRawStream && !masks.has(ref.tag) && isPhoto(object.dict)
      ? [{ ref, dict: object.dict, bytes: object.contents }]
      : [],
  )
}

function isPhoto(dict: PDFDict) {
  const filter = dict.lookup(PDFName.of('Filter'))
  const last = filter instanceof PDFArray && filter.size() === 1 ? filter.lookup(0) : filter
  return (
    dict.lookup(PDFName.of('Subtype')) === PDFName.of('Image') &&
    last === PDFName.of('DCTDecode') &&
    dict.lookup(PDFName.of('ImageMask')) !== PDFBool.True &&
    !dict.has(PDFName.of('Decode')) &&
    bandsOf(dict) !== null
  )
}

function bandsOf(dict: PDFDict): 1 | 3 | null {
  const space = dict.lookup(PDFName.of('ColorSpace'))
  if (space === PDFName.of('DeviceGray')) return 1
  if (space === PDFName.of('DeviceRGB')) return 3
  if (!(space instanceof PDFArray)) return null
  const kind = space.lookup(0)
  if (kind === PDFName.of('CalGray')) return 1
  if (kind === PDFName.of('CalRGB')) return 3
  const profile = kind === PDFName.of('ICCBased') ? space.lookup(1) : undefined
  const bands = profile instanceof PDFRawStream ? profile.dict.lookup(PDFName.of('N')) : undefined
  const count = bands instanceof PDFNumber ? bands.asNumber() : 0
  return count === 1 || count === 3 ? count : null
}

/** Always from the original bytes, so that losses do not add up; kept only where it is smaller. */
async function replace(
  pdf: PDFDocument,
  { ref, dict, bytes }: Photo,
  { side, quality }: (typeof STEPS)[number],
) {
  const bands = bandsOf(dict)
  const made = await sharp(bytes, { limitInputPixels: 100_000_000, failOn: 'none', ignoreIcc: true })
    .resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true })
    .toColourspace(bands === 1 ? 'b-w' : 'srgb')
    .jpeg({ quality, mozjpeg: true })
    .toBuffer({ resolveWithObject: true })
    .catch(() => null) // one odd picture is no reason to give up the rest
  if (!made || made.info.channels !== bands || made.data.length >= bytes.length) return
  const smaller = dict.clone(pdf.context)
  smaller.set(PDFName.of('Width'), PDFNumber.of(made.info.width))
  smaller.set(PDFName.of('Height'), PDFNumber.of(made.info.height))
  smaller.set(PDFName.of('Filter'), PDFName.of('DCTDecode'))
  smaller.delete(PDFName.of('DecodeParms'))
  pdf.context.assign(ref, PDFRawStream.of(smaller, made.data))
}
