import type { FormatName } from '@garantia/shared/evidence/formats'
import { bytes } from '@garantia/shared/format'
import { isClosed } from '@garantia/shared/orders/status'
import { type Ctx, inTransaction } from '../../../kernel/context.ts'
import { recordEvent } from '../../../kernel/events.ts'
import { findBrand } from '../../catalogue/brands/service.ts'
import { recompute } from '../../orders/order/service.ts'
import { notify } from '../../people/notifications/service.ts'
import { capturedAt, type MediaFacts, nameInPackage } from '../files/service.ts'
import { fitsPackage } from './fits-package.ts'
import {
  type ConversionLease,
  convertedKey,
  fallbackCopySize,
  hasLease,
  type LockedFile,
  lockOrderAndFile,
} from './leased-file.ts'
import { startReencodePass } from './re-encode.ts'
import { unmarkedKey } from './unmarked-copy.ts'

export interface ConversionResult extends MediaFacts {
  path: string
  size: number
  sha256: string
  crc32: number
  format: FormatName
  ext: string
  /** The quality is lower than it would be with an unlimited budget. */
  is_over_compressed: boolean
}

/**
 * Stores the result as the file's converted copy and replaces the previous one. False, and the result is
 * removed, when the lease is lost, the order is closed, the result does not fit the package (the file then
 * fails), or it is no larger than the fallback copy.
 */
export async function finishConversion(
  ctx: Ctx,
  lease: ConversionLease,
  result: ConversionResult,
): Promise<boolean> {
  const key = convertedKey(lease.folder, lease.attempt)
  await ctx.storage.moveIn(key, result.path)
  const replaced = await inTransaction(ctx, async (ctx) => {
    const found = await lockOrderAndFile(ctx, lease.evidence_id)
    if (!found || isClosed(found.order.status) || !hasLease(found.file, lease.attempt)) return null
    const { file, order } = found
    const copy = fallbackCopySize(file)
    if (copy !== null && result.size <= copy) {
      await restoreFallbackCopy(ctx, found)
      return null
    }
    // Within the file's budget, or what other files leave: the final check of the brand's limit.
    if (result.size > (file.budget_bytes ?? 0) && !(await fitsPackage(ctx, lease.brand, file, result.size))) {
      await failConversion(ctx, file.id, lease.attempt, doesNotFit(result.size))
      return null
    }
    const known = { order, brand: await findBrand(ctx, order.brand_id) }
    const converted_filename = await nameInPackage(ctx, known, file, result.ext)
    await ctx.db
      .updateTable('evidence_files')
      .set({
        status: 'converted',
        progress: 100,
        error: null,
        converted_filename,
        converted_key: key,
        converted_format: result.format,
        converted_size: result.size,
        converted_sha256: result.sha256,
        converted_crc32: result.crc32,
        is_over_compressed: result.is_over_compressed,
        is_copy_outdated: false,
        width: result.width,
        height: result.height,
        duration_seconds: result.duration_seconds,
        pages: result.pages,
        captured_at: capturedAt(result.captured_at),
        finished_at: ctx.clock(),
        lease_until: null,
        budget_bytes: null,
      })
      .where('id', '=', file.id)
      .execute()
    await recordEvent(ctx, {
      subject: 'order',
      subject_id: order.id,
      kind: 'evidence.converted',
      changes: {
        evidence_id: file.id,
        filename: converted_filename,
        sha256: result.sha256,
        size: result.size,
      },
    })
    await startReencodePass(ctx, order)
    await recompute(ctx, order.id, known)
    const kept = await unmarkedKey(ctx, file.id)
    return { before: file.converted_key === kept ? null : file.converted_key }
  })
  if (!replaced) await ctx.storage.remove(key)
  else if (replaced.before) await ctx.storage.remove(replaced.before)
  return replaced !== null
}

const doesNotFit = (size: number) =>
  `Convertido, o arquivo tem ${bytes(size)} e não cabe no que resta do pacote: remova-o ou remova outros arquivos.`

/**
 * Fails a file with a reason the user can read; other files are not affected. In a re-encode pass the
 * fallback copy is kept instead. False when the lease is lost or the fallback copy was kept.
 */
export function failConversion(ctx: Ctx, evidence_id: number, attempt: number, reason: string) {
  return inTransaction(ctx, async (ctx) => {
    const found = await lockOrderAndFile(ctx, evidence_id)
    if (!found || !hasLease(found.file, attempt)) return false
    if (fallbackCopySize(found.file) !== null) {
      ctx.log.info({ evidence_id, reason }, 'segunda conversão sem efeito: fica a primeira cópia')
      await restoreFallbackCopy(ctx, found)
      return false
    }
    await ctx.db
      .updateTable('evidence_files')
      .set({
        status: 'failed',
        error: reason,
        finished_at: ctx.clock(),
        lease_until: null,
        budget_bytes: null,
      })
      .where('id', '=', evidence_id)
      .execute()
    await recordEvent(ctx, {
      subject: 'order',
      subject_id: found.order.id,
      kind: 'evidence.failed',
      changes: { evidence_id, reason },
    })
    const { technician_user_id, responsible_user_id } = found.order
    await notify(ctx, [found.file.uploaded_by, technician_user_id, responsible_user_id], {
      kind: 'evidence.failed',
      order_id: found.order.id,
      text: reason,
    })
    await startReencodePass(ctx, found.order)
    await recompute(ctx, found.order.id, found)
    return true
  })
}

/** Ends a re-encode pass without a better result: the first copy stays as it is. */
export async function restoreFallbackCopy(ctx: Ctx, { file, order }: LockedFile) {
  await ctx.db
    .updateTable('evidence_files')
    .set({
      status: 'converted',
      progress: 100,
      finished_at: ctx.clock(),
      lease_until: null,
      budget_bytes: null,
    })
    .where('id', '=', file.id)
    .execute()
  await startReencodePass(ctx, order)
  await recompute(ctx, order.id, { order })
}
