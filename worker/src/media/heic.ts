import { imageDamaged } from './refusal.ts'
import { inThread } from './thread.ts'
import type { Run } from './types.ts'

export interface HeicRequest {
  path: string
  to: string
  profile: Uint8Array | null
}

const SECONDS = 120

/**
 * Decodes a HEIC file to an uncompressed TIFF at `to` and returns that path. sharp's own build cannot decode
 * HEIC (patents), so libheif's WebAssembly does. The TIFF is upright, as libheif applies the rotation, and
 * carries the colour profile, as iPhones photograph in Display P3. CannotConvert when the file is damaged or
 * takes over 120 s.
 */
export async function unpackHeic(path: string, to: string, profile: Buffer | undefined, run: Run) {
  const timeout = AbortSignal.timeout(SECONDS * 1000)
  const request: HeicRequest = { path, to, profile: profile ?? null }
  try {
    await inThread<true>(
      new URL('./heic-thread.ts', import.meta.url),
      request,
      AbortSignal.any([run.signal, timeout]),
    )
  } catch (error) {
    if (timeout.aborted && !run.signal.aborted) throw imageDamaged(error)
    throw error
  }
  return to
}
