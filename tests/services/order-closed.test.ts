import {
  leaseConversion,
  requestAllConversions,
  retryFailed,
} from '@garantia/server/features/evidence/conversion'
import { CLOSED_ORDER } from '@garantia/shared/orders/status'
import { afterAll, describe, expect, test } from 'vitest'
import { callProcedure } from '../api/procedures.ts'
import { picture } from '../support/make.ts'
import { startTestApp } from '../support/test-app.ts'
import { acquireLease, finishWith } from './conversion-fixture.ts'

const testApp = await startTestApp()
afterAll(() => testApp[Symbol.asyncDispose]())
const { ctx } = testApp.kernel
const boss = await testApp.as(await testApp.make.user({ is_superuser: true }))

/** A closed order with a file in every state that a closed order can have. */
async function scene(status: 'completed' | 'cancelled') {
  const order_id = (await testApp.make.order({ status })).id
  const pending = (await testApp.make.evidence({ order_id })).id
  const failed = (await testApp.make.evidence({ order_id, status: 'failed', error: 'Não coube.' })).id
  const converted = (await testApp.make.converted({ order_id })).id
  return { order_id, pending, failed, converted }
}
type Scene = Awaited<ReturnType<typeof scene>>

/** All rows of the order: its own, its files and its events. */
const everything = async ({ order_id }: Scene) => ({
  order: await ctx.db.selectFrom('service_orders').where('id', '=', order_id).selectAll().execute(),
  files: await ctx.db
    .selectFrom('evidence_files')
    .where('order_id', '=', order_id)
    .selectAll()
    .orderBy('id')
    .execute(),
  events: await ctx.db
    .selectFrom('events')
    .where('subject', '=', 'order')
    .where('subject_id', '=', order_id)
    .selectAll()
    .execute(),
})

const change = { customer_name: 'Outra pessoa' }
const REST: Record<string, (at: Scene) => Promise<{ statusCode: number; body: string }>> = {
  'PUT /service-orders/{id}': ({ order_id }) => boss.api('PUT', `/service-orders/${order_id}`, change),
  'PUT with nothing in it': ({ order_id }) => boss.api('PUT', `/service-orders/${order_id}`, {}),
  'PUT that reopens and changes': ({ order_id }) =>
    boss.api('PUT', `/service-orders/${order_id}`, { ...change, status: 'in_analysis', reason: 'x' }),
  'PATCH /service-orders/{id}': ({ order_id }) =>
    boss.api('PATCH', `/service-orders/${order_id}`, { service_value: null }),
  'POST /evidence/{id}/upload': async ({ order_id }) =>
    boss.upload(order_id, [{ filename: 'a.jpg', content: await picture() }]),
  'DELETE /evidence/{id}, pending': ({ pending }) => boss.api('DELETE', `/evidence/${pending}`),
  'DELETE /evidence/{id}, converted': ({ converted }) => boss.api('DELETE', `/evidence/${converted}`),
  'POST /evidence-conversion/{id}/convert': ({ pending }) =>
    boss.api('POST', `/evidence-conversion/${pending}/convert`),
  'the same, of a failed file': ({ failed }) => boss.api('POST', `/evidence-conversion/${failed}/convert`),
  'the same, forced': ({ converted }) =>
    boss.api('POST', `/evidence-conversion/${converted}/convert?force=true`),
  'POST /evidence-conversion/{id}/convert-all': ({ order_id }) =>
    boss.api('POST', `/evidence-conversion/${order_id}/convert-all?force=true`),
}
const TRPC: Record<string, (at: Scene) => object> = {
  'orders.change': ({ order_id }) => ({ id: order_id, version: 1, change }),
  'evidence.remove': ({ pending }) => ({ id: pending }),
  'conversion.convert': ({ pending }) => ({ evidence_id: pending }),
  'conversion.convertAll': ({ order_id }) => ({ order_id, force: true }),
}

describe.each(['completed', 'cancelled'] as const)('a %s order is read-only (STA-13, EDP-2)', (status) => {
  test.each(Object.keys(REST))('by %s', async (call) => {
    const at = await scene(status)
    const before = await everything(at)
    const answer = await REST[call]?.(at)
    expect([answer?.statusCode, JSON.parse(answer?.body ?? '')]).toEqual([409, { detail: CLOSED_ORDER }])
    expect(await everything(at)).toEqual(before)
  })

  test.each(Object.keys(TRPC))('by tRPC %s', async (path) => {
    const at = await scene(status)
    const before = await everything(at)
    const { error } = await callProcedure(testApp, boss.token, path, TRPC[path]?.(at))
    expect(error?.data).toEqual({ code: 'CONFLICT', detail: CLOSED_ORDER, http_status: 409 })
    expect(await everything(at)).toEqual(before)
  })

  test('by the operator’s commands', async () => {
    const at = await scene(status)
    const before = await everything(at)
    await expect(requestAllConversions(ctx, at.order_id, true)).rejects.toMatchObject({
      detail: CLOSED_ORDER,
    })
    await retryFailed(ctx)
    expect(await everything(at)).toEqual(before)
  })

  test('by a worker: it leases nothing, and a running attempt is discarded', async () => {
    const at = await scene(status)
    const now = new Date()
    const isCompleted = status === 'completed'
    const end = { status, completed_at: isCompleted ? now : null, cancelled_at: isCompleted ? null : now }
    const open = (await testApp.make.order()).id
    const file = (await testApp.make.evidence({ order_id: open })).id
    await requestAllConversions(ctx, open)
    const lease = await acquireLease(ctx, file)
    // Closed directly in the database, without any rule.
    await ctx.db.updateTable('service_orders').set(end).where('id', '=', open).execute()
    expect(await finishWith(ctx, lease)).toBe(false)
    await ctx.db
      .updateTable('evidence_files')
      .set({ status: 'converting' })
      .where('id', '=', at.pending)
      .execute()
    for (const id of [file, at.pending]) {
      expect(await leaseConversion(ctx, id)).toBeNull()
      const row = await ctx.db
        .selectFrom('evidence_files')
        .where('id', '=', id)
        .selectAll()
        .executeTakeFirstOrThrow()
      expect([row.status, row.converted_key]).toEqual(['pending', null])
    }
  })

  test('but it can be read and downloaded, and an administrator may delete it (D-17)', async () => {
    const at = await scene(status)
    for (const path of [
      `/service-orders/${at.order_id}`,
      `/service-orders/${at.order_id}/history`,
      `/evidence/${at.order_id}/evidence`,
      `/evidence/${at.order_id}/download-all`,
      `/evidence/${at.converted}/download`,
    ])
      expect((await boss.api('GET', path)).statusCode).toBe(200)
    expect((await boss.api('DELETE', `/service-orders/${at.order_id}`)).statusCode).toBe(200)
  })
})
