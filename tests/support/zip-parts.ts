/** One file of a ZIP, in pieces that a forger may change. */
export interface ZipPart {
  /** Header before the bytes, with name and extra fields. */
  before: Buffer
  data: Buffer
  /** Sizes and checksum behind the bytes; empty where there are none. */
  behind: Buffer
  /** Header in the directory; its offset is written by `joined`. */
  listed: Buffer
}

const LOCAL = 30
const LISTED = 46
const END = 22
const OFFSET = 42

/** Takes a ZIP without ZIP64 apart. */
export function partsOf(zip: Buffer): ZipPart[] {
  const parts: ZipPart[] = []
  const end = zip.length - END
  for (let at = zip.readUInt32LE(end + 16); at < end; ) {
    const next = at + LISTED + zip.readUInt16LE(at + 28) + zip.readUInt16LE(at + 30)
    const listed = Buffer.from(zip.subarray(at, next))
    const start = listed.readUInt32LE(OFFSET)
    const data = start + LOCAL + zip.readUInt16LE(start + 26) + zip.readUInt16LE(start + 28)
    const behind = data + listed.readUInt32LE(20)
    const hasSizesBehind = (listed.readUInt16LE(8) & 8) !== 0
    parts.push({
      before: Buffer.from(zip.subarray(start, data)),
      data: Buffer.from(zip.subarray(data, behind)),
      behind: Buffer.from(zip.subarray(behind, behind + (hasSizesBehind ? 16 : 0))),
      listed,
    })
    at = next
  }
  return parts
}

/** What stands elsewhere than a ZIP of these parts would have it. */
interface Forged {
  /** Before the first and behind each file. */
  gaps?: Record<number, Buffer>
  /** In the order of the directory. */
  directory?: readonly ZipPart[]
  comment?: Buffer
  /** Between the directory and the end record. */
  beforeEnd?: Buffer
  /** Whether `gaps[0]` is counted by the offsets. */
  isGapCounted?: boolean
}

/** A ZIP of these parts, whose offsets, counts and lengths are right. */
export function joined(parts: readonly ZipPart[], forged: Forged = {}): Buffer<ArrayBuffer> {
  const {
    gaps = {},
    directory = parts,
    comment = Buffer.alloc(0),
    beforeEnd = Buffer.alloc(0),
    isGapCounted = true,
  } = forged
  const pieces: Buffer[] = [gaps[0] ?? Buffer.alloc(0)]
  const offsets = new Map<ZipPart, number>()
  let at = isGapCounted ? (pieces[0]?.length ?? 0) : 0
  for (const [place, part] of parts.entries()) {
    offsets.set(part, at)
    const gap = gaps[place + 1] ?? Buffer.alloc(0)
    pieces.push(part.before, part.data, part.behind, gap)
    at += part.before.length + part.data.length + part.behind.length + gap.length
  }
  let size = 0
  for (const part of directory) {
    const listed = Buffer.from(part.listed)
    listed.writeUInt32LE(offsets.get(part) ?? 0, OFFSET)
    pieces.push(listed)
    size += listed.length
  }
  const end = Buffer.alloc(END)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(directory.length, 8)
  end.writeUInt16LE(directory.length, 10)
  end.writeUInt32LE(size, 12)
  end.writeUInt32LE(at, 16)
  end.writeUInt16LE(comment.length, 20)
  return Buffer.concat([...pieces, beforeEnd, end, comment])
}

const splice = (bytes: Buffer, at: number, count: number, put: Buffer) =>
  Buffer.concat([bytes.subarray(0, at), put, bytes.subarray(at + count)])

/** Which of the headers of a file a forger changes. */
export type Where = 'before' | 'listed' | 'both'
const change = (
  part: ZipPart,
  where: Where,
  edit: (header: Buffer, fixed: number, lengths: number) => Buffer,
): ZipPart => ({
  ...part,
  ...(where !== 'listed' && { before: edit(part.before, LOCAL, 26) }),
  ...(where !== 'before' && { listed: edit(part.listed, LISTED, 28) }),
})

export const withName = (part: ZipPart, name: Buffer, where: Where) =>
  change(part, where, (header, fixed, lengths) => {
    const made = splice(header, fixed, header.readUInt16LE(lengths), name)
    made.writeUInt16LE(name.length, lengths)
    return made
  })

/** With an extra field behind those that are there. */
export const withExtra = (part: ZipPart, id: number, value: Buffer, where: Where) =>
  change(part, where, (header, fixed, lengths) => {
    const head = Buffer.alloc(4)
    head.writeUInt16LE(id, 0)
    head.writeUInt16LE(value.length, 2)
    const end = fixed + header.readUInt16LE(lengths) + header.readUInt16LE(lengths + 2)
    const made = splice(header, end, 0, Buffer.concat([head, value]))
    made.writeUInt16LE(made.readUInt16LE(lengths + 2) + 4 + value.length, lengths + 2)
    return made
  })

export function withComment(part: ZipPart, comment: Buffer): ZipPart {
  const listed = Buffer.concat([part.listed, comment])
  listed.writeUInt16LE(comment.length, 32)
  return { ...part, listed }
}

/** With other bytes in the ZIP, and the sizes and checksum of what they are read as. */
export function withData(part: ZipPart, data: Buffer, told: { crc32: number; size: number }): ZipPart {
  const [behind, listed] = [Buffer.from(part.behind), Buffer.from(part.listed)]
  for (const [header, at] of [
    [behind, 4],
    [listed, 16],
  ] as const) {
    header.writeUInt32LE(told.crc32, at)
    header.writeUInt32LE(data.length, at + 4)
    header.writeUInt32LE(told.size, at + 8)
  }
  return { ...part, data, behind, listed }
}

/** With another date and time, in both headers. */
export const withTime = (part: ZipPart, dos_time: number) =>
  change(part, 'both', (header, _, lengths) => {
    const made = Buffer.from(header)
    made.writeUInt32LE(dos_time, lengths - 16)
    return made
  })
