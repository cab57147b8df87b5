import type { FormatName } from '@garantia/shared/evidence/formats'
import { FORMAT_NAMES } from '@garantia/shared/evidence/formats'
import { foundText } from '@garantia/shared/evidence/reading'
import { z } from 'zod'
import type { Binaries } from '../media/binaries.ts'
import type { PageSize, ReadingWish, Target } from '../media/types.ts'

/** What is asked about a file. */
export type DecoderTask =
  | { task: 'inspect' }
  | { task: 'convert'; target: Target }
  | { task: 'preview' }
  | { task: 'page'; size: PageSize }
  | { task: 'read'; wish: ReadingWish }
  | { task: 'sheet' }

/** What is asked about one file; `name` is the file in the process's folder. */
export type DecoderQuestion = DecoderTask & { source: { name: string; format: FormatName; size: number } }

/** One line of JSON to a decoding process. */
export type DecoderRequest = DecoderQuestion & { binaries: Binaries | null }

const count = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER)
const facts = {
  width: count.nullable(),
  height: count.nullable(),
  duration_seconds: z.number().min(0).nullable(),
  pages: count.nullable(),
  captured_at: z.coerce.date().nullable(),
}
/** A file that the process has left in its folder: a plain name, so that no path leads out of it. */
const file = z.string().regex(/^[a-z]+(\.[a-z0-9]+)+$/)

/** The results by task. The process has read untrusted bytes: nothing it says is taken as it comes. */
export const RESULTS = {
  inspect: z.object({
    ...facts,
    camera: z.string().max(500).nullable(),
    orientation: z.number().int().min(1).max(8).nullable(),
    has_location: z.boolean().nullable(),
  }),
  convert: z.object({
    ...facts,
    file,
    format: z.enum(FORMAT_NAMES),
    reencoded: z.boolean(),
    is_over_compressed: z.boolean(),
  }),
  read: z.object({ found: z.array(foundText).max(50), engine: z.string().max(100) }),
  sheet: z.object({ file }),
  page: z.object({ file, width: count, height: count }),
  preview: z.object({
    file,
    sharpness: z.number(),
    perceptual_hash: z
      .string()
      .regex(/^[01]{64}$/)
      .nullable(),
  }),
}

/** One line of JSON from a decoding process: its progress, or how the request ended. */
export const answerShape = z.union([
  z.object({ percent: z.number().min(0).max(100) }),
  z.object({ result: z.unknown() }),
  z.object({ refusal: z.string().max(1_000) }),
  z.object({ error: z.string().max(4_000), code: z.string().max(100).optional() }),
])
export type DecoderAnswer = z.output<typeof answerShape>
