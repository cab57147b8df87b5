import {
  changeIncident,
  listIncidents,
  openIncident,
  readCustomerRetention,
  readRegister,
  saveRegister,
  setCustomerRetention,
  switchCustomerRetention,
} from '@garantia/server/features/records/compliance'
import { REGISTER_TEMPLATE } from '@garantia/shared/privacy/register'
import { afterAll, expect, test } from 'vitest'
import { incident } from '../support/incident.ts'
import { startTestApp } from '../support/test-app.ts'

const testApp = await startTestApp()
afterAll(() => testApp[Symbol.asyncDispose]())
const { ctx } = await testApp.as(await testApp.make.user({ role: 'admin', full_name: 'Ada Admin' }))

test('the register starts with the text of the product, and every version is kept', async () => {
  expect(await readRegister(ctx)).toMatchObject({ version: 0, content: REGISTER_TEMPLATE, versions: [] })
  const named = { ...REGISTER_TEMPLATE, controller: 'Auto Ltda' }
  expect(await saveRegister(ctx, { version: 0, content: named })).toMatchObject({
    version: 1,
    actor_name: 'Ada Admin',
    content: named,
  })
  await saveRegister(ctx, { version: 1, content: { ...named, officer: 'Bia' } })
  const { versions, content } = await readRegister(ctx)
  expect([content.officer, versions.map(({ version }) => version)]).toEqual(['Bia', [2, 1]])
  expect((await readRegister(ctx, 1)).content.officer).toBe('')
  await expect(readRegister(ctx, 3)).rejects.toMatchObject({ code: 'not_found' })
})

test('of two who save the same version one is told, also at the same moment', async () => {
  const { version, content } = await readRegister(ctx)
  const saved = await Promise.allSettled([1, 2, 3].map(() => saveRegister(ctx, { version, content })))
  expect(saved.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  for (const one of saved)
    if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'conflict' })
})

test('an incident has its deadline, and a change that did not see the last one is refused', async () => {
  const { id, version, deadline } = await openIncident(ctx, incident())
  expect([version, deadline]).toEqual([1, '2026-11-24'])
  const changed = await changeIncident(ctx, { id, version, content: incident({ is_small_agent: true }) })
  expect(changed).toMatchObject({ version: 2, deadline: '2026-11-27', actor_name: 'Ada Admin' })
  await expect(changeIncident(ctx, { id, version, content: incident() })).rejects.toMatchObject({
    code: 'conflict',
  })
  await expect(changeIncident(ctx, { id: 999_999, version, content: incident() })).rejects.toMatchObject({
    code: 'not_found',
  })
  expect(await listIncidents(ctx)).toEqual([changed])
  const known_at = new Date(ctx.clock().getTime() + 60_000).toISOString()
  await expect(openIncident(ctx, incident({ known_at }))).rejects.toMatchObject({ code: 'invalid' })
})

test('orders over the time are counted and listed, without those under legal hold; nothing is removed', async () => {
  const monthsAgo = (months: number) => {
    const at = new Date(ctx.clock())
    at.setUTCMonth(at.getUTCMonth() - months)
    return at
  }
  const order = (months: number, fields: object = {}) =>
    testApp.make.order({
      status: 'completed',
      completed_at: monthsAgo(months),
      customer_phone: '11987654321',
      ...fields,
    })
  const oldest = await order(70)
  const cancelled = await order(65, { status: 'cancelled', completed_at: null, cancelled_at: monthsAgo(65) })
  const later = await order(30)
  await order(80, { customer_phone: null })
  await order(80, { status: 'in_progress', completed_at: null, opened_at: monthsAgo(90) })
  await order(80, { legal_hold_at: new Date(), legal_hold_reason: 'Processo 1' })
  const ids = ({ due }: Awaited<ReturnType<typeof readCustomerRetention>>) => due.map(({ id }) => id)
  const first = await readCustomerRetention(ctx)
  expect(first).toMatchObject({ months: 60, changed_at: null, due_count: 2, held_count: 1 })
  expect(ids(first)).toEqual([oldest.id, cancelled.id])
  const shorter = await setCustomerRetention(ctx, { months: 24 })
  expect(shorter).toMatchObject({ months: 24, actor_name: 'Ada Admin', due_count: 3, held_count: 1 })
  expect(ids(shorter)).toEqual([oldest.id, cancelled.id, later.id])
  expect((await setCustomerRetention(ctx, { months: 60 })).due_count).toBe(2)
})

test('only a superuser switches the nightly run on, for the time that was looked at; another time switches it off (D-87)', async () => {
  const boss = (await testApp.as(await testApp.make.user({ is_superuser: true }))).ctx
  const on = { months: 60, is_applied: true }
  await expect(switchCustomerRetention(ctx, on)).rejects.toMatchObject({ code: 'forbidden' })
  await expect(switchCustomerRetention(boss, { ...on, months: 59 })).rejects.toMatchObject({
    code: 'conflict',
  })
  expect(await switchCustomerRetention(boss, on)).toMatchObject(on)
  expect((await setCustomerRetention(ctx, { months: 60 })).is_applied).toBe(true)
  expect((await setCustomerRetention(ctx, { months: 61 })).is_applied).toBe(false)
})
