import { type ConversionLease, unmeasuredVideos } from '@garantia/server/features/evidence/conversion'
import { noteFacts } from '@garantia/server/features/evidence/files'
import type { Ctx } from '@garantia/server/kernel'
import type { MediaTools, Run } from '../media/media.ts'
import { originalOf } from './original.ts'

export type DurationProbe = ReturnType<typeof createDurationProbe>

/**
 * Reads the durations of an order's videos before any budget is reserved: a plan that guesses a duration may
 * leave out a video that would fit and give its bytes to the photos.
 */
export function createDurationProbe() {
  /** Not probed again; the error is reported by the video's own conversion. */
  const unreadable = new Set<number>()
  return {
    async probeMissing(ctx: Ctx, lease: ConversionLease, media: MediaTools, { signal }: Run) {
      for (const video of await unmeasuredVideos(ctx, lease)) {
        if (unreadable.has(video.id)) continue
        await ctx.scratch.within('length', async (dir) => {
          try {
            const source = await originalOf(ctx, video, dir)
            const run = { dir, signal, onProgress: () => undefined }
            await noteFacts(ctx, video.id, await media.inspect(source, run))
          } catch {
            signal.throwIfAborted()
            unreadable.add(video.id)
          }
        })
      }
    },
  }
}
