import { z } from 'zod'
import { id, nullWhenBlank, text } from '../fields.ts'
import { EVIDENCE_CATEGORIES } from './category.ts'
import { FILE_TYPES } from './formats.ts'
import { EVIDENCE_STATUSES } from './status.ts'

export const DESCRIPTION_MAX = 500
/** Longest original name kept, in UTF-8 bytes (D-51). */
export const FILENAME_MAX_BYTES = 180

/** What may come along with the files of an upload; a blank category is none. */
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

/** What a person may say anew about a file; what is left out stays, null clears. */
export const evidenceChange = z.object({
  evidence_category: z.enum(EVIDENCE_CATEGORIES, 'Categoria desconhecida').nullable().optional(),
  description: uploadFields.shape.description,
})
export type EvidenceChange = z.output<typeof evidenceChange>

const rotation = z.union(
  [z.literal(0), z.literal(90), z.literal(180), z.literal(270)],
  'O giro deve ser 0, 90, 180 ou 270 graus',
)
export type Rotation = z.output<typeof rotation>
/** How a photo is to be turned, as the whole angle: asking twice turns once. */
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
  /** Whole percent of the running conversion; 0 while it waits in the queue. */
  progress: z.number().int(),
  /** Place in the queue, 1 = next; null unless it waits. */
  queue_position: z.number().int().nullable(),
  /** Portuguese reason of the last failure. */
  error: z.string().nullable(),
  sha256: z.string(),
  uploaded_at: z.string(),
  uploaded_by: z.number().nullable(),
  width: z.number().nullable(),
  height: z.number().nullable(),
  duration_seconds: z.number().nullable(),
  /** Of a PDF; null until somebody looked into it. */
  pages: z.number().int().nullable(),
  /** Degrees clockwise by which a person turned the photo; its original stays as it came. */
  rotation,
  /** Short-lived signed address of the thumbnail, fit for <img>; null until the worker made it. */
  thumbnail_url: z.string().nullable(),
  /** Signed addresses of the file itself, fit for <img> and <video>; null where there is no such copy. */
  original_url: z.string().nullable(),
  converted_url: z.string().nullable(),
})
export type EvidenceFile = z.output<typeof evidenceFile>

/** One file with what its camera wrote and who sent it. */
export const evidenceDetail = evidenceFile.extend({
  uploaded_by_name: z.string().nullable(),
  captured_at: z.string().nullable(),
  camera: z.string().nullable(),
  /** EXIF orientation of the original, 1 = as its pixels lie. */
  orientation: z.number().int().nullable(),
  /** Whether the original says where it was taken; null until somebody looked into it. */
  has_location: z.boolean().nullable(),
  /** Whether the brand wants the place kept in the converted copy. */
  keeps_location: z.boolean(),
  original_width: z.number().nullable(),
  original_height: z.number().nullable(),
  converted_sha256: z.string().nullable(),
})
export type EvidenceDetail = z.output<typeof evidenceDetail>

export const evidenceList = z.object({
  total_files: z.number().int(),
  evidence_files: z.array(evidenceFile),
  /** Bytes of the package as it stands and the most it may have. */
  package_bytes: z.number(),
  package_limit_bytes: z.number(),
})
export type EvidenceList = z.output<typeof evidenceList>

const refusedFile = z.object({ filename: z.string(), detail: z.string(), code: z.string() })
export type RefusedFile = z.output<typeof refusedFile>

/** `skipped` are files this order already holds, byte for byte: a notice, not an error (D-22). */
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
