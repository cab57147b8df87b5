import { comment, listComments, listMentionable } from '@garantia/server/features/orders/comments'
import { changeOrder, openOrder, readHistory, setStatus } from '@garantia/server/features/orders/order'
import {
  chooseDigest,
  countUnread,
  forgetOldNotifications,
  listNotifications,
  markRead,
  sendDigests,
} from '@garantia/server/features/people/notifications'
import { notificationText } from '@garantia/shared/notifications/schema'
import { UNREAD_MAX } from '@garantia/shared/notifications/unread'
import { sql } from 'kysely'
import { afterAll, describe, expect, test } from 'vitest'
import { startTestApp } from '../support/test-app.ts'

const testApp = await startTestApp()
afterAll(() => testApp[Symbol.asyncDispose]())
const { make } = testApp
const { db } = testApp.kernel.ctx

const brand = await make.brand()
const matriz = await make.company()
const company = await make.company({ parent_id: matriz.id })
const foreign = await make.company()
const person = async (full_name: string, fields: object = {}) => {
  const user = await make.user({ full_name, company_id: company.id, ...fields })
  return { ...user, ctx: (await testApp.as(user)).ctx }
}
const ana = await person('Ana Lima', { role: 'manager', email: 'ana@exemplo.com.br' })
const teo = await person('Téo Tavares', { email: 'teo@exemplo.com.br' })
const rui = await person('Rui Regional', { role: 'manager', company_id: matriz.id })
const eva = await person('Eva Externa', { company_id: foreign.id })
const ivo = await make.user({ full_name: 'Ivo Inativo', company_id: company.id, is_active: false })
const order = (fields: object = {}) =>
  make.order({ brand_id: brand.id, company_id: company.id, created_by: ana.id, ...fields })
const textsOf = async ({ ctx }: typeof ana) =>
  (await listNotifications(ctx, {})).notifications.map((one) => [notificationText(one), one.text])

describe('a comment', () => {
  test('is part of the history, and tells those who are mentioned and who work on the order, but not its author', async () => {
    const { id, os_number } = await order({ technician_user_id: teo.id })
    await comment(ana.ctx, { id, comment: '@Rui Regional, falta a foto do chassi', mentions: [rui.id] })
    expect(await textsOf(rui)).toEqual([
      [
        `Ana Lima mencionou você em um comentário na OS ${os_number}`,
        '@Rui Regional, falta a foto do chassi',
      ],
    ])
    expect(await textsOf(teo)).toEqual([
      [`Ana Lima comentou na OS ${os_number}`, '@Rui Regional, falta a foto do chassi'],
    ])
    expect(await textsOf(ana)).toEqual([])
    const { comments, has_more } = await listComments(teo.ctx, { id })
    expect([comments.map((one) => [one.actor_name, one.comment]), has_more]).toEqual([
      [['Ana Lima', '@Rui Regional, falta a foto do chassi']],
      false,
    ])
    const { events } = await readHistory(teo.ctx, { id })
    expect(events[0]).toMatchObject({ kind: 'comment', actor_name: 'Ana Lima' })
    await markRead(rui.ctx)
    await markRead(teo.ctx)
  })

  test('mentions only active people who may read the order', async () => {
    const { id } = await order()
    const names = (await listMentionable(ana.ctx, id)).map(({ full_name }) => full_name)
    expect(names).toEqual(expect.arrayContaining(['Ana Lima', 'Rui Regional', 'Téo Tavares']))
    expect(names).not.toContain('Eva Externa')
    expect(names).not.toContain('Ivo Inativo')
    for (const { id: mentioned, full_name } of [eva, ivo])
      await expect(
        comment(ana.ctx, { id, comment: `@${full_name}, veja`, mentions: [mentioned] }),
      ).rejects.toMatchObject({ detail: [{ msg: 'Quem você mencionou não pode ver esta OS' }] })
    await expect(comment(eva.ctx, { id, comment: 'Olá', mentions: [] })).rejects.toMatchObject({
      detail: 'Ordem de serviço não encontrada',
    })
    expect((await listComments(ana.ctx, { id })).comments).toEqual([])
  })

  test('mentions also the last of six hundred people', async () => {
    const large = await make.company()
    await sql`
      insert into users (email, full_name, password_hash, company_id, role, is_active)
        select 'p' || n || '@exemplo.com.br', 'Pessoa ' || lpad(n::text, 3, '0'), 'x', ${large.id}, 'technician', true
          from generate_series(1, 600) n`.execute(db)
    const { id } = await make.order({ brand_id: brand.id, company_id: large.id })
    const lia = await person('Lia', { role: 'manager', company_id: large.id })
    const last = (await listMentionable(lia.ctx, id)).find(({ full_name }) => full_name === 'Pessoa 600')
    await comment(lia.ctx, { id, comment: '@Pessoa 600, veja', mentions: [last?.id ?? 0] })
    const told = await db.selectFrom('notifications').where('order_id', '=', id).select('user_id').execute()
    expect(told).toEqual([{ user_id: last?.id }])
  })

  test('is possible on a closed order; ten a page', async () => {
    const { id } = await order({ status: 'completed', completed_at: new Date() })
    for (let n = 1; n <= 11; n++) await comment(ana.ctx, { id, comment: `Nº ${n}`, mentions: [] })
    const first = await listComments(ana.ctx, { id })
    expect(first.comments.map((one) => one.comment)).toEqual(
      Array.from({ length: 10 }, (_, i) => `Nº ${11 - i}`),
    )
    const before = first.comments.at(-1)?.id
    expect(await listComments(ana.ctx, { id, before })).toMatchObject({
      comments: [{ comment: 'Nº 1' }],
      has_more: false,
    })
  })
})

describe('a notification', () => {
  test('tells who gets an order, is asked for evidence, or has it back', async () => {
    const opened = await openOrder(ana.ctx, {
      os_number: '700001',
      brand_id: brand.id,
      company_id: company.id,
      technician_user_id: teo.id,
    } as never)
    const handed = await order({ os_number: '700002' })
    await changeOrder(ana.ctx, { id: handed.id, change: { technician_user_id: teo.id } } as never)
    await setStatus(ana.ctx, opened.id, { status: 'pending_upload' } as never)
    await setStatus(ana.ctx, opened.id, { status: 'pending', reason: 'Falta o laudo' } as never)
    expect(await textsOf(teo)).toEqual(
      expect.arrayContaining([
        ['Ana Lima passou para você a OS 700001', null],
        ['Ana Lima passou para você a OS 700002', null],
        ['Ana Lima pediu evidências na OS 700001', null],
        ['Ana Lima marcou como pendente a OS 700001', 'Falta o laudo'],
      ]),
    )
    // What somebody does to themselves is no news.
    await changeOrder(teo.ctx, { id: handed.id, change: { technician_user_id: null } } as never)
    await changeOrder(teo.ctx, { id: handed.id, change: { technician_user_id: teo.id } } as never)
    expect((await textsOf(teo)).filter(([text]) => text?.includes('700002'))).toHaveLength(1)
    await markRead(teo.ctx)
  })

  test('is counted while it is not read, and new afterwards', async () => {
    const { id, os_number } = await order({ technician_user_id: teo.id })
    for (const text of ['um', 'dois', 'três']) await comment(ana.ctx, { id, comment: text, mentions: [] })
    expect(await textsOf(teo)).toContainEqual([`Ana Lima comentou na OS ${os_number} (3 vezes)`, 'três'])
    expect(await countUnread(teo.ctx)).toEqual({ unread: 1 })
    const { notifications } = await listNotifications(teo.ctx, { limit: 1 })
    expect(await markRead(teo.ctx, [notifications[0]?.id ?? 0])).toEqual({ unread: 0 })
    await comment(ana.ctx, { id, comment: 'quatro', mentions: [] })
    expect(await countUnread(teo.ctx)).toEqual({ unread: 1 })
    await markRead(teo.ctx)
  })

  test('of an order that is deleted, or now in a company of others, is not shown', async () => {
    const [gone, moved] = [
      await order({ technician_user_id: teo.id }),
      await order({ technician_user_id: teo.id }),
    ]
    for (const { id } of [gone, moved]) await comment(ana.ctx, { id, comment: 'Veja', mentions: [] })
    expect(await countUnread(teo.ctx)).toEqual({ unread: 2 })
    await db.updateTable('service_orders').set({ deleted_at: new Date() }).where('id', '=', gone.id).execute()
    await db
      .updateTable('service_orders')
      .set({ company_id: foreign.id })
      .where('id', '=', moved.id)
      .execute()
    expect(await countUnread(teo.ctx)).toEqual({ unread: 0 })
    const shown = (await listNotifications(teo.ctx, {})).notifications.map((one) => one.order_id)
    expect(shown).not.toContain(gone.id)
    expect(shown).not.toContain(moved.id)
  })

  test('begins with whole characters of a long text', async () => {
    const { id } = await order({ technician_user_id: teo.id })
    await comment(ana.ctx, { id, comment: `${'a'.repeat(199)}😀 e mais`, mentions: [] })
    const { notifications } = await listNotifications(teo.ctx, { limit: 1 })
    expect(notifications[0]?.text).toBe(`${'a'.repeat(199)}😀`)
    await markRead(teo.ctx)
  })

  test('belongs to one person: nobody else reads or marks it', async () => {
    const { id } = await order({ technician_user_id: teo.id })
    await comment(ana.ctx, { id, comment: 'Veja', mentions: [] })
    const all = (await listNotifications(teo.ctx, { limit: 100 })).notifications
    await markRead(rui.ctx, [all[0]?.id ?? 0])
    expect(await countUnread(teo.ctx)).toEqual({ unread: 1 })
    expect((await listNotifications(teo.ctx, { limit: 2 })).notifications).toEqual(all.slice(0, 2))
  })

  test('older than six months is forgotten', async () => {
    const { id } = await order({ technician_user_id: teo.id })
    await comment(ana.ctx, { id, comment: 'Antigo', mentions: [] })
    const old = new Date()
    old.setUTCMonth(old.getUTCMonth() - 7)
    await db.updateTable('notifications').set({ at: old }).where('order_id', '=', id).execute()
    await forgetOldNotifications(testApp.kernel.ctx)
    const left = await db.selectFrom('notifications').where('order_id', '=', id).selectAll().execute()
    expect(left).toEqual([])
  })
})

test('the daily mail goes to those who asked for it, with what is new and not read, and names no customer', async () => {
  await markRead(teo.ctx)
  const { id } = await order({
    technician_user_id: teo.id,
    customer_name: 'Clara Cliente',
    os_number: '700009',
  })
  await comment(ana.ctx, { id, comment: 'A Clara Cliente ligou', mentions: [] })
  expect(await sendDigests(testApp.kernel.ctx)).toBe(0)
  await chooseDigest(teo.ctx, true)
  await chooseDigest(ana.ctx, true)
  expect(await sendDigests(testApp.kernel.ctx)).toBe(1)
  const [mail] = await db
    .selectFrom('mails')
    .where('recipient', '=', 'teo@exemplo.com.br')
    .selectAll()
    .execute()
  expect(mail?.subject).toBe('Garantia: resumo do dia, 1 notificação')
  for (const content of [mail?.body, mail?.html]) {
    expect(content).toContain('Ana Lima comentou na OS 700009')
    expect(content).not.toContain('Clara')
  }
  // What is no longer in one's scope is in no mail either.
  const moveTo = (company_id: number) =>
    db.updateTable('service_orders').set({ company_id }).where('id', '=', id).execute()
  await moveTo(foreign.id)
  expect(await sendDigests(testApp.kernel.ctx)).toBe(0)
  await moveTo(company.id)
  await markRead(teo.ctx)
  expect(await sendDigests(testApp.kernel.ctx)).toBe(0)
})

test('the daily mail is sent once a day by however many workers, and not lost when one fails', async () => {
  const { ctx } = testApp.kernel
  const { id } = await order({ technician_user_id: teo.id })
  const tomorrow = new Date(Date.now() + 86_400_000)
  const at = { ...ctx, clock: () => tomorrow }
  await comment(ana.ctx, { id, comment: 'Veja', mentions: [] })
  await sql`update notifications set at = ${tomorrow} where order_id = ${id}`.execute(db)
  const mails = () =>
    db
      .selectFrom('mails')
      .where('recipient', '=', 'teo@exemplo.com.br')
      .select('id')
      .execute()
      .then((rows) => rows.length)
  const before = await mails()
  // The job cannot be queued, so that the whole mail is undone.
  await sql`alter table mails add constraint no_mail check (false) not valid`.execute(testApp.owner.db)
  await expect(sendDigests(at)).rejects.toThrow()
  await sql`alter table mails drop constraint no_mail`.execute(testApp.owner.db)
  const sent = await Promise.all([sendDigests(at), sendDigests(at), sendDigests(at)])
  expect(sent.sort()).toEqual([0, 0, 1])
  expect(await mails()).toBe(before + 1)
  expect(await sendDigests(at)).toBe(0)
  await markRead(teo.ctx)
})

test('the unread ones are counted up to one hundred', async () => {
  for (let n = 0; n < 104; n++) {
    const { id } = await order()
    await db
      .insertInto('notifications')
      .values({ user_id: teo.id, order_id: id, kind: 'comment', actor_name: 'Ana', at: new Date() })
      .execute()
  }
  expect(await countUnread(teo.ctx)).toEqual({ unread: UNREAD_MAX + 1 })
  expect(await markRead(teo.ctx)).toEqual({ unread: 0 })
})
