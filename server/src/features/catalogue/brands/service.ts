import type { Brands } from '@garantia/migrations/schema'
import { namingExample } from '@garantia/shared/brands/naming'
import {
  type BrandEdit,
  type BrandView,
  type EvidenceRules,
  requiredCategory,
} from '@garantia/shared/brands/schema'
import { conflict, notFound } from '@garantia/shared/errors'
import { counted, dateTime } from '@garantia/shared/format'
import { authorize } from '@garantia/shared/policy'
import { type Selectable, sql } from 'kysely'
import { z } from 'zod'
import { type Ctx, enqueue, inTransaction } from '../../../kernel/context.ts'
import { differences, recordEvent } from '../../../kernel/events.ts'
import { listCompaniesOfBrand } from '../companies/service.ts'
import { SAMPLE_BRANDS, SAMPLE_FILIAL, SAMPLE_MATRIZ } from './samples.ts'

const MISSING = 'Marca não encontrada'

/** All brands by name, inactive ones too. Refuses an anonymous caller with 401. */
export async function listBrands(ctx: Ctx) {
  authorize(ctx.actor, 'brand.read')
  const rows = await ctx.db
    .selectFrom('brands')
    .selectAll()
    .orderBy(sql`lower(display_name)`)
    .orderBy('id')
    .execute()
  return { data: rows.map(present), count: rows.length }
}

/** A brand. 401 when anonymous; 404 when it does not exist. */
export async function readBrand(ctx: Ctx, id: number): Promise<BrandView> {
  authorize(ctx.actor, 'brand.read')
  return present(await findBrand(ctx, id))
}

/** The rules for evidence of a brand; the size limit is in MB. 404 when the brand does not exist. */
export async function readEvidenceRules(ctx: Ctx, id: number): Promise<EvidenceRules> {
  const brand = await readBrand(ctx, id)
  return {
    max_file_size_mb: brand.max_file_size_mb,
    max_video_count: brand.max_video_count,
    max_evidence_count: brand.max_evidence_count,
    accepted_video_formats: brand.accepted_video_formats,
    accepted_image_formats: brand.accepted_image_formats,
    required_categories: brand.required_categories,
  }
}

/**
 * Active companies in the caller's scope that serve the brand, at most 100. 404 when the brand does not
 * exist.
 */
export async function readBrandCompanies(ctx: Ctx, id: number) {
  await readBrand(ctx, id)
  return listCompaniesOfBrand(ctx, id)
}

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
 * Changes the rules of a brand (D-33) and queues a check of its open orders: there may be thousands, and each
 * is locked separately. 403 without permission; 404 when it does not exist; 409 when `version` is outdated,
 * naming the last editor.
 */
export function changeBrand(ctx: Ctx, { id, version, change }: BrandEdit): Promise<BrandView> {
  authorize(ctx.actor, 'brand.change')
  return inTransaction(ctx, async (ctx) => {
    await ctx.db.selectFrom('brands').where('id', '=', id).select('id').forUpdate().execute()
    const before = await findBrand(ctx, id)
    if (version !== undefined && version !== before.version) throw await changedMeanwhile(ctx, before)
    const changes = differences<object>(before, change)
    if (changes) {
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
      await recordEvent(ctx, { subject: 'brand', subject_id: id, kind: 'changed', changes })
      await enqueue(ctx, 'recheck-orders', { brand_id: id }, { key: `recheck:${id}` })
    }
    return readBrand(ctx, id)
  })
}

async function changedMeanwhile(ctx: Ctx, { id, display_name, updated_at }: BrandRow) {
  const last = await ctx.db
    .selectFrom('events')
    .where('subject', '=', 'brand')
    .where('subject_id', '=', id)
    .select(['actor_name', 'at'])
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  const at = dateTime(last?.at ?? updated_at).slice(-5)
  return conflict(`A marca ${display_name} foi alterada por ${last?.actor_name ?? 'outra pessoa'} às ${at}.`)
}

/**
 * Creates the missing sample brands and, when there is no company, two sample companies; returns the counts.
 * Safe to call repeatedly and concurrently. 403 without permission.
 */
export function initializeBrands(ctx: Ctx) {
  authorize(ctx.actor, 'brand.initialize')
  return inTransaction(ctx, async (ctx) => {
    await sql`lock table brands, companies in share row exclusive mode`.execute(ctx.db)
    const brands = await ctx.db
      .insertInto('brands')
      .values(
        SAMPLE_BRANDS.map(({ required, ...brand }) => ({
          ...brand,
          required_categories: JSON.stringify(
            Object.entries(required).map(([category, min]) => ({ category, min })),
          ),
          is_sample: true,
        })),
      )
      .onConflict((conflict) => conflict.column('slug').doNothing())
      .returning('id')
      .execute()
    for (const { id } of brands)
      await recordEvent(ctx, {
        subject: 'brand',
        subject_id: id,
        kind: 'created',
        changes: { is_sample: true },
      })
    const companies_created = await createSampleCompanies(ctx)
    return {
      message: `${counted(brands.length, 'marca criada', 'marcas criadas')}, ${counted(companies_created, 'empresa criada', 'empresas criadas')}`,
      brands_created: brands.length,
      companies_created,
    }
  })
}

/** CNPJs of the sample companies, which no real company has. */
export const SAMPLE_TAX_IDS = [SAMPLE_MATRIZ.tax_id, SAMPLE_FILIAL.tax_id]

async function createSampleCompanies(ctx: Ctx) {
  const any = await ctx.db.selectFrom('companies').select('id').limit(1).executeTakeFirst()
  if (any) return 0
  const matriz = await ctx.db
    .insertInto('companies')
    .values({ ...SAMPLE_MATRIZ, type: 'matriz' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const filial = await ctx.db
    .insertInto('companies')
    .values({ ...SAMPLE_FILIAL, type: 'filial', parent_id: matriz.id })
    .returning('id')
    .executeTakeFirstOrThrow()
  await sql`insert into brand_companies (brand_id, company_id)
    select b.id, c.id from brands b cross join companies c`.execute(ctx.db)
  for (const { id } of [matriz, filial])
    await recordEvent(ctx, { subject: 'company', subject_id: id, kind: 'created' })
  return 2
}

const present = (row: Selectable<Brands>): BrandView => ({
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
})
