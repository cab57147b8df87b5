import {
  calendarOf,
  newCalendar,
  readCalendar,
  revokeCalendar,
} from '@garantia/server/features/claims/deadlines'
import { closeMyAccess } from '@garantia/server/features/people/account'
import ICAL from 'ical.js'
import { afterAll, expect, test } from 'vitest'
import { eventKinds } from '../support/event-kinds.ts'
import { startTestApp } from '../support/test-app.ts'

const testApp = await startTestApp()
afterAll(() => testApp[Symbol.asyncDispose]())
const { make } = testApp
const { ctx } = testApp.kernel
const { db } = ctx

const NOW = new Date('2026-11-24T15:00:00Z')
const at = (now: Date) => ({ ...ctx, actor: { kind: 'anonymous' } as const, clock: () => now })
const brand = await make.brand({ display_name: 'Fiat, do Sul; Ação' })
const own = await make.company({ trading_name: 'Auto Sul' })
const foreign = await make.company({ trading_name: 'Outra Casa' })
const user = await make.user({ company_id: own.id, role: 'manager' })
const person = (await testApp.as(user)).ctx

const dueClaim = async (company_id: number, os_number: string, due_on: string) => {
  const closed = { status: 'completed', completed_at: NOW } as const
  const order = await make.order({
    company_id,
    brand_id: brand.id,
    os_number,
    customer_name: 'Clara Cliente',
    ...closed,
  })
  const claim = await make.claim({ order, state: 'sent' })
  await db
    .updateTable('claims')
    .set({ due_kind: 'answer', due_on: due_on as unknown as Date })
    .where('id', '=', claim.id)
    .execute()
  return { ...claim, order }
}
const claim = await dueClaim(own.id, '100001', '2026-12-31')
await dueClaim(own.id, '100002', '2026-11-23')
await dueClaim(foreign.id, '900009', '2026-12-01')

const tokenIn = (address: string | null) =>
  /\/api\/v1\/calendar\/([\w-]{43}\.ics)$/.exec(address ?? '')?.[1] ?? ''
const eventsOf = (text: string) =>
  new ICAL.Component(ICAL.parse(text))
    .getAllSubcomponents('vevent')
    .map((component) => new ICAL.Event(component))
const feed = async (token: string, now = NOW) => eventsOf(await calendarOf(at(now), token))
const missing = { code: 'not_found' }

test('the feed is a calendar of days that a program reads, of the own companies alone', async () => {
  const { address } = await newCalendar(person)
  const token = tokenIn(address)
  const text = await calendarOf(at(NOW), token)
  expect(text.split('\r\n').every((line) => Buffer.byteLength(line) <= 77)).toBe(true)
  expect(text).not.toMatch(/Clara|900009|Outra Casa/)
  const events = eventsOf(text)
  expect(events.map(({ summary, startDate }) => [summary, startDate.isDate, startDate.toString()])).toEqual([
    ['Vencido: OS 100002: Resposta esperada', true, '2026-11-23'],
    ['OS 100001: Resposta esperada', true, '2026-12-31'],
  ])
  expect(events[1]?.description).toBe('Fiat, do Sul; Ação · Auto Sul')
  expect(events[1]?.component.getFirstPropertyValue('url')).toBe(`${ctx.config.app_url}/os/${claim.order.id}`)
  expect(new Set(events.map(({ uid }) => uid)).size).toBe(2)
  expect((await feed(token)).map(({ uid }) => uid)).toEqual(events.map(({ uid }) => uid))
  expect(await readCalendar(person)).toMatchObject({ address: null, last_used_at: NOW.toISOString() })
})

test('the address is kept as a hash, a new one ends the former, and a revoked one is absent', async () => {
  const first = tokenIn((await newCalendar(person)).address)
  const second = tokenIn((await newCalendar(person)).address)
  const rows = await db.selectFrom('calendar_feeds').selectAll().execute()
  expect(JSON.stringify(rows)).not.toContain(second.slice(0, 43))
  await expect(calendarOf(at(NOW), first)).rejects.toMatchObject(missing)
  expect(await feed(second)).toHaveLength(2)
  expect(await revokeCalendar(person)).toEqual({ address: null, created_at: null, last_used_at: null })
  await expect(calendarOf(at(NOW), second)).rejects.toMatchObject(missing)
  expect(await readCalendar(person)).toMatchObject({ created_at: null })
  expect((await eventKinds(db, 'user', user.id)).slice(-3)).toEqual([
    'calendar.opened',
    'calendar.opened',
    'calendar.revoked',
  ])
})

test('the rights are those of now: another company, and nothing for who was deactivated', async () => {
  const token = tokenIn((await newCalendar(person)).address)
  const change = (fields: object) => db.updateTable('users').set(fields).where('id', '=', user.id).execute()
  await change({ company_id: foreign.id })
  expect((await feed(token)).map(({ summary }) => summary)).toEqual(['OS 900009: Resposta esperada'])
  await change({ is_active: false })
  await expect(calendarOf(at(NOW), token)).rejects.toMatchObject(missing)
  await change({ is_active: true, company_id: own.id })
  expect(await feed(token)).toHaveLength(2)
})

test('the address ends with the API tokens of its person, and not with their sessions alone', async () => {
  const token = tokenIn((await newCalendar(person)).address)
  await closeMyAccess(person, { revoke_tokens: false })
  expect(await feed(token)).toHaveLength(2)
  await closeMyAccess(person, { revoke_tokens: true })
  await expect(calendarOf(at(NOW), token)).rejects.toMatchObject(missing)
})

test('an address is read at most sixty times an hour, and guesses are limited too', async () => {
  const token = tokenIn((await newCalendar((await testApp.as(user)).ctx)).address)
  const later = new Date(NOW.getTime() + 7_200_000)
  for (let n = 0; n < 60; n++) await calendarOf(at(later), token)
  await expect(calendarOf(at(later), token)).rejects.toMatchObject({ code: 'too_many' })
  expect(await feed(token, new Date(later.getTime() + 3_600_001))).toHaveLength(2)
  for (let n = 0; n < 30; n++) await expect(calendarOf(at(later), `x${n}`)).rejects.toMatchObject(missing)
  await expect(calendarOf(at(later), 'x')).rejects.toMatchObject({ code: 'too_many' })
})
