import type { BrandImport, BrandImportResult } from '@garantia/shared/brands/file'
import {
  type BrandChange,
  type BrandInput,
  type BrandView,
  NEW_BRAND_RULES,
} from '@garantia/shared/brands/schema'
import { missingAddress, NEW_CLAIM_RULES } from '@garantia/shared/claims/brand-rules'
import { conflict, invalid } from '@garantia/shared/errors'
import { authorize } from '@garantia/shared/policy'
import { type Ctx, inTransaction } from '../../../kernel/context.ts'
import { violatedIndex } from '../../../kernel/database.ts'
import { differences, recordEvent } from '../../../kernel/events.ts'
import { type BrandRow, brandFrom, changeRow, findBrand, present } from './brand-row.ts'

/**
 * Adds a brand, with the rules of another one or with sample values; both are marked as to be confirmed with
 * the manufacturer. 403 without permission; 409 when the code is taken; 422 when the other does not exist.
 */
export function openBrand(ctx: Ctx, { display_name, slug, copy_from }: BrandInput): Promise<BrandView> {
  authorize(ctx.actor, 'brand.change')
  return inTransaction(ctx, async (ctx) => {
    const id = await insert(ctx, slug, { ...(await rulesFor(ctx, copy_from)), display_name, is_sample: true })
    const changes = { slug, display_name, ...(copy_from && { copy_from }) }
    await recordEvent(ctx, { subject: 'brand', subject_id: id, kind: 'created', changes })
    return present(await findBrand(ctx, id))
  })
}

type Rules = Required<Omit<BrandChange, 'is_active'>>

async function rulesFor(ctx: Ctx, copy_from: number | null | undefined) {
  if (!copy_from) return NEW_BRAND_RULES
  const row = await ctx.db.selectFrom('brands').where('id', '=', copy_from).selectAll().executeTakeFirst()
  if (!row) throw invalid('Marca não encontrada', 'copy_from')
  const brand = brandFrom(row)
  const rules = Object.keys(NEW_BRAND_RULES).map((field) => [field, brand[field as keyof BrandRow]])
  return Object.fromEntries(rules) as Omit<Rules, 'display_name' | 'is_sample'>
}

async function insert(ctx: Ctx, slug: string, { required_categories, ...columns }: ReadonlyRules) {
  const refusal = missingAddress(columns)
  if (refusal) throw invalid(refusal, 'submission_email')
  const { id } = await ctx.db
    .insertInto('brands')
    .values({
      ...columns,
      accepted_video_formats: [...columns.accepted_video_formats],
      accepted_image_formats: [...columns.accepted_image_formats],
      submission_fields: [...columns.submission_fields],
      required_categories: JSON.stringify(required_categories),
      slug,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
    .catch((error: unknown) => {
      if (violatedIndex(error) === 'brands_slug_key')
        throw conflict(`Já existe uma marca com o código ${slug}.`)
      throw error
    })
  return id
}
/** Without the fields that a file leaves out. */
const given = <T extends object>(rules: T) =>
  Object.fromEntries(Object.entries(rules).filter(([, value]) => value !== undefined)) as DefinedOf<T>
type DefinedOf<T> = { [Field in keyof T]: Exclude<T[Field], undefined> }
type ReadonlyRules = { readonly [Field in keyof Rules]: Readonly<Rules[Field]> }

/**
 * Adds and changes brands by a file of rules; a brand of the file is known by its code. Brands that are not
 * in the file, and whether a brand is switched on, stay as they are. With `dry_run` nothing is written, and
 * the answer is the same. 403 without permission; 409 when `versions` are given and one is outdated.
 */
export function importBrands(ctx: Ctx, { dry_run, file, versions }: BrandImport): Promise<BrandImportResult> {
  authorize(ctx.actor, 'brand.change')
  return inTransaction(ctx, async (ctx) => {
    const codes = file.brands.map(({ code }) => code)
    // In one order, as two imports would otherwise wait for each other.
    const rows = await ctx.db
      .selectFrom('brands')
      .where('slug', 'in', codes)
      .orderBy('id')
      .selectAll()
      .$if(!dry_run, (query) => query.forUpdate())
      .execute()
    const known = new Map(rows.map((row) => [row.slug, brandFrom(row)]))
    const lines: BrandImportResult['lines'] = []
    for (const { code, ...rules } of file.brands) {
      const before = known.get(code)
      const changes = before ? differences<object>(before, rules) : rules
      const outcome = before ? (changes ? 'changed' : 'same') : 'created'
      const version = before?.version ?? null
      if (versions && versions[code] !== version)
        throw conflict(`A marca ${rules.display_name} foi alterada depois da conferência. Confira de novo.`)
      lines.push({ code, display_name: rules.display_name, outcome, version, changes: changes ?? {} })
      if (dry_run || !changes) continue
      if (before) await changeRow(ctx, before, rules, changes)
      else
        await recordEvent(ctx, {
          subject: 'brand',
          subject_id: await insert(ctx, code, { ...NEW_CLAIM_RULES, ...given(rules) }),
          kind: 'created',
          changes: { slug: code, display_name: rules.display_name },
        })
    }
    return { dry_run, lines }
  })
}
