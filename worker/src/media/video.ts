import { rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { longestVideo } from '@garantia/shared/evidence/budget'
import { formatOfExtension } from '@garantia/shared/evidence/formats'
import { runFfmpeg, type VideoTools } from './ffmpeg.ts'
import { probe } from './probe.ts'
import {
  CannotConvert,
  videoDoesNotFit,
  videoIncomplete,
  videoTooLongForBrand,
  videoTooSlow,
  videoUnreadable,
} from './refusal.ts'
import type {
  Container,
  Converted,
  Facts,
  InspectedFacts,
  Run,
  Source,
  Target,
  VideoConversion,
  VideoInfo,
} from './types.ts'
import { untrustedInputFlags } from './untrusted.ts'
import { encoding, remuxing } from './video-flags.ts'
import { isReduced, planVideo, replanned, type VideoPlan } from './video-plan.ts'

const RETRIES = 3
const LONGEST_MINUTES = 30

/** Dimensions, duration (seconds), camera and capture time. CannotConvert when the video is unreadable. */
export async function inspectVideo(tools: VideoTools, source: Source, run: Run): Promise<InspectedFacts> {
  const video = await probe(tools, source, run)
  const { camera, location } = video
  const facts = factsOf(video, video.duration ?? (await measured(tools, source, video, run)))
  return { ...facts, camera, orientation: null, has_location: location !== null }
}

/**
 * Converts a video to MP4 or MOV within `target.budget_bytes`: without re-encoding where it already fits,
 * else as H.264 and AAC. Throws CannotConvert when it is unreadable, incomplete, longer than the brand
 * accepts, does not fit, or takes too long (3 minutes plus one per second of video, at most 30).
 */
export async function convertVideo(
  tools: VideoTools,
  source: Source,
  target: Target,
  run: Run,
): Promise<Converted> {
  const video = await probe(tools, source, run)
  const duration = video.duration ?? (await measured(tools, source, video, run))
  const most = target.max_video_seconds
  if (most && duration > most + 1) throw videoTooLongForBrand(duration, most)

  return inTime(duration, run, async (run) => {
    const job: VideoConversion = {
      ...{ tools, source, video, duration, run },
      container: containerFor(target.video_formats),
      budget: target.budget_bytes,
      keep_gps: target.keep_gps,
    }
    const made = (await remux(job)) ?? (await encode(job))
    const path = join(run.dir, `converted.${job.container}`)
    await rename(made.path, path)
    const { size } = await stat(path)
    const { facts, reencoded, is_over_compressed } = made
    return { ...facts, path, size, format: job.container, reencoded, is_over_compressed }
  })
}

const containerFor = (accepted: readonly string[]): Container =>
  accepted.map(formatOfExtension).find((format) => format === 'mp4' || format === 'mov') ?? 'mp4'

const factsOf = (video: VideoInfo, duration: number): Facts => ({
  width: video.width,
  height: video.height,
  duration_seconds: duration,
  pages: null,
  captured_at: video.captured_at,
})

/**
 * Seconds. Browsers record without writing the duration; it is read from the packets without decoding them.
 */
async function measured(tools: VideoTools, source: Source, video: VideoInfo, run: Run) {
  const seconds = await runFfmpeg(tools, {
    input: source.path,
    input_options: untrustedInputFlags(source.format),
    output_options: ['-map', `0:${video.stream}`, '-c', 'copy', '-f', 'null'],
    output: '-',
    duration: null,
    most_bytes: Number.POSITIVE_INFINITY,
    signal: AbortSignal.any([run.signal, AbortSignal.timeout(5 * 60_000)]),
  })
  if (seconds <= 0) throw videoUnreadable()
  return seconds
}

/**
 * A conversion that exceeds its time limit is refused and not retried, as a retry would take as long again.
 */
async function inTime<T>(duration: number, run: Run, work: (run: Run) => Promise<T>) {
  const minutes = Math.min(LONGEST_MINUTES, 3 + duration)
  const timeout = AbortSignal.timeout(Math.round(minutes * 60_000))
  try {
    return await work({ ...run, signal: AbortSignal.any([run.signal, timeout]) })
  } catch (error) {
    if (timeout.aborted && !run.signal.aborted) throw videoTooSlow(Math.round(minutes))
    throw error
  }
}

interface Made {
  path: string
  facts: Facts
  reencoded: boolean
  is_over_compressed: boolean
}

/** New container, same picture and sound, for H.264 and AAC that already fit. Null when they do not. */
async function remux(job: VideoConversion): Promise<Made | null> {
  const { video, source, budget, run } = job
  const long = Math.max(video.width, video.height)
  const short = Math.min(video.width, video.height)
  const fits =
    source.size <= budget &&
    ['mp4', 'mov', '3gp', 'mkv'].includes(source.format) &&
    video.codec === 'h264' &&
    ['yuv420p', 'yuvj420p'].includes(video.pixel_format) &&
    (video.audio === null || video.audio.codec === 'aac') &&
    !video.rotated &&
    long <= 1920 &&
    short <= 1080
  if (!fits) return null
  const path = join(run.dir, `remux.part.${job.container}`)
  try {
    await work(job, remuxing(job), path, (percent) => run.onProgress(percent))
    if ((await stat(path)).size <= budget)
      return { path, facts: await verified(job, path), reencoded: false, is_over_compressed: false }
  } catch (error) {
    if (!(error instanceof CannotConvert)) throw error
  }
  await rm(path, { force: true })
  return null
}

/** Share of the budget below which a constant-quality pass may have had a frame that is too small. */
const WELL_USED = 0.8

/**
 * First a pass of constant quality that also writes the statistics of a first pass: most files fit after it,
 * and for the others it is not wasted. When it used less than WELL_USED of the budget with a reduced frame or
 * sound, one more pass follows with a better plan. Then second passes at the rate the budget allows, each
 * checked by the real size of its file.
 */
async function encode(job: VideoConversion): Promise<Made> {
  const { budget, duration, video, source, run } = job
  if (duration > longestVideo(budget) && source.size > budget) throw videoDoesNotFit(duration, budget)
  const path = join(run.dir, `encode.part.${job.container}`)
  let percent = 0
  /** Runs one pass, its progress up to `until` percent, and returns the size of its file in bytes. */
  const pass = async (plan: VideoPlan, aim: 'quality' | 'rate', until: number) => {
    const from = percent
    await work(job, encoding(job, plan, aim), path, (part) =>
      run.onProgress(from + ((until - from) * part) / 100),
    )
    percent = until
    return (await stat(path)).size
  }

  let plan = planVideo(video, duration, budget)
  let size = await pass(plan, 'quality', plan.fitsInOnePass ? 97 : 50)
  const better = size < WELL_USED * budget ? replanned(plan, video, duration, budget, size) : null
  const first = join(run.dir, `first.part.${job.container}`)
  if (better) {
    await rename(path, first)
    plan = better
    size = await pass(plan, 'quality', (percent + 97) / 2)
  }
  let is_over_compressed = isReduced(plan, video, duration)
  let smallest = size
  for (let passes = 0; size > budget; passes++) {
    is_over_compressed = true
    if (passes > RETRIES && better) {
      await rename(first, path)
      break
    }
    if (passes > RETRIES)
      throw videoDoesNotFit(duration, budget, Math.floor((duration * budget * 0.95) / smallest))
    if (passes > 0)
      plan = { ...plan, video_rate: Math.round(plan.video_rate * Math.min(0.9, (0.98 * budget) / size)) }
    size = await pass(plan, 'rate', 97)
    smallest = Math.min(smallest, size)
  }
  return { path, facts: await verified(job, path), reencoded: true, is_over_compressed }
}

const work = (
  { tools, source, duration, budget, run }: VideoConversion,
  flags: string[],
  output: string,
  onPercent: (percent: number) => void,
) =>
  runFfmpeg(tools, {
    input: source.path,
    input_options: untrustedInputFlags(source.format),
    output_options: flags,
    output,
    duration,
    most_bytes: 4 * budget + 20_000_000,
    signal: run.signal,
    onPercent,
  })

/** ffmpeg reports success for a truncated input; an incomplete video must not go to the brand. */
async function verified(
  { tools, container, duration, video, run }: VideoConversion,
  path: string,
): Promise<Facts> {
  const made = await probe(tools, { path, format: container }, run)
  const seconds = made.duration ?? 0
  if (seconds < duration - Math.max(1.5, duration * 0.05)) throw videoIncomplete(seconds, duration)
  return { ...factsOf(made, seconds), captured_at: video.captured_at }
}
