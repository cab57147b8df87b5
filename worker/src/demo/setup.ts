import { initializeBrands, listBrands } from '@garantia/server/features/catalogue/brands'
import { createCompany } from '@garantia/server/features/catalogue/companies'
import { createUser } from '@garantia/server/features/people/users'
import { beginDemo, findPersonByEmail } from '@garantia/server/features/system/demo'
import { type Ctx, inTransaction } from '@garantia/server/kernel'
import type { BrandView } from '@garantia/shared/brands/schema'
import type { Person } from '@garantia/shared/policy'
import { COLLEAGUES, cnpjOf, DEALERSHIPS } from './people.ts'
import { ORDERS_PLANNED } from './plan.ts'

const FOUNDED_DAYS_AGO = 150
/** R$ that a manager may give up of a claim. */
const WRITE_OFF_LIMIT = 500

/** Marks the database as a demonstration and creates brands, companies and people, in one transaction. */
export function prepare(ctx: Ctx, password: string) {
  return inTransaction(ctx, async (ctx) => {
    const before = await ctx.db.selectFrom('demonstration').selectAll().executeTakeFirst()
    const demo = await beginDemo(ctx, ORDERS_PLANNED)
    if (before) return { ...demo, is_new: false }
    const founded = new Date(demo.started_at.getTime() - FOUNDED_DAYS_AGO * 86_400_000)
    await createEntities({ ...ctx, clock: () => founded }, password)
    return { ...demo, is_new: true }
  })
}

async function createEntities(ctx: Ctx, password: string) {
  const companies = new Map<string, number>()
  for (const { key, parent, root, area, ...dealership } of DEALERSHIPS) {
    const { id } = await createCompany(ctx, {
      ...dealership,
      tax_id: cnpjOf(root),
      type: parent ? 'filial' : 'matriz',
      parent_id: parent ? (companies.get(parent) ?? null) : null,
      phone: `${area}30000000`,
      write_off_limit: WRITE_OFF_LIMIT,
      email: `garantia@${key}.example`,
    })
    companies.set(key, id)
  }
  await initializeBrands(ctx)
  const people = new Map<string, number>()
  for (const { dealership, manager, ...person } of COLLEAGUES) {
    const { id } = await createUser(ctx, {
      ...person,
      company_id: companies.get(dealership) ?? 0,
      manager_id: manager ? (people.get(manager) ?? null) : null,
      department: 'Pós-venda',
      cpf: null,
      phone: null,
      password,
    })
    people.set(person.email, id)
  }
}

/** The people who act in the orders, and the brands of these. */
export interface DemoEntities {
  person(email: string): Person
  brand(slug: string): BrandView
}
export async function loadDemoEntities(ctx: Ctx): Promise<DemoEntities> {
  const people = new Map<string, Person>()
  for (const { email } of COLLEAGUES) people.set(email, await findPersonByEmail(ctx, email))
  const brands = new Map((await listBrands(ctx)).data.map((brand) => [brand.slug, brand]))
  const found = <T>(what: Map<string, T>, key: string): T => {
    const one = what.get(key)
    if (one === undefined) throw new Error(`the demonstration has no ${key}`)
    return one
  }
  return { person: (email) => found(people, email), brand: (slug) => found(brands, slug) }
}
