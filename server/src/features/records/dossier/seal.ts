import { type Ctx, inTransaction } from '../../../kernel/context.ts'
import { recordEvent } from '../../../kernel/events.ts'
import { lockedOrder } from '../../orders/order/service.ts'
import type { Archive, MadePart } from './archive.ts'
import { type DossierBuild, isGone } from './build-dossier.ts'
import { awaitStamp } from './timestamps.ts'

/**
 * Seals the version once and records its event. False when its order is deleted or another worker has sealed
 * it already; the generated files are then removed.
 */
export async function sealDossier(
  ctx: Ctx,
  { dossier_id, order_id, n, head }: DossierBuild,
  made: readonly MadePart[],
  { manifest, manifest_sha256, contents_sha256, key_id, signature, sealed_at }: Omit<Archive, 'entries'>,
): Promise<boolean> {
  const isSealed = await inTransaction(ctx, async (ctx) => {
    if (await isGone(ctx, order_id)) return false
    await lockedOrder(ctx, order_id)
    const { numUpdatedRows } = await ctx.db
      .updateTable('dossiers')
      .set({
        status: 'sealed',
        progress: 100,
        error: null,
        sealed_at,
        manifest,
        manifest_sha256,
        contents_sha256,
        key_id,
        signature,
        chain_seq: head.seq,
        chain_hash: head.hash,
      })
      .where('id', '=', dossier_id)
      .where('status', '=', 'building')
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return false
    await ctx.db
      .insertInto('dossier_files')
      .values(made.map(({ part, key, size, sha256 }) => ({ dossier_id, part, key, size, sha256 })))
      .execute()
    await awaitStamp(ctx, dossier_id)
    const zip = made.find(({ part }) => part === 'zip')
    await recordEvent(ctx, {
      subject: 'order',
      subject_id: order_id,
      kind: 'dossier.sealed',
      changes: { n, sha256: zip?.sha256, size: zip?.size, manifest_sha256, key_id },
    })
    return true
  })
  if (!isSealed) for (const { key } of made) await ctx.storage.remove(key)
  return isSealed
}
