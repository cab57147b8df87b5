import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import {
  type Claim,
  claimConversion,
  failConversion,
  finishConversion,
  INTERRUPTED,
  reportProgress,
  reserveBudget,
} from '@garantia/server/features/evidence/conversion'
import { noteFacts } from '@garantia/server/features/evidence/files'
import type { Ctx } from '@garantia/server/kernel'
import { IMAGE_LONG_SIDE } from '@garantia/shared/evidence/budget'
import { FORMATS } from '@garantia/shared/evidence/formats'
import { CannotConvert, type MediaTools, type Run } from '../media/media.ts'
import { diskFull } from '../media/refusal.ts'
import type { Job } from '../task.ts'
import { type Desk, openDesk } from './desk.ts'
import { type Lengths, lengths } from './lengths.ts'
import { originalOf } from './original.ts'

const PROGRESS_EVERY_MS = 800

/** Converts one file within its share of the brand's limit. */
export const convertEvidence =
  (media: MediaTools, desk = openDesk(1), known = lengths(media)): Job<'convert-evidence'> =>
  async (ctx, { evidence_id }, { signal, lastTry }) => {
    const claim = await claimConversion(ctx, evidence_id)
    if (!claim) return
    const lost = new AbortController()
    const heart = beat(ctx, claim, lost)
    try {
      await ctx.scratch.within('convert', (dir) =>
        convert(
          ctx,
          claim,
          { media, desk, known },
          {
            dir,
            signal: AbortSignal.any([signal, lost.signal]),
            onProgress: heart.note,
          },
        ).catch(async (error: unknown) => {
          // Asked before the folder is emptied: afterwards there is room again.
          throw (await isDiskFull(ctx, error)) ? diskFull(error) : error
        }),
      )
    } catch (error) {
      if (error instanceof CannotConvert) await failConversion(ctx, evidence_id, claim.attempt, error.message)
      else if (!lost.signal.aborted) {
        if (lastTry) await failConversion(ctx, evidence_id, claim.attempt, INTERRUPTED)
        throw error
      }
    } finally {
      heart.stop()
    }
  }

/** Below this the last write has failed, or the next one would. */
const LAST_BYTES = 256 * 1024

async function isDiskFull(ctx: Ctx, error: unknown) {
  const { code } = error as NodeJS.ErrnoException
  return code === 'ENOSPC' || code === 'EDQUOT' || (await ctx.parts.room()) < LAST_BYTES
}

interface Workshop {
  media: MediaTools
  desk: Desk
  known: Lengths
}

async function convert(ctx: Ctx, claim: Claim, { media, desk, known }: Workshop, run: Run) {
  const source = await originalOf(ctx, claim, run.dir)
  // In a second round the facts are those of the copy, which may stay.
  if (!claim.is_measured && claim.copy_bytes === null)
    await noteFacts(ctx, claim.evidence_id, await media.inspect(source, run))
  if (claim.budget_bytes === null) await known.learn(ctx, claim, run)
  const { brand } = claim
  const result = await desk.at(run.signal, async () => {
    // Asked as late as can be: what was finished meanwhile counts with its real size.
    const budget_bytes = claim.budget_bytes ?? (await reserveBudget(ctx, claim))
    if (budget_bytes === null) return null
    return media.convert(
      source,
      {
        budget_bytes,
        image_formats: brand.accepted_image_formats,
        video_formats: brand.accepted_video_formats,
        long_side: brand.image_max_px ?? IMAGE_LONG_SIDE,
        keep_gps: brand.keep_gps,
        rotation: claim.rotation,
        max_video_seconds: brand.max_video_seconds,
      },
      run,
    )
  })
  if (!result) return
  const { width, height, duration_seconds, pages, captured_at, size, format, is_pressed } = result
  await finishConversion(ctx, claim, {
    path: result.path,
    size,
    format,
    ext: FORMATS[format].ext,
    ...(await checksumsOf(result.path)),
    width,
    height,
    duration_seconds,
    pages,
    captured_at,
    is_pressed,
  })
}

/** Tells the database once a beat how far we are and that we live; a lost claim stops the work. */
function beat(ctx: Ctx, claim: Claim, lost: AbortController) {
  let percent = 0
  let isTelling = false
  const timer = setInterval(async () => {
    if (isTelling) return
    isTelling = true
    try {
      if (!(await reportProgress(ctx, claim, percent))) lost.abort()
    } catch (err) {
      ctx.log.warn({ err }, 'progresso não gravado')
    } finally {
      isTelling = false
    }
  }, PROGRESS_EVERY_MS)
  return {
    note: (value: number) => {
      percent = Math.max(percent, value)
    },
    stop: () => clearInterval(timer),
  }
}

/** Read into the same memory again and again: fresh buffers of this size keep the garbage collector busy. */
const SLAB = 256 * 1024
async function checksumsOf(path: string) {
  const hash = createHash('sha256')
  let crc = 0
  const file = await open(path)
  try {
    const room = Buffer.allocUnsafe(SLAB)
    for (;;) {
      const { bytesRead } = await file.read(room, 0, SLAB)
      if (bytesRead === 0) return { sha256: hash.digest('hex'), crc32: crc }
      const slab = room.subarray(0, bytesRead)
      hash.update(slab)
      crc = crc32(slab, crc)
    }
  } finally {
    await file.close()
  }
}
