import { type Claim, unmeasuredFilms } from '@garantia/server/features/evidence/conversion'
import { noteFacts } from '@garantia/server/features/evidence/files'
import type { Ctx } from '@garantia/server/kernel'
import type { MediaTools, Run } from '../media/media.ts'
import { originalOf } from './original.ts'

export type Lengths = ReturnType<typeof lengths>

/**
 * The lengths of an order's films, for a plan that guesses one leaves out a film that would fit and gives its
 * bytes to the photos. Those that nobody has looked into yet are looked into before anybody takes a share.
 */
export function lengths(media: MediaTools) {
  /** They say so when their own turn comes. */
  const unreadable = new Set<number>()
  return {
    async learn(ctx: Ctx, claim: Claim, { signal }: Run) {
      for (const film of await unmeasuredFilms(ctx, claim)) {
        if (unreadable.has(film.id)) continue
        await ctx.scratch.within('length', async (dir) => {
          try {
            const source = await originalOf(ctx, film, dir)
            const run = { dir, signal, onProgress: () => undefined }
            await noteFacts(ctx, film.id, await media.inspect(source, run))
          } catch {
            signal.throwIfAborted()
            unreadable.add(film.id)
          }
        })
      }
    },
  }
}
