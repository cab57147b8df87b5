import { listViews, removeView, saveView } from '@garantia/server/features/orders/views'
import { claimFilter } from '@garantia/shared/claims/criteria'
import { CLAIM_VIEWS } from '@garantia/shared/claims/views'
import { orderFilter } from '@garantia/shared/orders/criteria'
import { BUILT_IN_VIEWS } from '@garantia/shared/orders/views'
import { savedView, type ViewList, viewInput } from '@garantia/shared/views/schema'
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
  viewInput.parse({
    list: 'orders',
    name,
    is_shared,
    criteria: { status: 'ready', sort: 'opened_at', ...criteria },
  })
const claimView = (name: string, criteria = {}) =>
  viewInput.parse({ list: 'claims', name, is_shared: false, criteria: { state: 'returned', ...criteria } })
const namesFor = async ({ ctx }: typeof ana, list: ViewList = 'orders') =>
  (await listViews(ctx, list)).map(({ name }) => name)

test('a user sees the own views, then those shared in the own company', async () => {
  await saveView(ana.ctx, view('Prontas'))
  const shared = await saveView(bia.ctx, view('Da oficina', true))
  expect(await namesFor(ana)).toEqual(['Prontas', 'Da oficina'])
  expect(await namesFor(bia)).toEqual(['Da oficina'])
  expect(await namesFor(otherCompanyUser)).toEqual([])
  expect(await namesFor(lost)).toEqual([])
  expect(savedView.parse((await listViews(ana.ctx, 'orders'))[1])).toEqual({
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
    expect(viewInput.safeParse({ list: 'orders', name: 'X', is_shared: false, criteria }).success).toBe(false)
  expect(viewInput.safeParse({ list: 'orders', name: '  ', is_shared: false, criteria: {} }).success).toBe(
    false,
  )
})

test('every built-in view is a filter of its list', () => {
  for (const { criteria } of BUILT_IN_VIEWS) expect(orderFilter.safeParse(criteria).success).toBe(true)
  for (const { criteria } of CLAIM_VIEWS) expect(claimFilter.safeParse(criteria).success).toBe(true)
})

test('each list has views of its own; a name is used once, and its limit counts one list', async () => {
  const dora = await testApp.as(await testApp.make.user({ company_id: company.id }))
  const { id } = await saveView(dora.ctx, claimView('Da Toyota', { brand_id: '7', due_in_days: 7 }))
  for (let n = 0; n < 50; n++) await saveView(dora.ctx, view(`Vista ${n}`))
  await saveView(dora.ctx, claimView('Da Ford'))
  expect(await namesFor(dora, 'claims')).toEqual(['Da Ford', 'Da Toyota'])
  expect((await namesFor(dora)).filter((name) => name.startsWith('Da '))).toEqual(['Da oficina'])
  expect((await listViews(dora.ctx, 'claims'))[1]?.criteria).toEqual({
    state: 'returned',
    brand_id: '7',
    due_in_days: 7,
  })
  await expect(saveView(dora.ctx, claimView('VISTA 1'))).rejects.toMatchObject({
    code: 'invalid',
    detail: [{ loc: ['name'] }],
  })
  await removeView(dora.ctx, id)
  expect(await namesFor(dora, 'claims')).toEqual(['Da Ford'])
})

test('a view is renamed by its id, to a name that is free, and by its owner only', async () => {
  const eva = await testApp.as(await testApp.make.user({ company_id: company.id }))
  const { id } = await saveView(eva.ctx, claimView('Antes'))
  const { id: other } = await saveView(eva.ctx, claimView('Outra'))
  expect(await saveView(eva.ctx, { ...claimView('Depois'), id, is_shared: true })).toMatchObject({
    id,
    name: 'Depois',
    is_shared: true,
  })
  expect(await saveView(eva.ctx, { ...claimView('DEPOIS'), id })).toMatchObject({ id, name: 'DEPOIS' })
  expect(await namesFor(eva, 'claims')).toEqual(['DEPOIS', 'Outra'])
  await expect(saveView(eva.ctx, { ...claimView('depois'), id: other })).rejects.toMatchObject({
    code: 'invalid',
  })
  await expect(saveView(ana.ctx, { ...claimView('Minhas SG'), id })).rejects.toMatchObject({
    code: 'not_found',
  })
  await expect(saveView(eva.ctx, { ...view('Da lista'), id })).rejects.toMatchObject({ code: 'not_found' })
})

test('an invalid filter value is refused', () => {
  for (const criteria of [{ sort: 'nada' }, { sort: `a${String.fromCharCode(0)}` }, { status: 'nada' }])
    expect(() => view('Minha', false, criteria)).toThrow('Filtro inválido')
})
