import type { PackageItem } from '@garantia/shared/evidence/budget'
import type { FormatName } from '@garantia/shared/evidence/formats'
import type { Ctx } from '../../../kernel/context.ts'
import type { BrandRow } from '../../catalogue/brands/service.ts'
import { type EvidenceRow, liveFile } from '../files/service.ts'
import type { PlannedRow } from './lease-queries.ts'

/** What a worker needs to convert one file. `attempt` is its claim: only the newest may write a result. */
export interface ConversionLease {
  evidence_id: number
  order_id: number
  attempt: number
  original_key: string
  format: FormatName
  file_size: number
  /** Degrees clockwise a person wants it turned. */
  rotation: number
  folder: string
  /** Whether the facts of its original are known, by which its package is planned. */
  is_measured: boolean
  /** The share it holds already; null where the plan has to be asked again when the work begins. */
  budget_bytes: number | null
  /** Bytes of the copy that stays unless this conversion makes a better one; null in a first round. */
  fallback_bytes: number | null
  brand: BrandRow
}

export const convertedKey = (folder: string, attempt: number) => `${folder}/converted-${attempt}`

/** The order first, then the file: everyone locks in this order. */
export async function lockOrderAndFile(ctx: Ctx, evidence_id: number) {
  const order = await ctx.db
    .selectFrom('service_orders')
    .where('id', '=', (place) =>
      place.selectFrom('evidence_files').where('id', '=', evidence_id).select('order_id'),
    )
    .where('deleted_at', 'is', null)
    .selectAll()
    .forUpdate()
    .executeTakeFirst()
  const file = order && (await liveFile(ctx, evidence_id))
  return file ? { order, file } : null
}
export type LockedFile = NonNullable<Awaited<ReturnType<typeof lockOrderAndFile>>>

/** Whether this attempt is the newest of a file that still waits for its result. */
export const hasLease = (file: EvidenceRow, attempt: number) =>
  file.status === 'converting' && file.attempt === attempt

/** Bytes of the copy that a second round leaves standing until a better one is there. */
export const fallbackCopySize = (file: Pick<PlannedRow, 'status' | 'is_reencode_pass' | 'converted_size'>) =>
  file.status === 'converting' && file.is_reencode_pass ? file.converted_size : null

/** A file as the plan of its package counts it for who claims now. */
export function packageItem(file: PlannedRow, leasedFileId?: number): PackageItem {
  const [width, height] = [file.original_width ?? file.width, file.original_height ?? file.height]
  return {
    id: file.id,
    file_type: file.file_type,
    file_size: file.file_size,
    pixels: width && height ? width * height : null,
    duration_seconds: file.duration_seconds,
    pages: file.pages,
    committed_bytes: committedBytes(file, leasedFileId),
    fallback_bytes: fallbackCopySize(file),
  }
}

function committedBytes(file: PlannedRow, leasedFileId: number | undefined) {
  if (file.status === 'converted') return file.converted_size
  if (file.id === leasedFileId || file.budget_bytes === null) return null
  return Math.max(file.budget_bytes, fallbackCopySize(file) ?? 0)
}
