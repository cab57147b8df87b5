import type { PackageItem } from '@garantia/shared/evidence/budget'
import type { FormatName } from '@garantia/shared/evidence/formats'
import type { Mark } from '@garantia/shared/evidence/marks'
import type { Ctx } from '../../../kernel/context.ts'
import type { BrandRow } from '../../catalogue/brands/service.ts'
import { type EvidenceRow, liveFile } from '../files/service.ts'
import type { PlannedRow } from './lease-queries.ts'

/**
 * What a worker needs to convert one file. `attempt` identifies the lease: only the newest attempt may write
 * a result.
 */
export interface ConversionLease {
  evidence_id: number
  order_id: number
  attempt: number
  original_key: string
  format: FormatName
  file_size: number
  /** Rotation in degrees clockwise, set by a person. */
  rotation: number
  /** Drawn onto the copy of a photo. */
  marks: readonly Mark[]
  folder: string
  /** Whether the original has been measured, so that the plan need not estimate. */
  is_measured: boolean
  /** The share in bytes reserved already; null when it must be planned when the work begins. */
  budget_bytes: number | null
  /**
   * Size in bytes of the copy that stays unless this conversion makes a better one; null outside a re-encode
   * pass.
   */
  fallback_bytes: number | null
  brand: BrandRow
}

/** Storage key of the result of one attempt. */
export const convertedKey = (folder: string, attempt: number) => `${folder}/converted-${attempt}`

/**
 * Locks the order and reads the file. Orders are locked first everywhere, to avoid deadlocks. Null when
 * either is deleted.
 */
export async function lockOrderAndFile(ctx: Ctx, evidence_id: number) {
  const order = await ctx.db
    .selectFrom('service_orders')
    .where('id', '=', (place) =>
      place.selectFrom('evidence_files').where('id', '=', evidence_id).select('order_id'),
    )
    .where('deleted_at', 'is', null)
    .selectAll()
    .forNoKeyUpdate()
    .executeTakeFirst()
  const file = order && (await liveFile(ctx, evidence_id))
  return file ? { order, file } : null
}
export type LockedFile = NonNullable<Awaited<ReturnType<typeof lockOrderAndFile>>>

/** Whether the attempt still has the lease: the file is converting and the attempt is its newest. */
export const hasLease = (file: EvidenceRow, attempt: number) =>
  file.status === 'converting' && file.attempt === attempt

/** Size in bytes of the copy kept during a re-encode pass; null outside one. */
export const fallbackCopySize = (file: Pick<PlannedRow, 'status' | 'is_reencode_pass' | 'converted_size'>) =>
  file.status === 'converting' && file.is_reencode_pass ? file.converted_size : null

/** A file as input of the budget plan. The share of the leased file itself counts as open. */
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
