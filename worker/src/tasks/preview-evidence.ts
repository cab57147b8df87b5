import { liveFile, noteFacts, savePreview } from '@garantia/server/features/evidence/files'
import type { FormatName } from '@garantia/shared/evidence/formats'
import type { Decoders } from '../decoder/decoders.ts'
import { CannotConvert } from '../media/refusal.ts'
import type { Job } from '../task.ts'
import { createCpuLimiter } from './cpu-limiter.ts'
import { originalOf } from './original.ts'

/** Reads a new file's facts and makes its thumbnail. An unreadable file gets none. */
export const previewEvidence =
  (decoders: Decoders, cpuLimiter = createCpuLimiter(1)): Job<'preview-evidence'> =>
  async (ctx, { evidence_id }, { signal }) => {
    const file = await liveFile(ctx, evidence_id)
    if (!file || file.preview_key) return
    const format = file.format as FormatName
    await ctx.scratch.within('preview', async (dir) => {
      const source = await originalOf(ctx, { ...file, format }, dir)
      const run = { dir, signal, onProgress: () => undefined }
      await decoders
        .withTools(file.order_id, async (media) => {
          const facts = await media.inspect(source, run)
          const picture = await cpuLimiter
            .run(signal, () => media.preview(source, run))
            .catch(nullIfUnconvertible)
          if (picture) await savePreview(ctx, file, picture, facts)
          else await noteFacts(ctx, evidence_id, facts)
        })
        .catch(nullIfUnconvertible)
    })
  }

/** Ignored here: the file's conversion reports the same refusal. */
function nullIfUnconvertible(error: unknown) {
  if (!(error instanceof CannotConvert)) throw error
  return null
}
