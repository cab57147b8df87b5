import type { Brands } from '@garantia/migrations/schema'
import { namingExample } from '@garantia/shared/brands/naming'
import { type BrandChange, type BrandView, requiredCategory } from '@garantia/shared/brands/schema'
import { missingAddress } from '@garantia/shared/claims/brand-rules'
import { FIRST_BEGINNINGS, NO_WINDOWS } from '@garantia/shared/claims/deadlines'
import { invalid, notFound } from '@garantia/shared/errors'
import type { Selectable } from 'kysely'
import { z } from 'zod'
import { type Ctx, enqueue } from '../../../kernel/context.ts'
import { recordEvent } from '../../../kernel/events.ts'

const MISSING = 'Marca não encontrada'

export type BrandRow = Omit<Selectable<Brands>, 'required_categories'> &
  Pick<BrandView, 'required_categories'>

/** A query for a brand's row, to which its reader may add columns. */
export const brandRow = (ctx: Ctx, id: number) => ctx.db.selectFrom('brands').where('id', '=', id).selectAll()
/** The brand that such a query has found. 404 when it found none. */
export function brandFrom<Row extends Selectable<Brands>>(row: Row | undefined) {
  if (!row) throw notFound(MISSING)
  return { ...row, required_categories: requirements.parse(row.required_categories) }
}
/** The brand's row, for use cases of other features; no permission is checked. 404 when it does not exist. */
export const findBrand = async (ctx: Ctx, id: number): Promise<BrandRow> =>
  brandFrom(await brandRow(ctx, id).executeTakeFirst())
const requirements = z.array(requiredCategory)

/**
 * Writes a change of a brand with its event, and queues the check of its open orders and, when a window of claims has
 * changed, of what is due. 422 when claims would be sent by mail without an address.
 */
export async function changeRow(ctx: Ctx, before: BrandRow, change: BrandChange, changes: object) {
  const { id } = before
  const refusal = missingAddress({
    submission_channel: change.submission_channel ?? before.submission_channel,
    submission_email:
      change.submission_email === undefined ? before.submission_email : change.submission_email,
  })
  if (refusal) throw invalid(refusal, 'submission_email')
  const { required_categories: required, ...columns } = change
  await ctx.db
    .updateTable('brands')
    .set((eb) => ({
      ...columns,
      ...(required && { required_categories: JSON.stringify(required) }),
      version: eb('version', '+', 1),
      updated_at: ctx.clock(),
    }))
    .where('id', '=', id)
    .execute()
  await recordEvent(ctx, { subject: 'brand', subject_id: id, kind: 'changed', changes: { ...changes } })
  await enqueue(ctx, 'recheck-orders', { brand_id: id }, { key: `recheck:${id}` })
  if (Object.keys({ ...NO_WINDOWS, ...FIRST_BEGINNINGS }).some((rule) => rule in changes))
    await enqueue(ctx, 'note-due-of-brand', { brand_id: id }, { key: `due-of-brand:${id}` })
}

/** The row as callers get it. */
export const present = (row: Selectable<Brands>): BrandView => ({
  id: row.id,
  slug: row.slug,
  display_name: row.display_name,
  is_active: row.is_active,
  max_file_size_mb: row.max_file_size_mb,
  max_video_count: row.max_video_count,
  max_evidence_count: row.max_evidence_count,
  max_powerpoint_size_mb: row.max_powerpoint_size_mb,
  accepted_video_formats: row.accepted_video_formats,
  accepted_image_formats: row.accepted_image_formats,
  naming_template: row.naming_template,
  naming_example: namingExample(row.naming_template, row.display_name),
  processing_time_seconds: row.processing_time_seconds,
  storage_retention_months: row.storage_retention_months,
  submission_system: row.submission_system,
  submission_url: row.submission_url,
  max_video_seconds: row.max_video_seconds,
  image_max_px: row.image_max_px,
  keep_gps: row.keep_gps,
  auto_convert: row.auto_convert,
  completion_policy: row.completion_policy,
  version: row.version,
  required_categories: requirements.parse(row.required_categories),
  is_sample: row.is_sample,
  claim_send_days: row.claim_send_days,
  claim_return_days: row.claim_return_days,
  claim_appeal_days: row.claim_appeal_days,
  claim_part_days: row.claim_part_days,
  claim_answer_days: row.claim_answer_days,
  claim_credit_days: row.claim_credit_days,
  claim_appeal_from: row.claim_appeal_from as BrandView['claim_appeal_from'],
  claim_part_from: row.claim_part_from as BrandView['claim_part_from'],
  payment_tolerance: row.payment_tolerance,
  submission_channel: row.submission_channel as BrandView['submission_channel'],
  submission_email: row.submission_email,
  submission_fields: row.submission_fields as BrandView['submission_fields'],
})
