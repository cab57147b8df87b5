import {
  initializeBrands,
  listBrands,
  readBrand,
  readBrandCompanies,
  readEvidenceRules,
} from '@garantia/server/features/catalogue/brands'
import { brandList, evidenceRules } from '@garantia/shared/brands/schema'
import { expect, test } from 'vitest'
import { startTestApp } from '../support/test-app.ts'

const superuser = async (testApp: Awaited<ReturnType<typeof startTestApp>>) =>
  (await testApp.as(await testApp.make.user({ is_superuser: true }))).ctx

test('initialising twice creates the sample brands and companies once (D-32, API-39, BRD-11)', async () => {
  await using testApp = await startTestApp()
  const ctx = await superuser(testApp)
  const first = await initializeBrands(ctx)
  expect(first.brands_created).toBeGreaterThanOrEqual(10)
  expect(first.companies_created).toBe(2)
  expect(first.message).toBe(`${first.brands_created} marcas criadas, 2 empresas criadas`)
  expect(await initializeBrands(ctx)).toMatchObject({ brands_created: 0, companies_created: 0 })

  const brands = brandList.parse(await listBrands(ctx))
  expect(brands.count).toBe(first.brands_created)
  expect(brands.data.every(({ naming_example }) => /^[A-Za-z0-9._-]+\.jpg$/.test(naming_example))).toBe(true)
  for (const { id } of brands.data) {
    evidenceRules.parse(await readEvidenceRules(ctx, id))
    expect((await readBrandCompanies(ctx, id)).count).toBe(2)
  }
})

test('whoever signed up alone learns no address of a brand, and a person of a company does', async () => {
  await using testApp = await startTestApp()
  const addresses = {
    submission_system: 'Portal',
    submission_url: 'https://portal.example',
    submission_email: 'analista@fabrica.example',
  }
  const { id } = await testApp.make.brand(addresses)
  const company = await testApp.make.company()
  const technician = (company_id: number | null) => testApp.make.user({ role: 'technician', company_id })
  const alone = (await testApp.as(await technician(null))).ctx
  const inside = (await testApp.as(await technician(company.id))).ctx
  const none = { submission_system: null, submission_url: null, submission_email: null }
  expect((await listBrands(alone)).data).toMatchObject([none])
  expect(await readBrand(alone, id)).toMatchObject(none)
  expect((await listBrands(inside)).data).toMatchObject([addresses])
  expect(await readBrand(inside, id)).toMatchObject(addresses)
})

test('initialising eight times concurrently creates everything once (D-32)', async () => {
  await using testApp = await startTestApp()
  const ctx = await superuser(testApp)
  const answers = await Promise.all(Array.from({ length: 8 }, () => initializeBrands(ctx)))
  const created = answers.filter(({ brands_created }) => brands_created > 0)
  expect(created).toHaveLength(1)
  expect((await listBrands(ctx)).count).toBe(created[0]?.brands_created)
  const { companies } = await testApp.kernel.ctx.db
    .selectFrom('companies')
    .select((eb) => eb.fn.countAll<number>().as('companies'))
    .executeTakeFirstOrThrow()
  expect(companies).toBe(2)
})

test('initialising an installation that has companies adds none (D-32)', async () => {
  await using testApp = await startTestApp()
  await testApp.make.company()
  expect(await initializeBrands(await superuser(testApp))).toMatchObject({ companies_created: 0 })
})

test("a brand's companies are the active ones that serve it, within the caller's scope (D-32, D-39)", async () => {
  await using testApp = await startTestApp()
  const { db } = testApp.kernel.ctx
  const [brand, other] = [await testApp.make.brand(), await testApp.make.brand()]
  const serving = await testApp.make.company({ trading_name: 'A que atende' })
  const everything = await testApp.make.company({ trading_name: 'B sem vínculo' })
  const otherBrandCompany = await testApp.make.company({ trading_name: 'C de outra marca' })
  const inactive = await testApp.make.company({ trading_name: 'D inativa', is_active: false })
  await db
    .insertInto('brand_companies')
    .values([
      { brand_id: brand.id, company_id: serving.id },
      { brand_id: other.id, company_id: otherBrandCompany.id },
      { brand_id: brand.id, company_id: inactive.id },
    ])
    .execute()
  const namesFor = async (user: object) => {
    const { ctx } = await testApp.as(await testApp.make.user(user))
    return (await readBrandCompanies(ctx, brand.id)).data.map(({ id }) => id)
  }
  expect(await namesFor({ is_superuser: true })).toEqual([serving.id, everything.id])
  expect(await namesFor({ company_id: everything.id })).toEqual([everything.id])
  expect(await namesFor({ company_id: otherBrandCompany.id })).toEqual([])
  expect(await namesFor({ company_id: null })).toEqual([])
  const { ctx } = await testApp.as(await testApp.make.user({ is_superuser: true }))
  await expect(readBrandCompanies(ctx, 999_999)).rejects.toMatchObject({
    code: 'not_found',
    detail: 'Marca não encontrada',
  })
})
