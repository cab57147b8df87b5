import { crc32 } from 'node:zlib'

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex')

/**
 * A PNG made of deflated scanlines, which a PDF may store without header and trailer. 8 bits per channel,
 * grey (1 band) or RGB (3).
 */
export function pngAround(lines: Uint8Array, width: number, height: number, bands: 1 | 3) {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([8, bands === 1 ? 0 : 2, 0, 0, 0], 8)
  return Buffer.concat([SIGNATURE, chunk('IHDR', head), chunk('IDAT', lines), chunk('IEND', Buffer.alloc(0))])
}

function chunk(type: string, data: Uint8Array) {
  const body = Buffer.concat([Buffer.from(type), data])
  const [size, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  size.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([size, body, sum])
}
