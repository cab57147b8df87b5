import { closeSync, openSync, writeSync } from 'node:fs'

const ROWS_PER_STRIP = 64
const [SHORT, LONG, UNDEFINED] = [3, 4, 7] as const

/**
 * Writes pixels as an uncompressed RGBA TIFF with an optional colour profile, synchronously: strips first,
 * then the tag table.
 */
export function writeTiff(
  path: string,
  picture: { width: number; height: number; data: Uint8ClampedArray },
  profile: Uint8Array | null,
) {
  const { width, height, data } = picture
  const stride = width * 4
  const strips = Array.from({ length: Math.ceil(height / ROWS_PER_STRIP) }, (_, index) => {
    const rows = Math.min(ROWS_PER_STRIP, height - index * ROWS_PER_STRIP)
    return { offset: 8 + index * ROWS_PER_STRIP * stride, bytes: rows * stride }
  })
  const table = tagTable(8 + data.length, [
    [256, LONG, [width]],
    [257, LONG, [height]],
    [258, SHORT, [8, 8, 8, 8]],
    [259, SHORT, [1]],
    [262, SHORT, [2]],
    [273, LONG, strips.map((strip) => strip.offset)],
    [277, SHORT, [4]],
    [278, LONG, [ROWS_PER_STRIP]],
    [279, LONG, strips.map((strip) => strip.bytes)],
    [338, SHORT, [0]],
    ...(profile ? [[34675, UNDEFINED, [...profile]] as const] : []),
  ])
  const head = Buffer.from('II*\0\0\0\0\0', 'latin1')
  head.writeUInt32LE(8 + data.length, 4)
  const file = openSync(path, 'w')
  try {
    for (const part of [head, data, table]) writeWhole(file, part)
  } finally {
    closeSync(file)
  }
}

function writeWhole(file: number, bytes: Uint8Array | Uint8ClampedArray) {
  for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done)
}

type Tag = readonly [tag: number, type: 3 | 4 | 7, values: readonly number[]]
const SIZE = { 3: 2, 4: 4, 7: 1 } as const

function tagTable(at: number, tags: readonly Tag[]) {
  const entries = Buffer.alloc(2 + tags.length * 12 + 4)
  entries.writeUInt16LE(tags.length)
  const rest: Buffer[] = []
  let free = at + entries.length
  tags.forEach(([tag, type, values], index) => {
    const entry = 2 + index * 12
    const packed = Buffer.alloc(Math.max(4, values.length * SIZE[type]))
    for (const [place, value] of values.entries()) packed.writeUIntLE(value, place * SIZE[type], SIZE[type])
    entries.writeUInt16LE(tag, entry)
    entries.writeUInt16LE(type, entry + 2)
    entries.writeUInt32LE(values.length, entry + 4)
    if (packed.length === 4) packed.copy(entries, entry + 8)
    else {
      entries.writeUInt32LE(free, entry + 8)
      rest.push(packed)
      free += packed.length
    }
  })
  return Buffer.concat([entries, ...rest])
}
