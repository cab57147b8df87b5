import { AppError, breaksRule } from '@garantia/shared/errors'
import type { ConversionReport, ConversionState } from '@garantia/shared/evidence/schema'
import { counted } from '@garantia/shared/format'
import { authorize } from '@garantia/shared/policy'
import type { Ctx } from '../../kernel/context.ts'
import { type EvidenceRow, liveFiles, visibleFile } from '../evidence/service.ts'
import { visibleOrder } from '../orders/service.ts'
import { queue } from './queue.ts'

export { type QueuedJob, queuedJobs } from './queries.ts'
export { turnPhoto } from './turning.ts'

/** Puts one file in the queue. */
export async function requestConversion(ctx: Ctx, evidence_id: number, force = false) {
  const { file, order } = await visibleFile(ctx, evidence_id)
  authorize(ctx.actor, 'evidence.convert', order)
  const queued = await queue(ctx, order.id, force, (candidate) => candidate.id === file.id)
  if (queued === 0 && file.status === 'converted') throw breaksRule('Este arquivo já foi convertido.')
  return { message: 'Conversão iniciada', evidence_id, status: 'converting' as const }
}

/** Puts every file that is not converted in the queue; with `force`, the converted ones too. */
export async function requestAll(ctx: Ctx, order_id: number, force = false) {
  const order = await visibleOrder(ctx, order_id)
  authorize(ctx.actor, 'evidence.convert', order)
  const total_files = await queue(ctx, order_id, force, () => true)
  return {
    message:
      total_files === 0
        ? 'Nenhum arquivo para converter'
        : `Conversão em lote iniciada: ${counted(total_files, 'arquivo', 'arquivos')}`,
    total_files,
  }
}

/** For a brand that converts after each upload (D-20): queues what nobody has tried yet, if it still may. */
export async function convertUploads(ctx: Ctx, order_id: number) {
  return queue(ctx, order_id, false, (file) => file.status === 'pending').catch((error: unknown) => {
    // Closed or deleted since the upload: there is nothing left to do.
    if (error instanceof AppError && (error.code === 'conflict' || error.code === 'not_found')) return 0
    throw error
  })
}

export async function readConversionReport(ctx: Ctx, order_id: number): Promise<ConversionReport> {
  const order = await visibleOrder(ctx, order_id)
  authorize(ctx.actor, 'evidence.read', order)
  const files = await liveFiles(ctx, order_id)
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

/** Queues every failed file again, order by order; closed orders are left alone. */
export async function retryFailed(ctx: Ctx) {
  const failed = await ctx.db
    .selectFrom('evidence_files')
    .innerJoin('service_orders', 'service_orders.id', 'evidence_files.order_id')
    .where('evidence_files.status', '=', 'failed')
    .where('evidence_files.deleted_at', 'is', null)
    .where('service_orders.deleted_at', 'is', null)
    .where('service_orders.status', 'not in', ['completed', 'cancelled'])
    .select('evidence_files.order_id')
    .distinct()
    .execute()
  let total_files = 0
  for (const { order_id } of failed)
    total_files += await queue(ctx, order_id, false, (file) => file.status === 'failed')
  return { orders: failed.length, total_files }
}

/** Orders that bear a number; two companies may each have one. */
export const ordersNumbered = (ctx: Ctx, os_number: string) =>
  ctx.db
    .selectFrom('service_orders')
    .innerJoin('companies', 'companies.id', 'service_orders.company_id')
    .where('os_number', '=', os_number)
    .where('deleted_at', 'is', null)
    .select(['service_orders.id', 'service_orders.company_id', 'companies.trading_name'])
    .orderBy('service_orders.id')
    .execute()
