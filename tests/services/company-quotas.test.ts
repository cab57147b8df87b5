import { removeEvidence } from '@garantia/server/features/evidence/files'
import { readBrandUsage, readUsage, recountStorage } from '@garantia/server/features/evidence/quota'
import { changeOrder, removeOrder } from '@garantia/server/features/orders/order'
import { requestDossier } from '@garantia/server/features/records/dossier'
import { applyRetention, emptyBin } from '@garantia/server/features/records/retention'
import type { Ctx } from '@garantia/server/kernel'
import { afterAll, describe, expect, test } from 'vitest'
import type { Caller } from '../support/test-app.ts'
import { begin, DAY, HOUR, later, quotaFixture, refusalOf, unlimited } from './quota-fixture.ts'

const { testApp, superuser, boss, keptBy } = await quotaFixture()
afterAll(() => testApp[Symbol.asyncDispose]())
const { ctx } = testApp.kernel
const { db } = ctx

const limitedTo = (as: Caller, COMPANY_STORAGE_GB: number): Ctx => ({
  ...unlimited(as),
  config: { ...unlimited(as).config, COMPANY_STORAGE_GB },
})

describe('a company', () => {
  test('keeps originals, copies, dossiers and what is announced, until they are purged', async () => {
    const company = await testApp.make.company()
    const order = await testApp.make.order({ company_id: company.id })
    expect(await keptBy(company.id)).toBe(0)
    const file = await testApp.make.evidence({ order_id: order.id }, Buffer.alloc(1_000))
    expect(await keptBy(company.id)).toBe(1_000)
    const copied = await testApp.make.converted({ order_id: order.id }, Buffer.alloc(2_000))
    const all = 1_000 + copied.file_size + 2_000
    expect(await keptBy(company.id)).toBe(all)
    const admin = await testApp.as(await testApp.make.user({ role: 'admin', company_id: company.id }))
    expect(await readBrandUsage(admin.ctx)).toMatchObject([
      { orders: 1, originals: 1_000 + copied.file_size, copies: 2_000 },
    ])
    await testApp.make.dossier(order.id, 1, Buffer.alloc(5_000))
    expect(await keptBy(company.id)).toBe(all + 5_000)

    expect(await refusalOf(begin(limitedTo(boss, 0.0001), order.id, 95_000))).toMatchObject([
      'storage_full',
      'A concessionária já ocupa 8 KB, e o limite dela é 100 KB. Avise o administrador, que vê o que cada uma ocupa em Configurações → Armazenamento.',
    ])
    await begin(limitedTo(boss, 0.0001), order.id, 50_000)
    expect(await refusalOf(begin(limitedTo(boss, 0.0001), order.id, 50_000))).toMatchObject([
      'storage_full',
      expect.stringContaining('já ocupa 58 KB'),
    ])
    expect(await refusalOf(requestDossier(limitedTo(boss, 0.00001), order.id))).toMatchObject([
      'storage_full',
      expect.stringContaining('o limite dela é 10 KB'),
    ])

    expect(await keptBy(company.id)).toBe(all + 55_000)
    await db.deleteFrom('uploads').execute()

    // In the bin it still takes its place.
    await removeEvidence(boss.ctx, file.id)
    expect(await keptBy(company.id)).toBe(all + 5_000)
    await emptyBin(later(ctx, 31 * DAY))
    expect(await keptBy(company.id)).toBe(all + 4_000)
    await removeOrder(boss.ctx, order.id)
    await emptyBin(later(ctx, 31 * DAY))
    expect(await keptBy(company.id)).toBe(0)
  })

  test('passes on what an order keeps that moves, and frees what retention deletes', async () => {
    const [from, to] = [await testApp.make.company(), await testApp.make.company()]
    const brand = await testApp.make.brand({ storage_retention_months: 1, retention_since: new Date(0) })
    const order = await testApp.make.order({ company_id: from.id, brand_id: brand.id })
    const { file_size, converted_size } = await testApp.make.converted({ order_id: order.id })
    await testApp.make.dossier(order.id)
    const all = file_size + (converted_size ?? 0) + 36
    await changeOrder(boss.ctx, { id: order.id, change: { company_id: to.id } })
    expect([await keptBy(from.id), await keptBy(to.id)]).toEqual([0, all])
    await db
      .updateTable('service_orders')
      .set({ status: 'completed', completed_at: new Date(Date.now() - 400 * DAY) })
      .where('id', '=', order.id)
      .execute()
    await applyRetention(ctx)
    expect(await keptBy(to.id)).toBe(0)
  })

  test('has a sum that is exact after writes at once, and that a recount corrects', async () => {
    const company = await testApp.make.company()
    const orders = await Promise.all(
      Array.from({ length: 6 }, () => testApp.make.order({ company_id: company.id })),
    )
    await Promise.all(
      Array.from({ length: 300 }, (_, n) =>
        testApp.make
          .evidence({ order_id: orders[n % 6]?.id ?? 0 }, Buffer.alloc(100, `${n};`))
          .then(({ id }) =>
            n % 3 === 0 ? db.deleteFrom('evidence_files').where('id', '=', id).execute() : null,
          ),
      ),
    )
    expect(await keptBy(company.id)).toBe(20_000)
    expect(await recountStorage(ctx)).toBe(0)
    await db.updateTable('storage_totals').set({ bytes: 7 }).where('company_id', '=', company.id).execute()
    await db.insertInto('storage_deltas').values({ company_id: company.id, bytes: 5 }).execute()
    expect(await recountStorage(ctx)).toBe(20_000 - 12)
    expect(await keptBy(company.id)).toBe(20_000)
  })
})

describe('dossiers of an hour', () => {
  const someOrder = async (company_id: number) => {
    const { order_id } = await testApp.make.converted({
      order_id: (await testApp.make.order({ company_id })).id,
    })
    return order_id
  }

  test('are limited per person and company when requested, and completing an order makes one nevertheless', async () => {
    const company = await testApp.make.company()
    const ids = await Promise.all(Array.from({ length: 13 }, () => someOrder(company.id)))
    const person = await superuser()
    const [first = 0, second = 0, third = 0, ...rest] = ids
    const { id } = await requestDossier(person.ctx, first)
    // The version that is under way is returned, and no request.
    expect((await requestDossier(person.ctx, first)).id).toBe(id)
    await requestDossier(person.ctx, second)
    const refusal = [
      'too_many',
      expect.stringMatching(
        /^Você já pediu 2 dossiês nesta hora, o limite por pessoa\. Tente novamente em (59|60) minutos\.$/,
      ),
      expect.any(Number),
    ]
    expect(await refusalOf(requestDossier(person.ctx, third))).toEqual(refusal)
    expect((await readUsage(person.ctx)).own.dossiers).toEqual({ used: 2, limit: 2 })

    const completed = await person.api('POST', `/service-orders/${third}/status/completed`, {
      accepts_problems: true,
    })
    expect(completed.statusCode).toBe(200)
    const made = db.selectFrom('dossiers').where('order_id', '=', third).select(['n', 'status'])
    expect(await made.execute()).toEqual([{ n: 1, status: 'queued' }])

    for (const order_id of rest.slice(0, 8)) await requestDossier((await superuser()).ctx, order_id)
    expect(await refusalOf(requestDossier((await superuser()).ctx, rest[8] ?? 0))).toMatchObject([
      'too_many',
      expect.stringContaining('A concessionária já pediu 10 dossiês nesta hora, o limite dela.'),
      expect.any(Number),
    ])
    expect((await requestDossier(later(person.ctx, HOUR + 1_000), rest[9] ?? 0)).n).toBe(1)
  })

  test('that are requested at once are counted one by one', async () => {
    const company = await testApp.make.company()
    const ids = await Promise.all(Array.from({ length: 6 }, () => someOrder(company.id)))
    const person = await superuser()
    const outcomes = await Promise.all(ids.map((order_id) => refusalOf(requestDossier(person.ctx, order_id))))
    expect(outcomes.filter((one) => one === 'accepted')).toHaveLength(2)
  })
})
