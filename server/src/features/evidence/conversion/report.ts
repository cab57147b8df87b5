import type { ConversionReport, ConversionState } from '@garantia/shared/evidence/schema'
import { authorize } from '@garantia/shared/policy'
import type { Ctx } from '../../../kernel/context.ts'
import { visibleOrder } from '../../orders/order/service.ts'
import { convertedFilesOf, type EvidenceRow, visibleFile } from '../files/service.ts'

/**
 * The number of files of an order per state, and its converted files with sizes in bytes. 404 outside the
 * caller's scope.
 */
export async function readConversionReport(ctx: Ctx, order_id: number): Promise<ConversionReport> {
  const order = await visibleOrder(ctx, order_id)
  authorize(ctx.actor, 'evidence.read', order)
  const files = await convertedFilesOf(ctx, order_id)
  const countOf = (status: EvidenceRow['status']) => files.filter((file) => file.status === status).length
  return {
    total_files: files.length,
    converted_count: countOf('converted'),
    converting_count: countOf('converting'),
    pending_count: countOf('pending'),
    failed_count: countOf('failed'),
    converted_files: files
      .filter((file) => file.status === 'converted')
      .map(({ id, converted_filename, converted_size, file_type }) => ({
        evidence_id: id,
        converted_filename: converted_filename ?? '',
        file_size: converted_size ?? 0,
        file_type,
      })),
  }
}

/**
 * The conversion of one file: status, progress in percent and the reason of a failure. 404 outside the
 * caller's scope.
 */
export async function readConversionState(ctx: Ctx, evidence_id: number): Promise<ConversionState> {
  const { file } = await visibleFile(ctx, evidence_id)
  return {
    evidence_id,
    status: file.status,
    progress: file.progress,
    error: file.status === 'failed' ? file.error : null,
    attempts: file.attempt,
    started_at: file.started_at?.toISOString() ?? null,
    finished_at: file.finished_at?.toISOString() ?? null,
  }
}
