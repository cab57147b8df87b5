import { deadlineLines } from '@garantia/server/features/claims/deadlines'
import {
  chooseDeadlineMail,
  chooseDigest,
  readDigestChoice,
  sendDigests,
} from '@garantia/server/features/people/notifications'
import { afterAll, expect, test } from 'vitest'
import { startTestApp } from '../support/test-app.ts'

const testApp = await startTestApp()
afterAll(() => testApp[Symbol.asyncDispose]())
const { make } = testApp
const { ctx } = testApp.kernel
const { db } = ctx

const TUESDAY = new Date('2026-11-24T10:00:00Z')
const DAY_MS = 86_400_000
const on = (days: number) => ({ ...ctx, clock: () => new Date(TUESDAY.getTime() + days * DAY_MS) })
const send = (days: number) => sendDigests(on(days), { deadlinesOf: deadlineLines })
const mailsTo = (recipient: string) =>
  db.selectFrom('mails').where('recipient', '=', recipient).orderBy('id').selectAll().execute()

const brand = await make.brand({ display_name: 'Fiat' })
const own = await make.company()
const foreign = await make.company()
const person = async (email: string, fields: object) => {
  const user = await make.user({ email, full_name: 'Gil Gestor', company_id: own.id, ...fields })
  return { ...user, ctx: (await testApp.as(user)).ctx }
}
const manager = await person('gil@exemplo.com.br', { role: 'manager' })
const technician = await person('tina@exemplo.com.br', {})
await person('eva@exemplo.com.br', { company_id: (await make.company()).id, role: 'manager' })
await make.user({ email: 'ido@exemplo.com.br', company_id: own.id, role: 'manager', is_active: false })

const claimOf = async (company_id: number, os_number: string, due: number, fields: object = {}) => {
  const order = await make.order({
    company_id,
    brand_id: brand.id,
    os_number,
    customer_name: 'Clara Cliente',
    status: 'completed',
    completed_at: TUESDAY,
    ...fields,
  })
  const { id } = await make.claim({ order, state: 'sent' })
  const due_on = new Date(TUESDAY.getTime() + due * DAY_MS).toISOString().slice(0, 10)
  await db
    .updateTable('claims')
    .set({ due_kind: 'answer', due_on: due_on as unknown as Date })
    .where('id', '=', id)
    .execute()
}
await claimOf(own.id, '100001', -1)
await claimOf(own.id, '100002', 5, { responsible_user_id: technician.id })
await claimOf(own.id, '100003', 60)
await claimOf(foreign.id, '900009', 1)

test('on a working day a person has one mail with what is overdue or will be, within their scope and by role', async () => {
  expect(await send(0)).toBe(2)
  const [mail] = await mailsTo(manager.email)
  expect(mail?.subject).toBe('Garantia: resumo do dia, 2 prazos')
  for (const text of [mail?.body, mail?.html]) {
    expect(text).toContain('23/11 (vencido): OS 100001, resposta esperada, Fiat')
    expect(text).toContain('29/11: OS 100002, resposta esperada, Fiat')
    expect(text).not.toMatch(/Clara|100003|900009/)
  }
  const [own] = await mailsTo(technician.email)
  expect(own?.body).toContain('OS 100002')
  expect(own?.body).not.toContain('100001')
  expect(await mailsTo('eva@exemplo.com.br')).toEqual([])
  expect(await mailsTo('ido@exemplo.com.br')).toEqual([])
  expect(await send(0)).toBe(0)
})

test('not on a weekend, and once more on Monday', async () => {
  expect(await send(4)).toBe(0)
  expect(await send(5)).toBe(0)
  expect(await send(6)).toBe(2)
})

test('what was not read comes in the same mail, and who wants neither has none', async () => {
  expect(await readDigestChoice(manager.ctx)).toEqual({ wants_digest: false, wants_deadline_mail: true })
  await chooseDigest(manager.ctx, true)
  const order = await make.order({ company_id: own.id, os_number: '700007', brand_id: brand.id })
  const tell = (days: number) =>
    db
      .insertInto('notifications')
      .values({
        user_id: manager.id,
        order_id: order.id,
        kind: 'comment',
        actor_name: 'Ana Lima',
        details: '{"text":"Veja"}',
        at: on(days).clock(),
      })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  await tell(7)
  await send(7)
  const both = (await mailsTo(manager.email)).at(-1)
  expect(both?.subject).toMatch(/1 notificação e \d prazos$/)
  expect(both?.body).toMatch(/venceu ou vence[\s\S]*100001[\s\S]*ainda não foi lido[\s\S]*700007/)
  expect(await chooseDeadlineMail(manager.ctx, false)).toEqual({
    wants_digest: true,
    wants_deadline_mail: false,
  })
  await db.deleteFrom('notifications').execute()
  const before = (await mailsTo(manager.email)).length
  await send(8)
  expect(await mailsTo(manager.email)).toHaveLength(before)
})
