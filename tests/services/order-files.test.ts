import { readList } from '@garantia/server/features/orders/list'
import { recompute } from '@garantia/server/features/orders/order'
import { conversionBadge, neededOf } from '@garantia/shared/orders/conversion-badge'
import { ORDER_STATUS } from '@garantia/shared/orders/status'
import { afterAll, expect, test } from 'vitest'
import { COMPLETE_ORDER, createOrderFixture } from './order-fixture.ts'

const { testApp, db, admin, ...at } = await createOrderFixture()
const { orderAs } = at
afterAll(() => testApp[Symbol.asyncDispose]())
const demanding = await testApp.make.brand({
  required_categories: JSON.stringify([{ category: 'odometro', min: 2 }]),
})

/** What the list says of an order, by its status and beside it. */
async function wordsOf(id: number) {
  await recompute(admin.ctx, id)
  const { items } = await readList(admin.ctx, { limit: 100 })
  const order = items.find((one) => one.id === id)
  return order && `${ORDER_STATUS[order.status].label} · ${neededOf(order) ?? conversionBadge(order).label}`
}

test('the list says what the files of an order wait for, and counts those that are missing (STA-8, D-07)', async () => {
  const id = await orderAs('created', COMPLETE_ORDER)
  expect(await wordsOf(id)).toBe('Criada · Realizar Upload')
  const files = [await testApp.make.evidence({ order_id: id }), await testApp.make.evidence({ order_id: id })]
  expect(await wordsOf(id)).toBe('Aguardando Upload · Pronta para converter')
  await db.updateTable('evidence_files').set({ status: 'converting' }).where('order_id', '=', id).execute()
  expect(await wordsOf(id)).toBe('Em Processamento · Convertendo 0/2')
  await db
    .deleteFrom('evidence_files')
    .where(
      'id',
      'in',
      files.map((file) => file.id),
    )
    .execute()
  await testApp.make.converted({ order_id: id })
  expect(await wordsOf(id)).toBe('Pronta · Disponível')
  await testApp.make.evidence({ order_id: id })
  expect(await wordsOf(id)).toBe('Aguardando Upload · Falta converter 1/2')
})

test('required evidence that is missing comes before the conversion', async () => {
  const id = await orderAs('created', { ...COMPLETE_ORDER, brand_id: demanding.id })
  expect(await wordsOf(id)).toBe('Criada · Realizar Upload')
  await testApp.make.evidence({ order_id: id, evidence_category: 'odometro' })
  expect(await wordsOf(id)).toBe('Aguardando Upload · Falta 1 evidência')
  await testApp.make.evidence({ order_id: id, evidence_category: 'odometro' })
  expect(await wordsOf(id)).toBe('Aguardando Upload · Pronta para converter')
})

test('a deleted file is not waited for', async () => {
  const id = await orderAs('created', COMPLETE_ORDER)
  await testApp.make.evidence({ order_id: id, deleted_at: new Date() })
  expect(await wordsOf(id)).toBe('Criada · Realizar Upload')
})
