import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import {
  type ConversionLease,
  failConversion,
  finishConversion,
  INTERRUPTED,
  leaseConversion,
  reportProgress,
  reserveBudget,
} from '@garantia/server/features/evidence/conversion'
import { noteFacts } from '@garantia/server/features/evidence/files'
import type { Ctx } from '@garantia/server/kernel'
import { IMAGE_LONG_SIDE } from '@garantia/shared/evidence/budget'
import { FORMATS } from '@garantia/shared/evidence/formats'
import type { Decoders } from '../decoder/decoders.ts'
import type { MediaTools, Run } from '../media/media.ts'
import { CannotConvert, diskFull, ParserFailure, unreadable } from '../media/refusal.ts'
import type { Job } from '../task.ts'
import { type CpuLimiter, createCpuLimiter } from './cpu-limiter.ts'
import { createDurationProbe, type DurationProbe } from './duration-probe.ts'
import { originalOf } from './original.ts'

const PROGRESS_EVERY_MS = 800
/** Two retries, seconds apart, in case the machine was the cause. */
const PARSER_ATTEMPTS = 3

/** Converts one file within its share of the brand's package limit. */
export const convertEvidence =
  (
    decoders: Decoders,
    cpuLimiter = createCpuLimiter(1),
    durationProbe = createDurationProbe(),
  ): Job<'convert-evidence'> =>
  async (ctx, { evidence_id }, { signal, attempts, lastTry }) => {
    const lease = await leaseConversion(ctx, evidence_id)
    if (!lease) return
    const lost = new AbortController()
    const heartbeat = startHeartbeat(ctx, lease, lost)
    try {
      await ctx.scratch.within('convert', (dir) =>
        decoders
          .withTools(lease.order_id, (media) =>
            convert(
              ctx,
              lease,
              { media, cpuLimiter, durationProbe },
              {
                dir,
                signal: AbortSignal.any([signal, lost.signal]),
                onProgress: heartbeat.reportPercent,
              },
            ),
          )
          .catch(async (error: unknown) => {
            // Checked before the job's folder is deleted, which frees space again.
            if (await isDiskFull(ctx, error)) throw diskFull(error)
            throw error instanceof ParserFailure && attempts >= PARSER_ATTEMPTS ? unreadable(error) : error
          }),
      )
    } catch (error) {
      if (error instanceof CannotConvert) {
        if (error.cause instanceof ParserFailure)
          ctx.log.error({ err: error, evidence_id }, 'arquivo ilegível')
        await failConversion(ctx, evidence_id, lease.attempt, error.message)
      } else if (!lost.signal.aborted) {
        if (lastTry) await failConversion(ctx, evidence_id, lease.attempt, INTERRUPTED)
        throw error
      }
    } finally {
      heartbeat.stop()
    }
  }

/** With fewer free bytes than this, the last write has failed or the next one would. */
const LAST_BYTES = 256 * 1024

async function isDiskFull(ctx: Ctx, error: unknown) {
  const { code } = error as NodeJS.ErrnoException
  return code === 'ENOSPC' || code === 'EDQUOT' || (await ctx.partialFiles.space()).free < LAST_BYTES
}

interface ConversionDeps {
  media: MediaTools
  cpuLimiter: CpuLimiter
  durationProbe: DurationProbe
}

async function convert(
  ctx: Ctx,
  lease: ConversionLease,
  { media, cpuLimiter, durationProbe }: ConversionDeps,
  run: Run,
) {
  const source = await originalOf(ctx, lease, run.dir)
  // In a re-encode pass the recorded facts are those of the fallback copy, which may stay.
  if (!lease.is_measured && lease.fallback_bytes === null)
    await noteFacts(ctx, lease.evidence_id, await media.inspect(source, run))
  if (lease.budget_bytes === null) await durationProbe.probeMissing(ctx, lease, media, run)
  const { brand } = lease
  const result = await cpuLimiter.run(run.signal, async () => {
    // As late as possible: files that were finished meanwhile count with their real size.
    const budget_bytes = lease.budget_bytes ?? (await reserveBudget(ctx, lease))
    if (budget_bytes === null) return null
    return media.convert(
      source,
      {
        budget_bytes,
        image_formats: brand.accepted_image_formats,
        video_formats: brand.accepted_video_formats,
        long_side: brand.image_max_px ?? IMAGE_LONG_SIDE,
        keep_gps: brand.keep_gps,
        rotation: lease.rotation,
        marks: lease.marks,
        max_video_seconds: brand.max_video_seconds,
      },
      run,
    )
  })
  if (!result) return
  const { width, height, duration_seconds, pages, captured_at, size, format, is_over_compressed } = result
  await finishConversion(ctx, lease, {
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
    is_over_compressed,
  })
}

/** Writes the progress and renews the lease at an interval; a lost lease aborts the conversion. */
function startHeartbeat(ctx: Ctx, lease: ConversionLease, lost: AbortController) {
  let percent = 0
  let isWriting = false
  const timer = setInterval(async () => {
    if (isWriting) return
    isWriting = true
    try {
      if (!(await reportProgress(ctx, lease, percent))) lost.abort()
    } catch (err) {
      ctx.log.warn({ err }, 'progresso não gravado')
    } finally {
      isWriting = false
    }
  }, PROGRESS_EVERY_MS)
  return {
    reportPercent: (value: number) => {
      percent = Math.max(percent, value)
    },
    stop: () => clearInterval(timer),
  }
}

/** One buffer is reused for all reads: a new one of this size each time would load the garbage collector. */
const BUFFER_BYTES = 256 * 1024
async function checksumsOf(path: string) {
  const hash = createHash('sha256')
  let crc = 0
  const file = await open(path)
  try {
    const buffer = Buffer.allocUnsafe(BUFFER_BYTES)
    for (;;) {
      const { bytesRead } = await file.read(buffer, 0, BUFFER_BYTES)
      if (bytesRead === 0) return { sha256: hash.digest('hex'), crc32: crc }
      const chunk = buffer.subarray(0, bytesRead)
      hash.update(chunk)
      crc = crc32(chunk, crc)
    }
  } finally {
    await file.close()
  }
}
