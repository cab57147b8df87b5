import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FormatName } from '@garantia/shared/evidence/formats'
import { type Converted, mediaTools, type Target } from '@garantia/worker/media/media'
import { onTestFinished } from 'vitest'
import { sourceOf } from '../support/media.ts'

/** FFMPEG_PATH and FFPROBE_PATH run these tests with programs other than the system's. */
const { FFMPEG_PATH, FFPROBE_PATH } = process.env
export const programs = {
  ...(FFMPEG_PATH && { ffmpeg_path: FFMPEG_PATH }),
  ...(FFPROBE_PATH && { ffprobe_path: FFPROBE_PATH }),
}
export const media = mediaTools({ threads: 2, ...programs })

export const newFolder = () => mkdtemp(join(tmpdir(), 'garantia media-'))

/** A private folder for one job, as the worker makes one, removed after the test. */
export async function newRun(signal = new AbortController().signal) {
  const dir = await newFolder()
  onTestFinished(() => rm(dir, { recursive: true, force: true }))
  const percents: number[] = []
  return { dir, signal, percents, onProgress: (percent: number) => void percents.push(percent) }
}

export const target = (change: Partial<Target> = {}): Target => ({
  budget_bytes: 5_000_000,
  image_formats: ['jpg', 'png'],
  video_formats: ['mp4'],
  long_side: 2048,
  keep_gps: false,
  ...change,
})

export async function convert(
  path: string,
  format: FormatName,
  change: Partial<Target> = {},
): Promise<Converted> {
  return media.convert(await sourceOf(path, format), target(change), await newRun())
}

/** The Portuguese reason of a refusal; any other outcome fails the test. */
export async function reasonOf(work: Promise<unknown>) {
  const outcome = await work.then(
    () => 'foi convertido',
    (error: unknown) => error,
  )
  if (outcome instanceof Error && outcome.name === 'CannotConvert') return outcome.message
  throw new Error('Expected a refusal', { cause: outcome })
}
