import { readFile } from 'node:fs/promises'
import { imageDamaged } from './refusal.ts'
import { writeTiff } from './tiff.ts'
import type { Run } from './types.ts'

/**
 * Decodes a HEIC file to an uncompressed TIFF at `to` and returns that path. sharp's own build cannot decode
 * HEIC (patents), so libheif's WebAssembly does. The TIFF is upright, as libheif applies the rotation, and
 * carries the colour profile, as iPhones photograph in Display P3. CannotConvert when the file is damaged.
 */
export async function unpackHeic(path: string, to: string, profile: Buffer | undefined, { signal }: Run) {
  signal.throwIfAborted()
  const { default: decode } = await import('heic-decode')
  const picture = await decode({ buffer: await readFile(path) }).catch((error: unknown) => {
    throw imageDamaged(error)
  })
  writeTiff(to, picture, profile ?? null)
  return to
}
