import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { IMAGE_LONG_SIDE } from '@garantia/shared/evidence/budget'
import sharp from 'sharp'
import type { BenchContext } from './support.ts'

interface FinalEncoding {
  width: number
  height: number
  quality: number
}

/** How each photo of the order was encoded at last, in the order of their paths. */
export async function finalEncodings(
  { kernel, dir }: BenchContext,
  order_id: number,
): Promise<FinalEncoding[]> {
  const files = await kernel.ctx.db
    .selectFrom('evidence_files')
    .where('order_id', '=', order_id)
    .select(['converted_key', 'width', 'height'])
    .orderBy('id')
    .execute()
  const made: FinalEncoding[] = []
  for (const { converted_key, width, height } of files) {
    const path = await kernel.ctx.storage.localPath(converted_key ?? '', join(dir, 'copy'))
    made.push({ width: width ?? 0, height: height ?? 0, quality: await jpegQuality(await readFile(path)) })
  }
  return made
}

/**
 * Decodes, resizes and encodes once; from quality 88 up without the costly search of mozjpeg, as ours does.
 */
export async function bareSharp(path: string, { width, height, quality }: FinalEncoding = FULL) {
  const out = `${path}.out`
  await sharp(path)
    .autoOrient()
    .resize(width, height, { fit: 'inside', withoutEnlargement: true })
    .jpeg(quality < FULL.quality ? { quality, mozjpeg: true } : { quality })
    .toFile(out)
  await rm(out)
}
const FULL: FinalEncoding = { width: IMAGE_LONG_SIDE, height: IMAGE_LONG_SIDE, quality: 88 }

const DQT = 0xdb
const SCAN = 0xda
const [WORST, BEST] = [40, 95]

/** The quality a JPEG was encoded at, from its table of brightness: one of mozjpeg's or the standard ones. */
async function jpegQuality(jpeg: Buffer) {
  known ??= knownTables()
  const quality = (await known).get(brightness(jpeg))
  if (quality === undefined) throw new Error('a JPEG with an unknown table')
  return quality
}

let known: Promise<Map<string, number>> | undefined
async function knownTables() {
  const tables = new Map<string, number>()
  for (const mozjpeg of [false, true])
    for (let quality = WORST; quality <= BEST; quality++) {
      const plain = sharp({ create: { width: 8, height: 8, channels: 3, background: '#777' } })
      tables.set(brightness(await plain.jpeg({ quality, mozjpeg }).toBuffer()), quality)
    }
  return tables
}

function brightness(jpeg: Buffer) {
  for (let at = 2; jpeg[at + 1] !== SCAN; at += 2 + jpeg.readUInt16BE(at + 2))
    if (jpeg[at + 1] === DQT) return jpeg.toString('hex', at + 5, at + 69)
  throw new Error('a JPEG without tables')
}
