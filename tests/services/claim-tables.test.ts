import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { claimFigures } from '../support/claim-figures.ts'
import { startTestApp } from '../support/test-app.ts'

const testApp = await startTestApp()
afterAll(() => testApp[Symbol.asyncDispose]())
const { db } = testApp.kernel.ctx

const draft = async (fields: object = {}) => {
  const order = await testApp.make.order({ customer_name: 'Cliente Guardado' })
  const { id } = await db
    .insertInto('claims')
    .values({
      order_id: order.id,
      n: 1,
      type: 'normal',
      company_id: order.company_id,
      brand_id: order.brand_id,
      actor_name: 'Teste',
      ...fields,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { order, id }
}
const service = (claim_id: number, claimed: number, n = 1) =>
  db
    .insertInto('claim_lines')
    .values({ claim_id, n, kind: 'third_party', description: 'Guincho', claimed })
    .returning('id')
    .executeTakeFirstOrThrow()
const entry = (claim_id: number, line_id: number, kind: 'payment' | 'debit' | 'carry', amount: number) =>
  db
    .insertInto('claim_entries')
    .values({
      claim_id,
      line_id,
      kind,
      amount,
      booked_on: '2026-11-24',
      actor_name: 'Teste',
      reason: 'Teste',
    })
    .returning('id')
    .executeTakeFirstOrThrow()
const send = (id: number) =>
  db.updateTable('claims').set({ state: 'sent', sent_at: new Date() }).where('id', '=', id).execute()
const claimOf = (id: number) =>
  db.selectFrom('claims').where('id', '=', id).selectAll().executeTakeFirstOrThrow()

test('the amounts of a claim are the sums of its lines, and those of its lines the sums of their entries', async () => {
  const { id } = await draft()
  const one = await service(id, 0.1)
  const two = await service(id, 0.2, 2)
  expect(await claimOf(id)).toMatchObject({ claimed: 0.3, open_amount: 0 })
  await send(id)
  expect((await claimOf(id)).open_amount).toBe(0.3)
  const payment = await entry(id, one.id, 'payment', 0.1)
  await entry(id, two.id, 'carry', 0.05)
  await entry(id, one.id, 'debit', 0.03)
  expect(await claimOf(id)).toMatchObject({ paid: 0.1, carried: 0.05, debited: 0.03, open_amount: 0.15 })
  await expect(entry(id, one.id, 'debit', 0.08)).rejects.toThrow(/check/)
  const reverse = (amount: number, line_id = one.id) =>
    db
      .insertInto('claim_entries')
      .values({
        claim_id: id,
        line_id,
        kind: 'payment',
        amount,
        booked_on: '2026-11-24',
        actor_name: 'Teste',
        reason: 'Errado',
        corrects_id: payment.id,
      })
      .execute()
  await expect(reverse(-0.05)).rejects.toThrow(/reverses one entry whole/)
  await expect(reverse(-0.1, two.id)).rejects.toThrow(/reverses one entry whole/)
  // What was taken back was paid: the payment cannot be reversed before the debit.
  await expect(reverse(-0.1)).rejects.toThrow(/check/)
  await entry(id, one.id, 'payment', 0.03)
  await reverse(-0.1)
  expect(await claimOf(id)).toMatchObject({ paid: 0.03, open_amount: 0.22 })
  await expect(reverse(-0.1)).rejects.toThrow(/unique/)
})

test('the lines of a claim that was sent do not change, but take money', async () => {
  const { id } = await draft()
  const line = await service(id, 10)
  await send(id)
  await expect(service(id, 5, 2)).rejects.toThrow(/do not change/)
  const change = (values: { claimed?: number; authorised?: number }) =>
    db.updateTable('claim_lines').set(values).where('id', '=', line.id).execute()
  await expect(change({ claimed: 11 })).rejects.toThrow(/do not change/)
  await change({ authorised: 9 })
  expect((await claimOf(id)).authorised).toBe(9)
})

test('an order has one claim of type 1 that is not withdrawn', async () => {
  const { order, id } = await draft()
  const another = () =>
    db
      .insertInto('claims')
      .values({
        order_id: order.id,
        n: 2,
        type: 'normal',
        company_id: order.company_id,
        brand_id: order.brand_id,
        actor_name: 'Teste',
      })
      .execute()
  await expect(another()).rejects.toThrow(/claims_first/)
  await db
    .updateTable('claims')
    .set({ state: 'withdrawn', withdrawn_at: new Date() })
    .where('id', '=', id)
    .execute()
  await another()
})

test('a claim follows its order: company, brand, words of a search, and the bin', async () => {
  const { order, id } = await draft()
  await db.updateTable('claims').set({ brand_number: 'XYZ77' }).where('id', '=', id).execute()
  expect((await claimOf(id)).search).toMatch(/cliente guardado.*xyz77/)
  const { id: company_id } = await testApp.make.company()
  await db
    .updateTable('service_orders')
    .set({ customer_name: 'Outro Nome', company_id })
    .where('id', '=', order.id)
    .execute()
  const moved = await claimOf(id)
  expect(moved.company_id).toBe(company_id)
  expect(moved.search).toMatch(/outro nome.*xyz77/)
  expect(moved.search).not.toMatch(/guardado/)
  await db.updateTable('service_orders').set({ deleted_at: new Date() }).where('id', '=', order.id).execute()
  expect((await claimOf(id)).deleted_at).not.toBeNull()
  await db.deleteFrom('service_orders').where('id', '=', order.id).execute()
  expect(await db.selectFrom('claims').where('id', '=', id).select('id').execute()).toEqual([])
})

test('what is kept of many claims together is that of the claims, folded or not', async () => {
  const { id } = await draft()
  await service(id, 12.34)
  await send(id)
  const { noted, actual } = await claimFigures({ db })
  expect(actual.claim_sums?.length).toBeGreaterThan(2)
  expect(actual.claim_days?.length).toBeGreaterThan(0)
  expect(noted).toEqual(actual)
  await sql`select fold_claims()`.execute(db)
  expect(await db.selectFrom('claim_deltas').select('company_id').execute()).toEqual([])
  expect(await db.selectFrom('claim_day_deltas').select('company_id').execute()).toEqual([])
  expect((await claimFigures({ db })).noted).toEqual(actual)
})
