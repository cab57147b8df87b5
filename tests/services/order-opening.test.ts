import { randomUUID } from 'node:crypto'
import { forgetOldOpenings, openOrder, removeOrder } from '@garantia/server/features/orders/order'
import { orderInput } from '@garantia/shared/orders/schema'
import { sql } from 'kysely'
import { afterAll, describe, expect, test } from 'vitest'
import { startTestApp } from '../support/test-app.ts'

const testApp = await startTestApp()
afterAll(() => testApp[Symbol.asyncDispose]())

const brand = await testApp.make.brand()
const company = await testApp.make.company()
const clerk = await testApp.as(await testApp.make.user({ role: 'manager', company_id: company.id }))
const boss = await testApp.as(await testApp.make.user({ is_superuser: true }))
const numbered = (os_number: string) =>
  orderInput.parse({ os_number, brand_id: brand.id, company_id: company.id })

describe('an opening that is sent again with its key', () => {
  const key = () => randomUUID()
  const openingsOf = (os_number: string) =>
    testApp.kernel.ctx.db
      .selectFrom('events')
      .where('kind', '=', 'opened')
      .where(sql<boolean>`changes ->> 'os_number' = ${os_number}`)
      .select('subject_id')
      .execute()

  test('gets the order of the first, also of twelve at once, and opens one (D-80)', async () => {
    const one = key()
    const ids = await Promise.all(
      Array.from({ length: 12 }, async () => (await openOrder(clerk.ctx, numbered('000310'), one)).id),
    )
    expect(new Set(ids).size).toBe(1)
    expect(await openingsOf('000310')).toHaveLength(1)
  })

  test('is refused with other data, and when the order is gone; a refused opening uses no key', async () => {
    const one = key()
    await expect(openOrder(clerk.ctx, numbered('000310'), one)).rejects.toMatchObject({ code: 'conflict' })
    const { id } = await openOrder(clerk.ctx, numbered('000311'), one)
    await expect(openOrder(clerk.ctx, numbered('000312'), one)).rejects.toMatchObject({
      code: 'invalid',
      detail: [{ loc: ['header', 'Idempotency-Key'], msg: 'Esta chave já foi usada com outros dados' }],
    })
    expect(await openingsOf('000312')).toEqual([])
    // The key is a person's own.
    await openOrder(boss.ctx, numbered('000312'), one)
    await removeOrder(clerk.ctx, id)
    await expect(openOrder(clerk.ctx, numbered('000311'), one)).rejects.toMatchObject({
      code: 'conflict',
      detail: 'A OS que esta chave abriu não está mais disponível.',
    })
  })

  test('is another opening after 24 hours', async () => {
    const one = key()
    const later = { ...clerk.ctx, clock: () => new Date(Date.now() + 24 * 3_600_000) }
    await openOrder(clerk.ctx, numbered('000313'), one)
    await expect(openOrder(later, numbered('000313'), one)).rejects.toMatchObject({
      detail: 'Já existe uma OS 000313 nesta empresa.',
    })
    await forgetOldOpenings(later)
    const { db } = testApp.kernel.ctx
    expect(await db.selectFrom('opening_keys').where('key', '=', one).selectAll().execute()).toEqual([])
  })

  test('is known over REST by Idempotency-Key, with or without quotation marks', async () => {
    const one = key()
    const body = { os_number: '000314', brand_id: brand.id, company_id: company.id }
    const send = (value: string) => clerk.api('POST', '/service-orders', body, { 'idempotency-key': value })
    const first = await send(one)
    const again = await send(`"${one}"`)
    expect([first.statusCode, again.statusCode]).toEqual([200, 200])
    expect(again.json().id).toBe(first.json().id)
    expect((await send(key())).statusCode).toBe(409)
    const wrong = await send('um')
    expect([wrong.statusCode, wrong.json().detail]).toEqual([
      422,
      [{ loc: ['header', 'Idempotency-Key'], msg: 'Deve ser um UUID', type: 'value_error' }],
    ])
  })
})
