import { type ConversionLease, unmeasuredVideos } from '@garantia/server/features/evidence/conversion'
import { noteFacts } from '@garantia/server/features/evidence/files'
import type { Ctx } from '@garantia/server/kernel'
import type { MediaTools, Run } from '../media/media.ts'
import { originalOf } from './original.ts'

export type DurationProbe = ReturnType<typeof createDurationProbe>

/**
 * The lengths of an order's films, for a plan that guesses one leaves out a film that would fit and gives its
 * bytes to the photos. Those that nobody has looked into yet are looked into before anybody takes a share.
 */
export function createDurationProbe(media: MediaTools) {
  /** They say so when their own turn comes. */
  const unreadable = new Set<number>()
  return {
    async probeMissing(ctx: Ctx, lease: ConversionLease, { signal }: Run) {
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
