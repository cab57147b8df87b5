import {
  COMPANY_PAGE_SIZE,
  type CompanyChange,
  type CompanyDetail,
  type CompanyFilter,
  type CompanyInput,
  type CompanyView,
  missingParentMessage,
} from '@garantia/shared/companies/schema'
import { conflict, invalid, notFound } from '@garantia/shared/errors'
import { DEFAULT_LIMIT } from '@garantia/shared/fields'
import { counted } from '@garantia/shared/format'
import { authorize, authorizeSome } from '@garantia/shared/policy'
import { sql } from 'kysely'
import { type Ctx, inTransaction } from '../../../kernel/context.ts'
import { isMissingReference, violatedIndex } from '../../../kernel/database.ts'
import { differences, recordEvent } from '../../../kernel/events.ts'
import { dropLogo, type LogoFile, logoAddress, removeStored, storeLogo } from './logo.ts'
import {
  activeCompanies,
  brandIdsOf,
  countDependents,
  findLogo,
  lockedCompany,
  MISSING,
  matchingCompanies,
  serves,
  VIEW_COLUMNS,
  visibleCompanies,
} from './queries.ts'

export { keptLogos, openSignedLogo } from './logo.ts'
export { findLogo, visibleCompanies } from './queries.ts'

interface Page {
  skip?: number | undefined
  limit?: number | undefined
}

/**
 * A page of the companies in the caller's scope, by name, with their total number. Refuses an anonymous
 * caller with 401.
 */
export async function listCompanies(
  ctx: Ctx,
  { skip = 0, limit = DEFAULT_LIMIT, ...criteria }: CompanyFilter,
) {
  authorize(ctx.actor, 'company.read')
  return page(matchingCompanies(ctx, criteria), skip, limit)
}

/** All companies in the caller's scope by page number, from 1. Refuses an anonymous caller with 401. */
export async function pageCompanies(
  ctx: Ctx,
  { page: number = 1, size = COMPANY_PAGE_SIZE }: { page?: number | undefined; size?: number | undefined },
) {
  authorize(ctx.actor, 'company.read')
  const found = await page(visibleCompanies(ctx), (number - 1) * size, size)
  return { ...found, total: found.count, page: number, size, pages: Math.ceil(found.count / size) }
}

/** A page of the active companies in the caller's scope. Refuses an anonymous caller with 401. */
export async function listActiveCompanies(ctx: Ctx, { skip = 0, limit = DEFAULT_LIMIT }: Page) {
  authorize(ctx.actor, 'company.read')
  return page(activeCompanies(ctx), skip, limit)
}

/**
 * Companies that can be chosen for an order of this brand, at most 100. Refuses an anonymous caller with 401.
 */
export async function listCompaniesOfBrand(ctx: Ctx, brand_id: number) {
  authorize(ctx.actor, 'company.read')
  return page(activeCompanies(ctx).where(serves(brand_id)), 0, DEFAULT_LIMIT)
}

/** An active company in the caller's scope and whether it serves the brand; undefined when there is none. */
export const findCompanyServing = (ctx: Ctx, company_id: number, brand_id: number) =>
  activeCompanies(ctx)
    .where('companies.id', '=', company_id)
    .select(['companies.id', serves(brand_id).as('serves_brand')])
    .executeTakeFirst()

/** Active brands that an active company in the caller's scope serves, for use cases of other features. */
export const listBrandsServedBy = (ctx: Ctx, company_id: number) =>
  activeCompanies(ctx)
    .where('companies.id', '=', company_id)
    .innerJoin('brands', (join) => join.onTrue())
    .where('brands.is_active', '=', true)
    .where(serves(sql.ref('brands.id')))
    .select(['brands.id', 'brands.slug', 'brands.display_name'])
    .execute()

async function page(query: ReturnType<typeof visibleCompanies>, skip: number, limit: number) {
  const [data, { count }] = await Promise.all([
    query
      .select(VIEW_COLUMNS)
      .orderBy(sql`lower(companies.trading_name)`)
      .orderBy('companies.id')
      .offset(skip)
      .limit(limit)
      .execute(),
    query.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow(),
  ])
  return { data, count }
}

/** A company with its brands. 401 when anonymous; 404 outside the caller's scope. */
export async function readCompany(ctx: Ctx, id: number): Promise<CompanyDetail> {
  authorize(ctx.actor, 'company.read')
  const row = await visibleCompanies(ctx)
    .where('companies.id', '=', id)
    .select(VIEW_COLUMNS)
    .executeTakeFirst()
  if (!row) throw notFound(MISSING)
  return { ...row, brand_ids: await brandIdsOf(ctx, id), logo_url: await logoAddress(ctx, id) }
}

/**
 * Creates a company; a matriz never has a parent. 403 without permission; 409 when the CNPJ is taken; 422
 * when the parent is not an active matriz or a brand does not exist.
 */
export function createCompany(ctx: Ctx, { brand_ids, ...input }: CompanyInput): Promise<CompanyDetail> {
  authorize(ctx.actor, 'company.open')
  if (input.write_off_limit) authorize(ctx.actor, 'claim.set-limit')
  const parent_id = input.type === 'matriz' ? null : (input.parent_id ?? null)
  return inTransaction(ctx, async (ctx) => {
    await checkParent(ctx, parent_id)
    const { id } = await ctx.db
      .insertInto('companies')
      .values({ ...input, parent_id })
      .returning('id')
      .executeTakeFirstOrThrow()
      .catch(translateTaken)
    if (brand_ids) await linkBrands(ctx, id, brand_ids)
    await recordEvent(ctx, {
      subject: 'company',
      subject_id: id,
      kind: 'created',
      changes: { tax_id: input.tax_id },
    })
    return readCompany(ctx, id)
  })
}

/**
 * Changes the given fields; `brand_ids` replaces all links. 404 outside the caller's scope; 403 without
 * permission, also for type, CNPJ, parent and the limit of write-offs, which only administrators change, the first
 * three with a recent sign-in; 409 when the CNPJ is taken or
 * a matriz with filiais would become a filial; 422 for an invalid parent or brand.
 */
export async function changeCompany(
  ctx: Ctx,
  id: number,
  { brand_ids, ...change }: CompanyChange,
): Promise<CompanyDetail> {
  authorizeSome(ctx.actor, 'company.change')
  return inTransaction(ctx, async (ctx) => {
    if (change.type !== undefined || change.parent_id !== undefined) await lockCompanyTree(ctx)
    const before = await lockedCompany(ctx, id)
    authorize(ctx.actor, 'company.change', before)
    if (restructures(before, change)) authorize(ctx.actor, 'company.restructure')
    if (differences<object>(before, { write_off_limit: change.write_off_limit }))
      authorize(ctx.actor, 'claim.set-limit')
    const type = change.type ?? before.type
    const parent_id =
      type === 'matriz' ? null : change.parent_id === undefined ? before.parent_id : change.parent_id
    const problem = missingParentMessage({ type, parent_id })
    if (problem) throw invalid(problem, 'parent_id')
    if (parent_id === id) throw invalid('A empresa não pode ser matriz de si mesma', 'parent_id')
    if (type === 'filial' && before.type === 'matriz') {
      const { branches } = await countDependents(ctx, id)
      if (branches > 0)
        throw conflict(`A matriz possui ${counted(branches, 'filial', 'filiais')} e não pode virar filial.`)
    }
    if (parent_id !== before.parent_id) await checkParent(ctx, parent_id)
    const next = { ...change, parent_id }
    const changes = differences<object>(before, next)
    if (changes) {
      await ctx.db
        .updateTable('companies')
        .set((eb) => ({ ...next, version: eb('version', '+', 1), updated_at: ctx.clock() }))
        .where('id', '=', id)
        .execute()
        .catch(translateTaken)
    }
    const brands = brand_ids && (await linkBrands(ctx, id, brand_ids))
    if (changes || brands)
      await recordEvent(ctx, {
        subject: 'company',
        subject_id: id,
        kind: 'changed',
        changes: { ...changes, ...brands },
      })
    return readCompany(ctx, id)
  })
}

/** Replaces the company's logo with a file from the local disk. 404 outside the caller's scope; 403 without permission. */
export async function saveLogo(ctx: Ctx, id: number, file: LogoFile): Promise<CompanyDetail> {
  await storeLogo(ctx, id, file)
  return readCompany(ctx, id)
}

/** Removes the company's logo, if it has one. 404 outside the caller's scope; 403 without permission. */
export async function removeLogo(ctx: Ctx, id: number): Promise<CompanyDetail> {
  await dropLogo(ctx, id)
  return readCompany(ctx, id)
}

const restructures = (before: CompanyView, change: Omit<CompanyChange, 'brand_ids'>) =>
  differences<object>(before, { type: change.type, tax_id: change.tax_id, parent_id: change.parent_id }) !==
  null

/**
 * Deletes a company that nothing references; any other must be deactivated instead (D-17). 404 outside the
 * caller's scope; 403 without permission; 409 when people, filiais or orders reference it.
 */
export async function removeCompany(ctx: Ctx, id: number) {
  const logo = await inTransaction(ctx, async (ctx) => {
    const company = await lockedCompany(ctx, id)
    authorize(ctx.actor, 'company.delete')
    const logo = await findLogo(ctx, id)
    const { users, branches, orders } = await countDependents(ctx, id)
    if (users + branches + orders > 0)
      throw conflict(
        `A empresa possui registros vinculados (${counted(users, 'usuário', 'usuários')}, ${counted(branches, 'filial', 'filiais')}, ${counted(orders, 'OS', 'OS')}). Desative em vez de excluir.`,
      )
    await ctx.db
      .deleteFrom('companies')
      .where('id', '=', id)
      .execute()
      .catch((error: unknown) => {
        // Orders in the bin reference the company until they are purged.
        if (isMissingReference(error))
          throw conflict('A empresa possui registros vinculados. Desative em vez de excluir.')
        throw error
      })
    await recordEvent(ctx, {
      subject: 'company',
      subject_id: id,
      kind: 'deleted',
      changes: { tax_id: company.tax_id },
    })
    return logo
  })
  await removeStored(ctx, logo)
  return { message: 'Empresa excluída com sucesso.' }
}

const TREE_LOCK = 7_201_004

/**
 * Serializes changes of the company tree: two matrizes that become each other's filial at the same time would
 * deadlock.
 */
async function lockCompanyTree(ctx: Ctx) {
  await sql`select pg_advisory_xact_lock(${TREE_LOCK})`.execute(ctx.db)
}

/**
 * A parent must be an active matriz, since the tree has two levels (D-43). Locked, so that it stays one until
 * the commit.
 */
async function checkParent(ctx: Ctx, parent_id: number | null) {
  if (parent_id === null) return
  const parent = await ctx.db
    .selectFrom('companies')
    .where('id', '=', parent_id)
    .select(['type', 'is_active'])
    .forShare()
    .executeTakeFirst()
  if (parent?.type !== 'matriz' || !parent.is_active) throw invalid('Escolha uma matriz ativa', 'parent_id')
}

async function linkBrands(ctx: Ctx, company_id: number, brand_ids: number[]) {
  const [before, after] = [await brandIdsOf(ctx, company_id), [...new Set(brand_ids)].sort((a, b) => a - b)]
  if (JSON.stringify(before) === JSON.stringify(after)) return null
  await ctx.db.deleteFrom('brand_companies').where('company_id', '=', company_id).execute()
  if (after.length > 0)
    await ctx.db
      .insertInto('brand_companies')
      .values(after.map((brand_id) => ({ brand_id, company_id })))
      .execute()
      .catch((error: unknown) => {
        if (isMissingReference(error)) throw invalid('Marca não encontrada', 'brand_ids')
        throw error
      })
  return { brand_ids: [before, after] }
}

function translateTaken(error: unknown): never {
  if (violatedIndex(error) === 'companies_tax_id_key') throw conflict('Já existe uma empresa com este CNPJ.')
  throw error
}
