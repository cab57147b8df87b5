import sharp from 'sharp'

const DQT = 0xdb
const SCAN = 0xda
const [WORST, BEST] = [40, 95]

/** The quality a JPEG was encoded at, from its table of brightness: one of mozjpeg's or the standard ones. */
export async function jpegQuality(jpeg: Buffer) {
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
