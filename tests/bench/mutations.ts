import { unzipSync, zipSync } from 'fflate'

/** A whole number from 0, below the given one. */
export type Random = (below: number) => number

/** A generator that gives the same numbers in each run (mulberry32). */
export function numbers(seed: number): Random {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

/** One to forty bytes changed, a part cut out, doubled or filled, or the end cut off; the head mostly stays. */
export function mutated(original: Buffer, random: Random) {
  const bytes = Buffer.from(original)
  const from = 16 + random(Math.max(1, bytes.length - 32))
  const length = 1 + random(2_000)
  const part = bytes.subarray(from, from + length)
  const kind = random(6)
  if (kind === 0) return bytes.subarray(0, from)
  if (kind === 1) return Buffer.concat([bytes.subarray(0, from), bytes.subarray(from + length)])
  if (kind === 2) return Buffer.concat([bytes.subarray(0, from), part, part, bytes.subarray(from)])
  if (kind === 3) part.fill(random(2) * 255)
  else
    for (let n = 1 + random(40); n > 0; n--)
      bytes[kind === 4 ? random(Math.min(bytes.length, 600)) : random(bytes.length)] = random(256)
  return bytes
}

/** Texts that parsers of texts stumble over. */
const TOKENS = [
  ...['\0', '\ufffe', '\r', '"', '<', '>', '</', '/>', '&', '&#0;', '&#xD83D;', '&#x110000;', '&a;', ']]>'],
  ...['<![CDATA[', '<!--', '<?xml?>', '<!DOCTYPE a [<!ENTITY a "b">]>', '_x0000_', '_xD83D_', '-1', '1e999'],
  ...['NaN', '99999999999', 'XFD1048576', 'ZZZZZZZ1', '\u202e', 'é', '=cmd|x!A1', ';'.repeat(300)],
]
/** One to six of the tokens put into a text, in place of up to thirty bytes each. */
export function withTokens(original: Buffer, random: Random) {
  let bytes = original
  for (let n = 1 + random(6); n > 0; n--) {
    const from = random(bytes.length + 1)
    const token = Buffer.from(TOKENS[random(TOKENS.length)] ?? '')
    bytes = Buffer.concat([bytes.subarray(0, from), token, bytes.subarray(from + random(30))])
  }
  return bytes
}

/** A ZIP with one of its files mutated, which is whole otherwise. */
export function mutatedInside(original: Buffer, random: Random) {
  const files = unzipSync(original)
  const names = Object.keys(files)
  const name = names[random(names.length)] ?? ''
  const content = Buffer.from(files[name] ?? [])
  files[name] = random(2) === 0 ? mutated(content, random) : withTokens(content, random)
  return Buffer.from(zipSync(files))
}
