import { z } from 'zod'
import { id } from '../fields.ts'
import { uploadFields } from './schema.ts'

/** An upload that was begun may be continued for this long, counted from its creation. */
export const UPLOAD_HOURS = 24
/** Uploads of one person that are not finished, at most: a drop of a whole folder of photos, with room. */
export const MAX_OPEN_UPLOADS = 1_000

/** What `Upload-Metadata` says of a file that comes in pieces; its size comes in `Upload-Length`. */
export const uploadMetadata = z.object({
  order_id: id,
  filename: z.string('Deve ser um texto').nullish(),
  ...uploadFields.shape,
  /** Of the whole file; when given, other bytes are refused at the end. */
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/i, 'Deve ter 64 dígitos hexadecimais')
    .transform((hex) => hex.toLowerCase())
    .optional(),
})
export type UploadMetadata = z.output<typeof uploadMetadata>
