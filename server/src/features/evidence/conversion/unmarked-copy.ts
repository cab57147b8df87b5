import { IMAGE_LONG_SIDE } from '@garantia/shared/evidence/budget'
import { FORMATS, type FormatName, formatOfExtension } from '@garantia/shared/evidence/formats'
import type { Ctx } from '../../../kernel/context.ts'
import { type BrandRow, findBrand } from '../../catalogue/brands/service.ts'
import { lockedOrder, recompute } from '../../orders/order/service.ts'
import { type EvidenceRow, nameInPackage } from '../files/service.ts'
import { fitsPackage } from './fits-package.ts'
import { startReencodePass } from './re-encode.ts'

/** Keeps a photo's copy before its first mark replaces it. One from before the photo was turned is not worth it. */
export async function keepUnmarkedCopy(ctx: Ctx, file: EvidenceRow) {
  const { converted_key, converted_format, converted_size, converted_sha256, converted_crc32 } = file
  if (file.is_copy_outdated || !converted_key || !converted_format || !converted_size) return
  if (converted_sha256 === null || converted_crc32 === null) return
  const { brand_id } = await lockedOrder(ctx, file.order_id)
  const { keep_gps } = await findBrand(ctx, brand_id)
  await ctx.db
    .insertInto('unmarked_copies')
    .values({
      evidence_id: file.id,
      key: converted_key,
      format: converted_format,
      size: converted_size,
      sha256: converted_sha256,
      crc32: converted_crc32,
      width: file.width,
      height: file.height,
      is_over_compressed: file.is_over_compressed === true,
      rotation: file.rotation,
      has_location: keep_gps && file.has_location !== false,
    })
    .execute()
}

/** Storage key of the copy that is kept for a marked photo. */
export const unmarkedKey = async (ctx: Ctx, evidence_id: number) =>
  (
    await ctx.db
      .selectFrom('unmarked_copies')
      .where('evidence_id', '=', evidence_id)
      .select('key')
      .executeTakeFirst()
  )?.key

/**
 * Makes the kept copy the file's copy again, where it is still turned as the photo is and the brand still accepts it;
 * else it is not kept any longer. `replaced` are the storage keys to remove after the commit.
 */
export async function restoreUnmarkedCopy(ctx: Ctx, before: EvidenceRow) {
  const kept = await ctx.db
    .deleteFrom('unmarked_copies')
    .where('evidence_id', '=', before.id)
    .returningAll()
    .executeTakeFirst()
  if (!kept) return { is_restored: false, replaced: [] }
  const order = await lockedOrder(ctx, before.order_id)
  const brand = await findBrand(ctx, order.brand_id)
  const isAccepted =
    kept.rotation === before.rotation &&
    isStillWanted(kept, brand) &&
    (await fitsPackage(ctx, brand, before, kept.size))
  // One that is the file's copy still is replaced by the conversion.
  if (!isAccepted)
    return { is_restored: false, replaced: kept.key === before.converted_key ? [] : [kept.key] }
  const { ext } = FORMATS[kept.format as FormatName]
  const known = { order, brand }
  await ctx.db
    .updateTable('evidence_files')
    .set({
      status: 'converted',
      progress: 100,
      error: null,
      attempt: before.attempt + 1,
      converted_filename: await nameInPackage(ctx, known, before, ext),
      converted_key: kept.key,
      converted_format: kept.format,
      converted_size: kept.size,
      converted_sha256: kept.sha256,
      converted_crc32: kept.crc32,
      is_over_compressed: kept.is_over_compressed,
      is_copy_outdated: false,
      width: kept.width,
      height: kept.height,
      finished_at: ctx.clock(),
      lease_until: null,
      budget_bytes: null,
    })
    .where('id', '=', before.id)
    .execute()
  await startReencodePass(ctx, order)
  await recompute(ctx, order.id, known)
  // Before the first marked copy is made, it is the file's copy still.
  const { converted_key } = before
  return { is_restored: true, replaced: converted_key && converted_key !== kept.key ? [converted_key] : [] }
}

interface KeptCopy {
  format: string
  width: number | null
  height: number | null
  has_location: boolean
}
/** Whether a conversion now could have made this copy: JPEG is what every brand takes. */
const isStillWanted = (
  { format, width, height, has_location }: KeptCopy,
  { accepted_image_formats, image_max_px, keep_gps }: BrandRow,
) =>
  (keep_gps || !has_location) &&
  (format === 'jpeg' || accepted_image_formats.some((accepted) => formatOfExtension(accepted) === format)) &&
  Math.max(width ?? 0, height ?? 0) <= (image_max_px ?? IMAGE_LONG_SIDE)
