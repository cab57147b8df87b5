import {
  changeBrand,
  importBrands,
  listBrands,
  openBrand,
  readBrandUse,
} from '@garantia/server/features/catalogue/brands'
import { changeOrder, openOrder } from '@garantia/server/features/orders/order'
import { brandFile, brandFileOf } from '@garantia/shared/brands/file'
import { NEW_BRAND_RULES } from '@garantia/shared/brands/schema'
import { afterAll, expect, test } from 'vitest'
import { startTestApp } from '../support/test-app.ts'

const testApp = await startTestApp()
afterAll(() => testApp[Symbol.asyncDispose]())
const { ctx } = await testApp.as(await testApp.make.user({ role: 'admin', full_name: 'Ana Admin' }))

const eventsOf = (id: number) =>
  ctx.db
    .selectFrom('events')
    .where('subject', '=', 'brand')
    .where('subject_id', '=', id)
    .select(['kind', 'changes'])
    .orderBy('id')
    .execute()

test('a new brand has sample values, or the rules of another one, to be confirmed (D-65)', async () => {
  const plain = await openBrand(ctx, { display_name: 'Peugeot', slug: 'peugeot' })
  expect(plain).toMatchObject({
    ...NEW_BRAND_RULES,
    display_name: 'Peugeot',
    is_active: true,
    is_sample: true,
  })
  const { id: copy_from } = await testApp.make.brand({
    max_file_size_mb: 77,
    naming_template: '{chassi8}_{seq2}',
    required_categories: JSON.stringify([{ category: 'placa', min: 2 }]),
    completion_policy: 'bloquear',
    keep_gps: true,
  })
  const copy = await openBrand(ctx, { display_name: 'Citroën', slug: 'citroen', copy_from })
  expect(copy).toMatchObject({
    display_name: 'Citroën',
    slug: 'citroen',
    max_file_size_mb: 77,
    naming_template: '{chassi8}_{seq2}',
    required_categories: [{ category: 'placa', min: 2 }],
    completion_policy: 'bloquear',
    keep_gps: true,
    is_sample: true,
    version: 1,
  })
  expect(await eventsOf(copy.id)).toEqual([
    { kind: 'created', changes: { slug: 'citroen', display_name: 'Citroën', copy_from } },
  ])
  await expect(openBrand(ctx, { display_name: 'Outra', slug: 'citroen' })).rejects.toMatchObject({
    code: 'conflict',
    detail: 'Já existe uma marca com o código citroen.',
  })
  await expect(openBrand(ctx, { display_name: 'X', slug: 'x', copy_from: 999_999 })).rejects.toMatchObject({
    code: 'invalid',
  })
})

test('a brand that is switched off takes no new orders, and its open ones go on (D-65)', async () => {
  const brand = await testApp.make.brand()
  const open = await testApp.make.order({ brand_id: brand.id })
  await testApp.make.order({ brand_id: brand.id, status: 'in_analysis' })
  await testApp.make.order({ brand_id: brand.id, status: 'completed' })
  expect(await readBrandUse(ctx, brand.id)).toEqual({ open_orders: 2 })

  const other = await testApp.make.company()
  await changeBrand(ctx, { id: brand.id, change: { is_active: false } })
  await expect(
    openOrder(ctx, { os_number: '700001', brand_id: brand.id, company_id: other.id }),
  ).rejects.toMatchObject({ code: 'invalid' })
  const moved = await changeOrder(ctx, { id: open.id, change: { company_id: other.id, diagnosis: 'Bomba' } })
  expect(moved).toMatchObject({ brand_id: brand.id, company_id: other.id, diagnosis: 'Bomba' })
  const elsewhere = await testApp.make.order()
  await expect(changeOrder(ctx, { id: elsewhere.id, change: { brand_id: brand.id } })).rejects.toMatchObject({
    code: 'invalid',
  })

  await changeBrand(ctx, { id: brand.id, change: { is_active: true } })
  await openOrder(ctx, { os_number: '700001', brand_id: brand.id, company_id: other.id })
  expect(await readBrandUse(ctx, brand.id)).toEqual({ open_orders: 3 })
})

test('a file of rules says first what it would change, then changes it once (D-65)', async () => {
  const before = await testApp.make.brand({ slug: 'kia', display_name: 'Kia', is_active: false })
  const same = await testApp.make.brand({ slug: 'gwm' })
  const { data } = await listBrands(ctx)
  const file = brandFileOf(data.filter(({ id }) => id === before.id || id === same.id))
  for (const brand of file.brands)
    if (brand.code === 'kia') Object.assign(brand, { display_name: 'Kia Motors', max_video_count: 5 })
  const [first] = file.brands
  if (!first) throw new Error('unreachable')
  file.brands.push({ ...first, code: 'jac', display_name: 'JAC' })
  const given = brandFile.parse(file)

  const dry = await importBrands(ctx, { dry_run: true, file: given })
  const outcomes = dry.lines.map(({ code, outcome }) => [code, outcome])
  expect(Object.fromEntries(outcomes)).toEqual({ kia: 'changed', gwm: 'same', jac: 'created' })
  expect(dry.lines.find(({ code }) => code === 'kia')?.changes).toEqual({
    display_name: ['Kia', 'Kia Motors'],
    max_video_count: [2, 5],
  })
  expect((await listBrands(ctx)).count).toBe(data.length)
  expect(await eventsOf(before.id)).toEqual([])

  const done = await importBrands(ctx, { dry_run: false, file: given })
  expect(done.lines).toEqual(dry.lines)
  const now = (await listBrands(ctx)).data
  expect(now.find(({ slug }) => slug === 'kia')).toMatchObject({
    display_name: 'Kia Motors',
    max_video_count: 5,
    is_active: false,
    version: 2,
  })
  expect(now.find(({ slug }) => slug === 'jac')).toMatchObject({ display_name: 'JAC', is_active: true })
  expect((await eventsOf(before.id)).map(({ kind }) => kind)).toEqual(['changed'])
  expect((await eventsOf(same.id)).length).toBe(0)

  const again = await importBrands(ctx, { dry_run: false, file: given })
  expect(new Set(again.lines.map(({ outcome }) => outcome))).toEqual(new Set(['same']))
})

test('only administrators add brands and read what switching one off would leave', async () => {
  const manager = (await testApp.as(await testApp.make.user({ role: 'manager' }))).ctx
  const { id } = await testApp.make.brand()
  const file = brandFile.parse(brandFileOf((await listBrands(ctx)).data))
  for (const refused of [
    () => openBrand(manager, { display_name: 'X', slug: 'x' }),
    () => importBrands(manager, { dry_run: true, file }),
    () => readBrandUse(manager, id),
  ])
    await expect((async () => refused())()).rejects.toMatchObject({ code: 'forbidden' })
})
