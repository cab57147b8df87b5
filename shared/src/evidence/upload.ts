import { z } from 'zod'
import { id } from '../fields.ts'
import { captureFields } from './capture.ts'
import { uploadFields } from './schema.ts'

/** Hours after its creation during which an upload may be continued. */
export const UPLOAD_HOURS = 24
/** Most unfinished uploads of one person: enough for dropping a whole folder of photos. */
export const MAX_OPEN_UPLOADS = 1_000
/** Most files of one order: every list, check and ZIP of it has all of them. */
export const MAX_ORDER_FILES = 10_000

/** Contents of `Upload-Metadata` (tus); the size comes in `Upload-Length`. */
export const uploadMetadata = z.object({
  order_id: id,
  filename: z.string('Deve ser um texto').nullish(),
  ...uploadFields.shape,
  ...captureFields.shape,
  /** Of the whole file; when given, an upload with another hash is refused at its end. */
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/i, 'Deve ter 64 dígitos hexadecimais')
    .transform((hex) => hex.toLowerCase())
    .optional(),
})
export type UploadMetadata = z.output<typeof uploadMetadata>
