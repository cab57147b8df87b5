import { requestAllConversions } from '@garantia/server/features/evidence/conversion'
import { calendarDay } from '@garantia/shared/format'
import { afterAll, expect, test } from 'vitest'
import { picture } from '../support/make.ts'
import { startTestApp } from '../support/test-app.ts'
import { convertFully } from './conversion-fixture.ts'

const testApp = await startTestApp()
afterAll(() => testApp[Symbol.asyncDispose]())
const { ctx } = testApp.kernel

async function orderWith(naming_template: string, fields: object = {}) {
  const brand = await testApp.make.brand({ naming_template, display_name: 'São João & Cia' })
  return testApp.make.order({ brand_id: brand.id, os_number: '000123', ...fields })
}
const namesOf = async (order_id: number) =>
  (
    await ctx.db
      .selectFrom('evidence_files')
      .where('order_id', '=', order_id)
      .where('deleted_at', 'is', null)
      .orderBy('id')
      .select('converted_filename')
      .execute()
  ).map(({ converted_filename }) => converted_filename)

test('a converted file is named by the template of its brand (D-25)', async () => {
  const order = await orderWith('{marca}_{os}_{chassi6}_{placa}_{categoria}_{seq2}_{data}', {
    vehicle_chassis: '9BGXX00X00B123456',
    vehicle_plate: 'ABC1D23',
  })
  const uploaded_at = new Date('2026-03-02T01:00:00Z')
  const file = await testApp.make.evidence({
    order_id: order.id,
    evidence_category: 'placa',
    category_seq: 2,
    uploaded_at,
  })
  await requestAllConversions(ctx, order.id)
  await convertFully(ctx, file.id, 500)
  expect(calendarDay(uploaded_at)).toBe('20260301')
  expect(await namesOf(order.id)).toEqual(['Sao-Joao-Cia_000123_123456_ABC1D23_placa_02_20260301.jpg'])
})

test.each(['{os}', '{os}_{seq2}', '{categoria}'])(
  'twelve files of template %s finish concurrently with twelve names (D-25)',
  async (template) => {
    const order = await orderWith(template)
    const files = []
    for (let n = 0; n < 12; n++)
      files.push(
        await testApp.make.evidence({ order_id: order.id, evidence_category: n % 2 ? 'teste' : 'defeito' }),
      )
    await requestAllConversions(ctx, order.id)
    await Promise.all(files.map(({ id }) => convertFully(ctx, id, 500)))
    const names = await namesOf(order.id)
    expect(new Set(names.map((name) => name?.toLowerCase())).size).toBe(12)
    expect(names.every((name) => /^[A-Za-z0-9._-]+\.jpg$/.test(name ?? ''))).toBe(true)
  },
)

test('the number of a deleted file is reused, so that a series has no gap (D-25)', async () => {
  const order = await orderWith('{os}_{categoria}_{seq2}')
  const boss = await testApp.as(await testApp.make.user({ is_superuser: true }))
  const send = async () =>
    (
      await boss.upload(order.id, [{ filename: 'a.jpg', content: await picture() }], { category: 'teste' })
    ).json().uploaded[0].id
  const [first, second] = [await send(), await send()]
  await boss.api('DELETE', `/evidence/${first}`)
  const third = await send()
  await requestAllConversions(ctx, order.id)
  for (const id of [second, third]) await convertFully(ctx, id, 500)
  expect(await namesOf(order.id)).toEqual(['000123_teste_02.jpg', '000123_teste_01.jpg'])
})
