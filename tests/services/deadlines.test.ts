import { linkVisits, runningLimits } from '@garantia/server/features/claims/deadlines'
import { listOrders } from '@garantia/server/features/orders/list'
import { tellDeadlines } from '@garantia/server/features/orders/order'
import {
  chooseDigest,
  listNotifications,
  markRead,
  sendDigests,
} from '@garantia/server/features/people/notifications'
import { notificationText } from '@garantia/shared/notifications/schema'
import { afterAll, expect, test } from 'vitest'
import { startTestApp } from '../support/test-app.ts'

const testApp = await startTestApp()
afterAll(() => testApp[Symbol.asyncDispose]())
const { make } = testApp
const { ctx } = testApp.kernel

const NOW = new Date('2026-11-23T13:00:00Z')
const at = (now: Date) => ({ ...ctx, clock: () => now })
const daysAgo = (days: number, hour = '15') => {
  const day = new Date(NOW.getTime() - days * 86_400_000)
  return new Date(`${day.toISOString().slice(0, 10)}T${hour}:00:00Z`)
}
const matriz = await make.company()
const company = await make.company({ parent_id: matriz.id })
const empty = await make.company({ parent_id: matriz.id })
const person = async (full_name: string, fields: object = {}) => {
  const user = await make.user({ full_name, company_id: company.id, ...fields })
  const own = (await testApp.as(user)).ctx
  const texts = async () =>
    (await listNotifications(own, {})).notifications
      .map((one) => `${notificationText(one)} (${one.text})`)
      .sort()
  return { id: user.id, ctx: own, texts }
}
const tina = await person('Tina', { email: 'tina@exemplo.com.br' })
const gil = await person('Gil', { role: 'manager' })
const rui = await person('Rui', { role: 'manager', company_id: matriz.id })
const eva = await person('Eva', { role: 'manager', company_id: (await make.company()).id })
const gone = await make.user({ company_id: company.id, is_active: false })
const order = (os_number: string, opened_at: Date, fields: object = {}) =>
  make.order({ os_number, company_id: company.id, opened_at, ...fields })
const everybody = async () =>
  Object.fromEntries(
    await Promise.all(
      Object.entries({ tina, gil, rui, eva }).map(async ([name, { texts }]) => [name, await texts()]),
    ),
  )

test('a deadline is told three days before it and when it has passed, once, to the responsible person or the managers', async () => {
  const own = { responsible_user_id: tina.id }
  await order('100026', daysAgo(26), own)
  await order('100027', daysAgo(27), own)
  // Days are those of Brasília: at 2 h UTC it is still the day before there.
  await order('100029', daysAgo(28, '02'), own)
  await order('100030', daysAgo(30), own)
  await order('100037', daysAgo(37))
  await order('100038', daysAgo(38), own)
  await order('200027', daysAgo(27), { responsible_user_id: gone.id })
  await order('300030', daysAgo(30), { company_id: empty.id })
  await order('400030', daysAgo(30), { ...own, status: 'completed', completed_at: NOW })
  await order('500030', daysAgo(30), { ...own, deleted_at: NOW })
  const told = {
    tina: [
      'A OS 100027 está perto do prazo (Prazo: 26/11/2026)',
      'A OS 100029 está perto do prazo (Prazo: 24/11/2026)',
      'A OS 100030 passou do prazo (Prazo: 23/11/2026)',
    ],
    gil: [
      'A OS 100037 passou do prazo (Prazo: 16/11/2026)',
      'A OS 200027 está perto do prazo (Prazo: 26/11/2026)',
    ],
    rui: ['A OS 300030 passou do prazo (Prazo: 23/11/2026)'],
    eva: [],
  }
  const counts = await Promise.all([tellDeadlines(at(NOW)), tellDeadlines(at(NOW)), tellDeadlines(at(NOW))])
  expect(counts.reduce((sum, count) => sum + count)).toBe(6)
  expect(await everybody()).toEqual(told)
  await markRead(tina.ctx)
  expect(await tellDeadlines(at(NOW))).toBe(0)
  expect(await everybody()).toEqual(told)
  await markRead(gil.ctx)
})

test('the next day tells what has come nearer, and the daily mail has it', async () => {
  await chooseDigest(tina.ctx, true)
  const tomorrow = at(new Date(NOW.getTime() + 86_400_000))
  expect(await tellDeadlines(tomorrow)).toBe(2)
  expect(await sendDigests(tomorrow)).toBe(1)
  const { body } = await ctx.db
    .selectFrom('mails')
    .where('recipient', '=', 'tina@exemplo.com.br')
    .select('body')
    .executeTakeFirstOrThrow()
  expect(body).toContain('A OS 100026 está perto do prazo')
  expect(body).toContain('A OS 100029 passou do prazo')
})

test('visits for one defect are told by the days of all of them, at the one that goes on', async () => {
  const place = await make.company()
  const lia = await person('Lia', { company_id: place.id })
  const vehicle = { company_id: place.id, vehicle_chassis: '9BGRD08X04G117974', responsible_user_id: lia.id }
  const former = []
  for (const days of [90, 70, 50])
    former.push(
      await make.order({
        ...vehicle,
        opened_at: daysAgo(days),
        status: 'completed',
        completed_at: daysAgo(days - 9),
      }),
    )
  const open = await make.order({ ...vehicle, os_number: '500009', opened_at: daysAgo(9) })
  const now = at(NOW)
  const limits = () => runningLimits(now, [place.id])
  const days = async () =>
    (await listOrders(now, { company_id: [place.id] })).items.map((one) => [one.legal_days, one.legal_visits])
  await tellDeadlines(now, await limits())
  expect([await lia.texts(), await days()]).toEqual([[], Array(4).fill([9, 1])])
  for (const { id } of former) await linkVisits(now, { order_id: open.id, with_order_id: id })
  expect(await limits()).toEqual([{ order_id: open.id, due_on: '2026-11-17' }])
  expect(await tellDeadlines(now, await limits())).toBe(1)
  expect(await lia.texts()).toEqual([expect.stringContaining('(Prazo: 17/11/2026)')])
  expect(await tellDeadlines(now, await limits())).toBe(0)
  expect(await days()).toEqual(Array(4).fill([36, 4]))
})
