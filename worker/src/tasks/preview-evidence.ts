import { join } from 'node:path'
import { noteFacts } from '@garantia/server/features/claims'
import { liveFile, savePreview } from '@garantia/server/features/evidence'
import { FORMATS, type FormatName } from '@garantia/shared/evidence/formats'
import { CannotConvert, type MediaTools } from '../media/media.ts'
import type { Job } from '../task.ts'

/** Looks into a new file for its facts and makes its thumbnail. A file that cannot be read gets none. */
export const previewEvidence =
  (media: MediaTools): Job<'preview-evidence'> =>
  async (ctx, { evidence_id }, { signal }) => {
    const file = await liveFile(ctx, evidence_id)
    if (!file || file.preview_key) return
    const format = file.format as FormatName
    await ctx.scratch.within('preview', async (dir) => {
      const path = join(dir, `original.${FORMATS[format].ext}`)
      await ctx.storage.fetch(file.original_key, path)
      const [source, run] = [
        { path, format, size: file.file_size },
        { dir, signal, onProgress: () => undefined },
      ]
      try {
        await noteFacts(ctx, evidence_id, await media.inspect(source, run))
        const picture = await media.preview(source, run)
        if (picture) await savePreview(ctx, file, picture)
      } catch (error) {
        if (!(error instanceof CannotConvert)) throw error
      }
    })
  }
