import { z } from 'zod'
import { id, nullWhenBlank, text } from '../fields.ts'
import { appCapture } from './capture.ts'
import { EVIDENCE_CATEGORIES } from './category.ts'
import { FILE_TYPES } from './formats.ts'
import { mark } from './marks.ts'
import { reading, suggestedCategory } from './reading.ts'
import { EVIDENCE_STATUSES } from './status.ts'

export const DESCRIPTION_MAX = 500
/** Longest original file name that is stored, in UTF-8 bytes (D-51). */
export const FILENAME_MAX_BYTES = 180

/** Optional fields of an upload; a blank category means none. */
export const uploadFields = z.object({
  category: nullWhenBlank(
    z
      .string()
      .refine(
        (value) => value === '' || (EVIDENCE_CATEGORIES as string[]).includes(value),
        'Categoria desconhecida',
      ),
  ),
  description: nullWhenBlank(
    text(DESCRIPTION_MAX, `Descrição deve ter no máximo ${DESCRIPTION_MAX} caracteres`),
  ),
})
export type UploadFields = z.output<typeof uploadFields>

/** A change to a file's category or description; absent fields stay unchanged, null clears. */
export const evidenceChange = z.object({
  evidence_category: z.enum(EVIDENCE_CATEGORIES, 'Categoria desconhecida').nullable().optional(),
  description: uploadFields.shape.description,
})
export type EvidenceChange = z.output<typeof evidenceChange>

/** Most files that one call changes. */
export const FILES_AT_ONCE_MAX = 500
/** Changes of several files of one order, all at once. */
export const evidenceChanges = z.object({
  changes: z
    .array(
      evidenceChange.extend({
        id,
        /** The category that the caller saw; a file that has another by now is refused. */
        seen_category: evidenceChange.shape.evidence_category,
      }),
    )
    .min(1, 'Selecione ao menos um arquivo')
    .max(FILES_AT_ONCE_MAX, `Máximo de ${FILES_AT_ONCE_MAX} arquivos por vez`),
})
export type EvidenceChanges = z.output<typeof evidenceChanges>

const rotation = z.union(
  [z.literal(0), z.literal(90), z.literal(180), z.literal(270)],
  'O giro deve ser 0, 90, 180 ou 270 graus',
)
export type Rotation = z.output<typeof rotation>
/** The absolute rotation of a photo in degrees, so that a repeated request rotates only once. */
export const rotationInput = z.object({ rotation })

export const evidenceFile = z.object({
  id: z.number(),
  order_id: z.number(),
  file_type: z.enum(FILE_TYPES),
  status: z.enum(EVIDENCE_STATUSES),
  original_filename: z.string(),
  converted_filename: z.string().nullable(),
  file_size: z.number(),
  converted_size: z.number().nullable(),
  evidence_category: z.enum(EVIDENCE_CATEGORIES).nullable(),
  description: z.string().nullable(),
  /** Conversion progress in whole percent; 0 while queued. */
  progress: z.number().int(),
  /** Position in the queue, 1 = next; null unless queued. */
  queue_position: z.number().int().nullable(),
  /** Reason of the last failure, in Portuguese. */
  error: z.string().nullable(),
  sha256: z.string(),
  uploaded_at: z.string(),
  uploaded_by: z.number().nullable(),
  width: z.number().nullable(),
  height: z.number().nullable(),
  duration_seconds: z.number().nullable(),
  /** Of a PDF; null until it was inspected. */
  pages: z.number().int().nullable(),
  /** Degrees clockwise by which a user rotated the photo; the original is not changed. */
  rotation,
  /** What people have drawn beside the photo, for its copy; the original is not changed. */
  marks: z.array(mark),
  /** What was read in the photo by machine, beside the order as it is now; null until it was read. */
  reading: reading.nullable(),
  /** Told by what was read in a photo without a category; null where nothing tells it. */
  suggested_category: suggestedCategory.nullable(),
  /** Short-lived signed URL of the thumbnail, for <img>; null until the worker has made it. */
  thumbnail_url: z.string().nullable(),
  /** Signed URLs of the file, for <img> and <video>; null where there is no such file. */
  original_url: z.string().nullable(),
  converted_url: z.string().nullable(),
})
export type EvidenceFile = z.output<typeof evidenceFile>

/** Which files were changed, or are so already, and why the others were not. */
export const evidenceChangesResult = z.object({
  done: z.array(evidenceFile),
  refused: z.array(z.object({ id: z.number(), filename: z.string().nullable(), detail: z.string() })),
})
export type EvidenceChangesResult = z.output<typeof evidenceChangesResult>

/** One file with its camera metadata and the name of its uploader. */
export const evidenceDetail = evidenceFile.extend({
  uploaded_by_name: z.string().nullable(),
  /** For whom the link was made by which the file came, without an account; `uploaded_by` has made it. */
  guest_link: z.string().nullable(),
  captured_at: z.string().nullable(),
  /** Null when it did not come from the app's own camera. */
  app_capture: appCapture.nullable(),
  camera: z.string().nullable(),
  /** EXIF orientation of the original; 1 = no rotation. */
  orientation: z.number().int().nullable(),
  /** Whether the original contains a GPS position; null until it was inspected. */
  has_location: z.boolean().nullable(),
  /** Whether the brand wants the GPS position kept in the converted copy. */
  keeps_location: z.boolean(),
  original_width: z.number().nullable(),
  original_height: z.number().nullable(),
  converted_sha256: z.string().nullable(),
})
export type EvidenceDetail = z.output<typeof evidenceDetail>

export const evidenceList = z.object({
  total_files: z.number().int(),
  evidence_files: z.array(evidenceFile),
  /** Bytes of the package now, and the most it may have. */
  package_bytes: z.number(),
  package_limit_bytes: z.number(),
})
export type EvidenceList = z.output<typeof evidenceList>

const refusedFile = z.object({ filename: z.string(), detail: z.string(), code: z.string() })
export type RefusedFile = z.output<typeof refusedFile>

/** `skipped` are files that the order already has, byte for byte: reported, but no error (D-22). */
export const uploadResult = z.object({
  message: z.string(),
  uploaded: z.array(evidenceFile),
  skipped: z.array(z.object({ filename: z.string(), evidence_id: z.number(), detail: z.string() })),
  errors: z.array(refusedFile),
  total_files: z.number().int(),
})
export type UploadResult = z.output<typeof uploadResult>

export const conversionReport = z.object({
  total_files: z.number().int(),
  converted_count: z.number().int(),
  converting_count: z.number().int(),
  pending_count: z.number().int(),
  failed_count: z.number().int(),
  converted_files: z.array(
    z.object({
      evidence_id: z.number(),
      converted_filename: z.string(),
      /** Bytes of the converted file. */
      file_size: z.number(),
      file_type: z.enum(FILE_TYPES),
    }),
  ),
})
export type ConversionReport = z.output<typeof conversionReport>

export const conversionState = z.object({
  evidence_id: z.number(),
  status: z.enum(EVIDENCE_STATUSES),
  progress: z.number().int(),
  error: z.string().nullable(),
  attempts: z.number().int(),
  started_at: z.string().nullable(),
  finished_at: z.string().nullable(),
})
export type ConversionState = z.output<typeof conversionState>

export const conversionStarted = z.object({
  message: z.string(),
  evidence_id: z.number(),
  status: z.enum(EVIDENCE_STATUSES),
})
export const batchStarted = z.object({ message: z.string(), total_files: z.number().int() })

export const forceFlag = z.object({ force: z.boolean().optional() })
export const ofOrder = z.object({ order_id: id })
