import { photoToRead, saveReading } from '@garantia/server/features/evidence/files'
import type { FormatName } from '@garantia/shared/evidence/formats'
import type { Decoders } from '../decoder/decoders.ts'
import { CannotConvert } from '../media/refusal.ts'
import type { Job } from '../task.ts'
import { originalOf } from './original.ts'

/**
 * Reads the text that the category of a photo asks for, or that would tell its category. In a photo that cannot be
 * opened there is none. It takes no place of the CPU limiter: one photo at a time is read in all workers, by a process
 * that lets every other one first.
 */
export const readEvidencePhoto =
  (decoders: Decoders): Job<'read-evidence'> =>
  async (ctx, { evidence_id }, { signal }) => {
    const photo = await photoToRead(ctx, evidence_id)
    if (!photo) return
    const format = photo.format as FormatName
    await ctx.scratch.within('reading', async (dir) => {
      const source = await originalOf(ctx, { ...photo, format }, dir)
      const run = { dir, signal, onProgress: () => undefined }
      const wish = { kinds: photo.kinds, turn: photo.rotation }
      const read = await decoders
        .withTools(photo.order_id, (media) => media.read(source, wish, run))
        .catch(nothingIfUnreadable)
      await saveReading(ctx, photo, read)
    })
  }

/** Ignored here: the file's conversion reports the same refusal. */
function nothingIfUnreadable(error: unknown) {
  if (!(error instanceof CannotConvert)) throw error
  return { found: [], engine: '' }
}
