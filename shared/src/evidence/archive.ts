import { z } from 'zod'
import { id } from '../fields.ts'
import { ARCHIVE_LIMITS, ARCHIVE_STATUSES } from './archive-status.ts'

export const archiveRequest = z.object({
  ids: z
    .array(id)
    .min(1, 'Selecione ao menos uma OS')
    .max(ARCHIVE_LIMITS.orders, `Máximo de ${ARCHIVE_LIMITS.orders} ordens por vez`),
})

const leftOutOrder = z.object({ id: z.number(), os_number: z.string().nullable(), detail: z.string() })
/** An order that is not in the archive, and why, in Portuguese. */
export type LeftOutOrder = z.output<typeof leftOutOrder>

export const packageArchive = z.object({
  id: z.number(),
  status: z.enum(ARCHIVE_STATUSES),
  /** Whole percent. */
  progress: z.number().int(),
  error: z.string().nullable(),
  orders: z.array(z.object({ id: z.number(), os_number: z.string() })),
  left_out: z.array(leftOutOrder),
  /** Bytes of the files that it was asked for. */
  bytes: z.number(),
  /** Bytes of the ZIP; null until it is ready. */
  size: z.number().nullable(),
  created_at: z.string(),
  expires_at: z.string(),
  /** Signed address of the ZIP, for the person who asked, until it expires; null until it is ready. */
  url: z.string().nullable(),
})
export type PackageArchive = z.output<typeof packageArchive>
export const packageArchiveList = z.object({ data: z.array(packageArchive), count: z.number().int() })
