import { removeEvidence, validateEvidence } from '@garantia/server/features/evidence/files'
import { openPackage } from '@garantia/server/features/evidence/package'
import { listOrders, removeMany } from '@garantia/server/features/orders/list'
import { removeOrder } from '@garantia/server/features/orders/order'
import { verifyChains } from '@garantia/server/features/records/chain'
import {
  applyRetention,
  emptyBin,
  holdOrder,
  readBin,
  readHold,
  readRetention,
  releaseOrder,
} from '@garantia/server/features/records/retention'
import type { Ctx } from '@garantia/server/kernel'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { startTestApp } from '../support/test-app.ts'

const testApp = await startTestApp()
afterAll(() => testApp[Symbol.asyncDispose]())
const { ctx } = testApp.kernel
const { db } = ctx
const boss = await testApp.as(await testApp.make.user({ role: 'admin', full_name: 'Ana Diretora' }))

const DAY = 86_400_000
const now = new Date()
const ago = (days: number) => new Date(now.getTime() - days * DAY)
/** The same context, with a clock so many days from today. */
const later = (days: number): Ctx => ({ ...ctx, clock: () => new Date(now.getTime() + days * DAY) })

const rowOf = (id: number) =>
  db.selectFrom('evidence_files').where('id', '=', id).selectAll().executeTakeFirst()
const eventsOf = async (subject_id: number) =>
  (
    await db
      .selectFrom('events')
      .where('subject', '=', 'order')
      .where('subject_id', '=', subject_id)
      .orderBy('id')
      .selectAll()
      .execute()
  ).map(({ kind, changes, actor_name }) => ({ kind, changes, actor_name }))
const stored = async (...keys: (string | null)[]) =>
  Promise.all(keys.map(async (key) => (await ctx.storage.size(key ?? '')) !== null))

beforeEach(async () => {
  await db.deleteFrom('evidence_files').execute()
  await db.deleteFrom('service_orders').execute()
})

describe('the bin (D-17)', () => {
  test('deleted files stay 30 days, then their objects and rows are removed, and the events stay', async () => {
    const order = await testApp.make.order()
    const kept = await testApp.make.converted({ order_id: order.id })
    const young = await testApp.make.converted({ order_id: order.id, deleted_at: ago(29) })
    const old = await testApp.make.converted({ order_id: order.id, deleted_at: ago(31) })
    expect(await readBin(ctx)).toMatchObject({ orders: 0, files: 1, held: 0 })
    expect((await readBin(ctx)).bytes).toBe(old.file_size + (old.converted_size ?? 0))
    expect(await rowOf(old.id)).toBeDefined()

    expect(await emptyBin(ctx)).toMatchObject({ orders: 0, files: 1 })
    expect(await rowOf(old.id)).toBeUndefined()
    expect(await stored(old.original_key, old.converted_key)).toEqual([false, false])
    for (const { id, original_key, converted_key } of [kept, young]) {
      expect(await rowOf(id)).toBeDefined()
      expect(await stored(original_key, converted_key)).toEqual([true, true])
    }
    expect(await eventsOf(order.id)).toEqual([
      {
        kind: 'evidence.purged',
        actor_name: 'Sistema',
        changes: { os_number: order.os_number, files: [{ id: old.id, sha256: old.sha256 }] },
      },
    ])
    expect(await emptyBin(ctx)).toMatchObject({ orders: 0, files: 0 })
  })

  test('a deleted order is removed completely, with files that were never deleted', async () => {
    const order = await testApp.make.order({ deleted_at: ago(31) })
    const file = await testApp.make.converted({ order_id: order.id })
    expect(await emptyBin(ctx)).toMatchObject({ orders: 1, files: 1 })
    expect(await db.selectFrom('service_orders').where('id', '=', order.id).execute()).toEqual([])
    expect(await stored(file.original_key, file.converted_key)).toEqual([false, false])
    expect((await eventsOf(order.id)).map(({ kind }) => kind)).toEqual(['purged'])
  })

  test('no personal data stay in the events of a removed order, and the chain is valid (LGPD, beyond 4.4)', async () => {
    const { id } = await testApp.make.order({ company_id: (await testApp.make.company()).id })
    const change = (fields: object) => boss.api('PATCH', `/service-orders/${id}`, fields)
    await change({ customer_name: 'Marília Rara', customer_phone: '11987651234', diagnosis: 'Bucha gasta' })
    await change({ customer_document: '52998224725', customer_email: 'marilia@rara.com.br' })
    await change({ customer_name: null, vehicle_color: 'azul' })
    const before = await eventsOf(id)
    expect(JSON.stringify(before)).toContain('Marília Rara')
    await removeOrder(boss.ctx, id)
    await emptyBin(later(29))
    expect(JSON.stringify(await eventsOf(id))).toContain('Marília Rara')

    await emptyBin(later(32))
    const after = await eventsOf(id)
    expect(JSON.stringify(after)).not.toMatch(/Marília|rara\.com|98765|529982/)
    expect(after.map(({ kind }) => kind)).toEqual(['changed', 'changed', 'changed', 'removed', 'purged'])
    expect(after[0]?.changes).toEqual({
      customer_name: ['removido', 'removido'],
      customer_phone: ['removido', 'removido'],
      diagnosis: [null, 'Bucha gasta'],
    })
    expect(await verifyChains(ctx, id)).toMatchObject({ events: 5, faults: [] })
  })

  test('a purge that was aborted after the objects were removed is completed by the next one', async () => {
    const file = await testApp.make.converted({ deleted_at: ago(31) })
    await ctx.storage.remove(file.original_key)
    await emptyBin(ctx)
    expect(await rowOf(file.id)).toBeUndefined()
  })
})

describe('legal hold (D-47)', () => {
  test('stops deletion, bin and retention until it is lifted, and records who and why', async () => {
    const brand = await testApp.make.brand({ storage_retention_months: 1 })
    const order = await testApp.make.order({ brand_id: brand.id, status: 'completed', completed_at: ago(60) })
    const binned = await testApp.make.converted({ order_id: order.id, deleted_at: ago(31) })
    const file = await testApp.make.converted({ order_id: order.id })

    expect(await holdOrder(boss.ctx, order.id, 'Processo 123')).toMatchObject({
      is_held: true,
      held_by: 'Ana Diretora',
      reason: 'Processo 123',
    })
    expect(await emptyBin(later(40))).toMatchObject({ orders: 0, files: 0, held: 1 })
    expect((await applyRetention(later(40))).items).toMatchObject([{ order_id: order.id, verdict: 'held' }])
    expect(await stored(binned.original_key, file.original_key, file.converted_key)).toEqual([
      true,
      true,
      true,
    ])

    expect(await releaseOrder(boss.ctx, order.id)).toEqual({
      is_held: false,
      held_at: null,
      held_by: null,
      reason: null,
    })
    await emptyBin(later(40))
    await applyRetention(later(40))
    expect(await stored(binned.original_key, file.original_key, file.converted_key)).toEqual([
      false,
      false,
      false,
    ])
    expect((await eventsOf(order.id)).map(({ kind, actor_name }) => [kind, actor_name])).toEqual([
      ['held', 'Ana Diretora'],
      ['released', 'Ana Diretora'],
      ['evidence.purged', 'Sistema'],
      ['evidence.expired', 'Sistema'],
    ])
  })

  test('no file of an order under legal hold can be deleted manually', async () => {
    const file = await testApp.make.evidence()
    await holdOrder(boss.ctx, file.order_id, 'Processo 123')
    await expect(removeEvidence(boss.ctx, file.id)).rejects.toMatchObject({
      code: 'conflict',
      detail: 'OS em retenção judicial: nada pode ser excluído até a liberação',
    })
    expect((await rowOf(file.id))?.deleted_at).toBeNull()
  })

  test('an order under legal hold cannot be deleted manually until it is released', async () => {
    const { id } = await testApp.make.order()
    await holdOrder(boss.ctx, id, 'Processo 123')
    await expect(removeOrder(boss.ctx, id)).rejects.toMatchObject({
      code: 'conflict',
      detail: 'OS em retenção judicial: nada pode ser excluído até a liberação',
    })
    expect(await removeMany(boss.ctx, [id])).toMatchObject({ done: [], refused: [{ id }] })
    const rows = async () => (await listOrders(boss.ctx, {})).items.filter(({ is_held }) => is_held)
    expect(await rows()).toMatchObject([{ id }])
    await releaseOrder(boss.ctx, id)
    expect(await rows()).toEqual([])
    expect(await removeOrder(boss.ctx, id)).toMatchObject({ message: expect.any(String) })
  })

  test('an order under legal hold in the bin is not purged', async () => {
    const order = await testApp.make.order()
    await holdOrder(boss.ctx, order.id, 'Processo 123')
    await db
      .updateTable('service_orders')
      .set({ deleted_at: ago(31) })
      .where('id', '=', order.id)
      .execute()
    expect(await emptyBin(ctx)).toMatchObject({ orders: 0, held: 1 })
    expect(await db.selectFrom('service_orders').select('id').execute()).toEqual([{ id: order.id }])
  })

  test('only an administrator sets or lifts it; everybody who sees the order can read it', async () => {
    const { id, company_id } = await testApp.make.order()
    const manager = await testApp.as(await testApp.make.user({ role: 'manager', company_id }))
    await expect(holdOrder(manager.ctx, id, 'x')).rejects.toMatchObject({ code: 'forbidden' })
    await expect(releaseOrder(manager.ctx, id)).rejects.toMatchObject({ code: 'forbidden' })
    expect(await readHold(manager.ctx, id)).toMatchObject({ is_held: false })
    const otherCompanyUser = await testApp.as(await testApp.make.user())
    await expect(readHold(otherCompanyUser.ctx, id)).rejects.toMatchObject({ code: 'not_found' })
  })
})

describe("retention by the brand's months (D-47)", () => {
  const completed = async (brand: object, days: number) => {
    const { id } = await testApp.make.brand(brand)
    return testApp.make.order({ brand_id: id, status: 'completed', completed_at: ago(days) })
  }

  test('counts from completion, deletes media only, and keeps hashes, dossiers and events', async () => {
    const order = await completed({ storage_retention_months: 12 }, 400)
    const file = await testApp.make.converted({ order_id: order.id, preview_key: 'os/x/preview' })
    const { items, ...total } = await readRetention(later(31))
    expect(total).toMatchObject({ orders: 1, files: 1, bytes: file.file_size + (file.converted_size ?? 0) })
    expect(items).toMatchObject([{ os_number: order.os_number, months: 12, verdict: 'due' }])
    expect(await stored(file.original_key)).toEqual([true])

    await applyRetention(later(31))
    expect(await stored(file.original_key, file.converted_key)).toEqual([false, false])
    expect(await rowOf(file.id)).toMatchObject({
      sha256: file.sha256,
      converted_sha256: file.converted_sha256,
      converted_filename: file.converted_filename,
      preview_key: null,
      purged_at: expect.any(Date),
      deleted_at: null,
    })
    expect(await eventsOf(order.id)).toEqual([
      {
        kind: 'evidence.expired',
        actor_name: 'Sistema',
        changes: {
          retention_months: 12,
          files: [{ id: file.id, sha256: file.sha256, converted_sha256: file.converted_sha256 }],
        },
      },
    ])
    expect(await applyRetention(later(31))).toMatchObject({ orders: 0, items: [] })
    const gone = { code: 'conflict', detail: expect.stringContaining('prazo de guarda') }
    await expect(openPackage(boss.ctx, order.id)).rejects.toMatchObject(gone)
    await expect(openPackage(boss.ctx, order.id, true)).rejects.toMatchObject(gone)
    expect((await validateEvidence(boss.ctx, order.id)).errors).toContain(
      '1 arquivo eliminado ao fim do prazo de guarda da marca',
    )
    const answer = await boss.api('GET', `/evidence/${file.id}/download?original=true`)
    expect([answer.statusCode, answer.json().detail]).toEqual([409, gone.detail])
  })

  test('a brand without months keeps files for ever, and an open order keeps them whatever its age', async () => {
    const kept = await completed({ storage_retention_months: null }, 4_000)
    await testApp.make.converted({ order_id: kept.id })
    const { id: brand_id } = await testApp.make.brand({ storage_retention_months: 1 })
    const open = await testApp.make.order({ brand_id, opened_at: ago(4_000) })
    await testApp.make.converted({ order_id: open.id })
    const recent = await completed({ storage_retention_months: 1 }, 5)
    await testApp.make.converted({ order_id: recent.id })
    expect(await readRetention(later(10))).toMatchObject({ orders: 0, items: [] })
  })

  test('nothing is deleted in the first 30 days after it is enabled or changed', async () => {
    const { id: brand_id } = await testApp.make.brand({ storage_retention_months: null })
    const order = await testApp.make.order({ brand_id, status: 'completed', completed_at: ago(400) })
    await testApp.make.converted({ order_id: order.id })
    const change = (storage_retention_months: number | null) =>
      db.updateTable('brands').set({ storage_retention_months }).where('id', '=', brand_id).execute()
    await change(12)
    expect((await readRetention(later(29))).items).toMatchObject([{ verdict: 'grace' }])
    expect(await applyRetention(later(29))).toMatchObject({ orders: 0 })
    expect((await readRetention(later(31))).items).toMatchObject([{ verdict: 'due' }])

    const since = async () =>
      (
        await db
          .selectFrom('brands')
          .where('id', '=', brand_id)
          .select('retention_since')
          .executeTakeFirstOrThrow()
      ).retention_since
    const before = await since()
    await db.updateTable('brands').set({ display_name: 'Outra' }).where('id', '=', brand_id).execute()
    expect(await since()).toEqual(before)
    await change(6)
    expect((await since())?.getTime()).toBeGreaterThan(before?.getTime() ?? 0)
    await change(null)
    expect(await since()).toBeNull()
  })

  test('sample months of a sample brand delete nothing until the brand is no sample any more (D-32)', async () => {
    const order = await completed({ storage_retention_months: 12, is_sample: true }, 400)
    await testApp.make.converted({ order_id: order.id })
    expect((await applyRetention(later(400))).items).toMatchObject([{ verdict: 'sample' }])
    await db.updateTable('brands').set({ is_sample: false }).where('id', '=', order.brand_id).execute()
    expect((await readRetention(later(31))).items).toMatchObject([{ verdict: 'due' }])
  })
})
