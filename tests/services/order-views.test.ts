import { listViews, removeView, saveView } from '@garantia/server/features/orders/views'
import { orderFilter } from '@garantia/shared/orders/criteria'
import { BUILT_IN_VIEWS, savedView, viewInput } from '@garantia/shared/orders/views'
import { afterAll, expect, test } from 'vitest'
import { startTestApp } from '../support/test-app.ts'

const testApp = await startTestApp()
afterAll(() => testApp[Symbol.asyncDispose]())

const company = await testApp.make.company()
const ana = await testApp.as(await testApp.make.user({ company_id: company.id, full_name: 'Ana' }))
const bia = await testApp.as(await testApp.make.user({ company_id: company.id, full_name: 'Bia' }))
const otherCompanyUser = await testApp.as(await testApp.make.user())
const lost = await testApp.as(await testApp.make.user({ company_id: null }))
const view = (name: string, is_shared = false, criteria = {}) =>
  viewInput.parse({ name, is_shared, criteria: { status: 'ready', sort: 'opened_at', ...criteria } })
const namesFor = async ({ ctx }: typeof ana) => (await listViews(ctx)).map(({ name }) => name)

test('a user sees the own views, then those shared in the own company', async () => {
  await saveView(ana.ctx, view('Prontas'))
  const shared = await saveView(bia.ctx, view('Da oficina', true))
  expect(await namesFor(ana)).toEqual(['Prontas', 'Da oficina'])
  expect(await namesFor(bia)).toEqual(['Da oficina'])
  expect(await namesFor(otherCompanyUser)).toEqual([])
  expect(await namesFor(lost)).toEqual([])
  expect(savedView.parse((await listViews(ana.ctx))[1])).toEqual({
    id: shared.id,
    name: 'Da oficina',
    is_shared: true,
    is_mine: false,
    owner_name: 'Bia',
    criteria: { status: 'ready', sort: 'opened_at' },
  })
})

test('the same name again replaces the view, whatever its case; two users may use one name', async () => {
  const first = await saveView(ana.ctx, view('Minha'))
  const again = await saveView(ana.ctx, view('MINHA', false, { brand_id: 7 }))
  expect(again).toMatchObject({ id: first.id, name: 'MINHA', criteria: { brand_id: 7 } })
  expect((await saveView(bia.ctx, view('Minha'))).id).not.toBe(first.id)
})

test('only its owner deletes a view', async () => {
  const { id } = await saveView(bia.ctx, view('Some', true))
  await expect(removeView(ana.ctx, id)).rejects.toMatchObject({ code: 'not_found' })
  await removeView(bia.ctx, id)
  expect(await namesFor(bia)).not.toContain('Some')
})

test('without a company a view cannot be shared; the number of views is limited', async () => {
  await expect(saveView(lost.ctx, view('Minha', true))).rejects.toMatchObject({ code: 'invalid' })
  for (let n = 0; n < 50; n++) await saveView(lost.ctx, view(`Vista ${n}`))
  await expect(saveView(lost.ctx, view('Vista 50'))).rejects.toMatchObject({ code: 'rule' })
  await saveView(lost.ctx, view('Vista 49', false, { brand_id: 1 }))
})

test('an unknown filter of the list is refused', () => {
  for (const criteria of [{ status: 'nada' }, { brand_id: -1 }, { conversion_status: 'x' }])
    expect(viewInput.safeParse({ name: 'X', is_shared: false, criteria }).success).toBe(false)
  expect(viewInput.safeParse({ name: '  ', is_shared: false, criteria: {} }).success).toBe(false)
})

test('every built-in view is a filter of the list', () => {
  for (const { criteria } of BUILT_IN_VIEWS) expect(orderFilter.safeParse(criteria).success).toBe(true)
})

test('an invalid filter value is refused', () => {
  for (const criteria of [{ sort: 'nada' }, { sort: `a${String.fromCharCode(0)}` }, { status: 'nada' }])
    expect(() => view('Minha', false, criteria)).toThrow('Filtro inválido')
})
