import { imageDamaged } from './refusal.ts'
import { inThread } from './thread.ts'
import type { Run } from './types.ts'

export interface HeicOrder {
  path: string
  to: string
  profile: Uint8Array | null
}

const SECONDS = 120

/**
 * sharp's own build cannot decode HEIC (patents), so libheif's WebAssembly writes an uncompressed TIFF for
 * it to go on from: upright already, for libheif applies the rotation, and with the colour profile, for
 * iPhones photograph in Display P3.
 */
export async function unpackHeic(path: string, to: string, profile: Buffer | undefined, run: Run) {
  const clock = AbortSignal.timeout(SECONDS * 1000)
  const order: HeicOrder = { path, to, profile: profile ?? null }
  try {
    await inThread<true>(
      new URL('./heic-thread.ts', import.meta.url),
      order,
      AbortSignal.any([run.signal, clock]),
    )
  } catch (error) {
    if (clock.aborted && !run.signal.aborted) throw imageDamaged(error)
    throw error
  }
  return to
}
