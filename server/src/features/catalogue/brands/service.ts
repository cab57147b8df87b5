import type { BrandEdit, BrandUse, BrandView, EvidenceRules } from '@garantia/shared/brands/schema'
import { conflict } from '@garantia/shared/errors'
import { counted, dateTime } from '@garantia/shared/format'
import { authorize, hasNoCompany } from '@garantia/shared/policy'
import { sql } from 'kysely'
import { type Ctx, inTransaction } from '../../../kernel/context.ts'
import { differences, recordEvent } from '../../../kernel/events.ts'
import { listCompaniesOfBrand } from '../companies/service.ts'
import { type BrandRow, changeRow, findBrand, present } from './brand-row.ts'
import { SAMPLE_BRANDS, SAMPLE_FILIAL, SAMPLE_MATRIZ } from './samples.ts'

export { type BrandRow, brandFrom, brandRow, findBrand } from './brand-row.ts'
export { importBrands, openBrand } from './opening.ts'

/** All brands by name, inactive ones too; without addresses for people of no company. Refuses an anonymous caller with 401. */
export async function listBrands(ctx: Ctx) {
  authorize(ctx.actor, 'brand.read')
  const rows = await ctx.db
    .selectFrom('brands')
    .selectAll()
    .orderBy(sql`lower(display_name)`)
    .orderBy('id')
    .execute()
  return { data: rows.map((row) => shownTo(ctx, present(row))), count: rows.length }
}

/** A brand, without addresses for people of no company. 401 when anonymous; 404 when it does not exist. */
export async function readBrand(ctx: Ctx, id: number): Promise<BrandView> {
  authorize(ctx.actor, 'brand.read')
  return shownTo(ctx, present(await findBrand(ctx, id)))
}

/** Whoever signed up alone learns no addresses of the brand's analysts. */
const shownTo = ({ actor }: Ctx, brand: BrandView): BrandView =>
  hasNoCompany(actor)
    ? { ...brand, submission_system: null, submission_url: null, submission_email: null }
    : brand

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
    if (changes) await changeRow(ctx, before, change, changes)
    return readBrand(ctx, id)
  })
}

/**
 * How many orders of the brand are neither completed nor cancelled, in all companies. 403 without permission;
 * 404 when the brand does not exist.
 */
export async function readBrandUse(ctx: Ctx, id: number): Promise<BrandUse> {
  authorize(ctx.actor, 'brand.change')
  await findBrand(ctx, id)
  const { rows } = await sql<BrandUse>`
    select coalesce(sum(orders), 0)::bigint as open_orders from order_counts
    where brand_id = ${id} and status not in ('completed', 'cancelled')`.execute(ctx.db)
  return rows[0] ?? { open_orders: 0 }
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
