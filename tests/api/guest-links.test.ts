import {
  listGuestLinks,
  makeGuestLink,
  revokeGuestLink,
} from '@garantia/server/features/evidence/guest-links'
import { readHistory } from '@garantia/server/features/orders/order'
import { listNotifications } from '@garantia/server/features/people/notifications'
import { GUEST_LINKS_MAX, type GuestView } from '@garantia/shared/evidence/guest-link'
import { afterAll, expect, test } from 'vitest'
import { guestHeaders, guestOf, linkInput } from '../support/guest-link.ts'
import { picture } from '../support/make.ts'
import { type Caller, startTestApp } from '../support/test-app.ts'
import { CHUNK_CONTENT_TYPE, chunkHeaders, createUpload, creationHeaders, TUS } from '../support/tus.ts'

const testApp = await startTestApp()
afterAll(() => testApp[Symbol.asyncDispose]())
const { ctx } = testApp.kernel
const boss = await testApp.as(await testApp.make.user({ is_superuser: true, full_name: 'Ana Lima' }))

const viewOf = async (guest: Caller) => {
  const answer = await guest.api('GET', '/guest')
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json() as GuestView
}
/** Sends a file at once, as the page does with photos of up to 2 MiB. */
const send = async (guest: Caller, fields: Record<string, string | number> = {}, content?: Buffer) => {
  const body = content ?? (await picture())
  return guest.api('POST', '/guest/uploads', body, {
    ...creationHeaders(body.length, { filename: 'foto.jpg', category: 'placa', ...fields }),
    'content-type': CHUNK_CONTENT_TYPE,
  })
}
const refused = async (answer: Promise<{ statusCode: number; json(): { detail: unknown } }>) => {
  const { statusCode, json } = await answer
  const { detail } = json.call(await answer)
  return [statusCode, Array.isArray(detail) ? (detail[0] as { msg: string }).msg : detail]
}

test('a link takes photos of its order from somebody without an account, and names itself with each', async () => {
  const order = await testApp.make.order({ vehicle_plate: 'ABC1D23', customer_name: 'Cliente Secreto' })
  const { link, guest } = await guestOf(testApp, boss, order.id)
  await testApp.make.converted({ order_id: order.id })
  const before = await guest.api('GET', '/guest')
  expect(before.body).not.toMatch(new RegExp(`Cliente Secreto|${order.os_number}`))
  expect(before.json()).toMatchObject({
    label: 'Mecânico João',
    order: { vehicle_plate: 'ABC1D23' },
    categories: ['placa', 'odometro'],
    files_left: 30,
    files: [],
  })
  const sent = await send(guest)
  expect(sent.statusCode, sent.body).toBe(201)
  expect(sent.json()).toEqual({ skipped: [] })
  const view = await viewOf(guest)
  expect(view.files_left).toBe(29)
  expect(view.files).toMatchObject([{ category: 'placa', filename: 'foto.jpg', has_thumbnail: false }])

  const { id } = await ctx.db
    .selectFrom('evidence_files')
    .where('order_id', '=', order.id)
    .where('guest_link_id', '=', link.id)
    .select('id')
    .executeTakeFirstOrThrow()
  const detail = (await boss.api('GET', `/evidence/${id}`)).json()
  expect(detail).toMatchObject({ guest_link: 'Mecânico João', uploaded_by_name: 'Ana Lima' })
  const { events } = await readHistory(boss.ctx, { id: order.id })
  expect(events.find(({ kind }) => kind === 'evidence.uploaded')?.changes).toMatchObject({
    evidence_id: id,
    guest_link: 'Mecânico João',
  })
  expect(events.find(({ kind }) => kind === 'guest_link.made')?.changes).toMatchObject({
    guest_link: 'Mecânico João',
  })
  expect((await listNotifications(boss.ctx, {})).notifications[0]).toMatchObject({
    kind: 'evidence.from_guest',
    order_id: order.id,
    text: 'Mecânico João',
    times: 1,
  })
  expect(await listGuestLinks(boss.ctx, order.id)).toMatchObject([{ id: link.id, files: 1 }])
})

test('a large file goes in pieces and is resumed, by the guest alone', async () => {
  const order = await testApp.make.order()
  const { guest } = await guestOf(testApp, boss, order.id)
  const { guest: other } = await guestOf(testApp, boss, order.id, { label: 'Outro' })
  const content = Buffer.concat([await picture(), Buffer.alloc(100_000, 3)])
  const begun = await guest.api(
    'POST',
    '/guest/uploads',
    undefined,
    creationHeaders(content.length, { filename: 'a.jpg', category: 'placa' }),
  )
  const path = String(begun.headers.location).replace('/api/v1', '')
  expect(path).toMatch(/^\/guest\/uploads\/[\w-]+$/)
  const half = content.length >> 1
  expect((await guest.api('PATCH', path, content.subarray(0, half), chunkHeaders(0))).statusCode).toBe(204)
  expect((await guest.api('HEAD', path, undefined, TUS)).headers['upload-offset']).toBe(String(half))
  // Neither its maker, nor another link of the same person.
  const own = path.replace('/guest', '')
  expect((await boss.api('HEAD', own, undefined, TUS)).statusCode).toBe(404)
  expect((await other.api('HEAD', path, undefined, TUS)).statusCode).toBe(404)
  const bosses = await createUpload(boss, order.id, 1_000)
  expect((await guest.api('DELETE', `/guest${bosses}`, undefined, TUS)).statusCode).toBe(404)
  const last = await guest.api('PATCH', path, content.subarray(half), chunkHeaders(half))
  expect([last.statusCode, last.json()]).toEqual([200, { skipped: [] }])
  const again = await send(guest, {}, content)
  expect(again.json().skipped).toEqual([{ filename: 'foto.jpg', detail: 'Este arquivo já está na OS.' }])
})

test('it learns no id of order or file, and not whether the order had a file already', async () => {
  const order = await testApp.make.order()
  const { guest, link } = await guestOf(testApp, boss, order.id, { max_files: 5 })
  const [own, foreign] = [await picture(), Buffer.concat([await picture(), Buffer.from('foreign')])]
  const by = await guestOf(testApp, boss, order.id, { label: 'Outro' })
  expect((await send(by.guest, {}, foreign)).statusCode).toBe(201)

  const answers = [await send(guest, {}, own), await send(guest, {}, foreign)]
  for (const { statusCode, headers, body } of answers) {
    expect([statusCode, JSON.parse(body)]).toEqual([201, { skipped: [] }])
    expect(headers).not.toHaveProperty('upload-evidence-id')
  }
  // Sent again, both are as before.
  await send(guest, {}, own)
  await send(guest, {}, foreign)
  const view = await viewOf(guest)
  expect(view.files_left).toBe(3)
  expect(view.files.map(({ filename, category }) => [filename, category])).toEqual([
    ['foto.jpg', 'placa'],
    ['foto.jpg', 'placa'],
  ])
  const rows = await ctx.db
    .selectFrom('evidence_files')
    .where('order_id', '=', order.id)
    .select('id')
    .execute()
  expect(rows).toHaveLength(2)

  const begun = await guest.api(
    'POST',
    '/guest/uploads',
    undefined,
    creationHeaders(100, { filename: 'a.jpg', category: 'placa' }),
  )
  const path = String(begun.headers.location).replace('/api/v1', '')
  const { 'upload-metadata': metadata } = (await guest.api('HEAD', path, undefined, TUS)).headers
  expect(metadata).toContain('filename ')
  expect(metadata).not.toContain('order_id')
  // Neither ids of the database, nor those of what another link has sent.
  expect(view.files.every(({ id }) => /^[0-9a-f-]{36}$/.test(id))).toBe(true)
  const [theirs] = (await viewOf(by.guest)).files
  const thumbnail = async (id: unknown) => {
    const { statusCode, body } = await guest.api('GET', `/guest/files/${id}/thumbnail`)
    return [statusCode, body]
  }
  const absent = await thumbnail('00000000-0000-4000-8000-000000000000')
  expect(absent[0]).toBe(404)
  expect(await thumbnail(theirs?.id)).toEqual(absent)
  expect((await thumbnail(rows[0]?.id))[0]).toBe(422)
  expect((await listGuestLinks(boss.ctx, order.id)).find(({ id }) => id === link.id)).toMatchObject({
    files: 3,
  })
})

test('it sees its own photos alone, and its token opens nothing else', async () => {
  const order = await testApp.make.order()
  const { link, guest } = await guestOf(testApp, boss, order.id)
  const { guest: other } = await guestOf(testApp, boss, order.id)
  const foreign = await testApp.make.evidence({ order_id: order.id })
  await ctx.db.updateTable('evidence_files').set({ preview_key: foreign.original_key }).execute()
  await send(other)
  expect((await viewOf(guest)).files).toEqual([])
  const [, , folder] = foreign.original_key.split('/')
  expect((await guest.api('GET', `/guest/files/${folder}/thumbnail`)).statusCode).toBe(404)
  for (const headers of [guestHeaders(link.token), { authorization: `Bearer ${link.token}` }])
    for (const path of [`/service-orders/${order.id}`, `/evidence/${foreign.id}`, '/users/me', '/uploads'])
      expect(
        (await testApp.anonymous.api(path === '/uploads' ? 'POST' : 'GET', path, undefined, headers))
          .statusCode,
      ).toBe(401)
  // The token of a person is none of a link.
  expect((await testApp.anonymous.api('GET', '/guest', undefined, guestHeaders(boss.token))).statusCode).toBe(
    404,
  )
})

test('the order of the metadata is ignored: a link sends to its own', async () => {
  const [order, foreign] = [await testApp.make.order(), await testApp.make.order()]
  const { guest } = await guestOf(testApp, boss, order.id)
  expect((await send(guest, { order_id: foreign.id })).statusCode).toBe(201)
  const rows = await ctx.db
    .selectFrom('evidence_files')
    .where('order_id', 'in', [order.id, foreign.id])
    .select('order_id')
    .execute()
  expect(rows).toEqual([{ order_id: order.id }])
})

test('other categories, and files beyond its count or bytes, are refused in words', async () => {
  const order = await testApp.make.order()
  const { guest } = await guestOf(testApp, boss, order.id, { max_files: 2, max_bytes: 1_000_000 })
  const other = 'Este link não recebe fotos desta categoria.'
  expect(await refused(send(guest, { category: 'chassi' }))).toEqual([422, other])
  const large = Buffer.concat([await picture(), Buffer.alloc(1_000_000)])
  expect(await refused(send(guest, {}, large))).toEqual([
    409,
    'Este arquivo não cabe no limite do link: restam 1 MB. Peça outro a quem o enviou.',
  ])
  // Sent at the same time: two have room.
  const answers = await Promise.all([1, 2, 3, 4].map(() => send(guest)))
  expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([201, 201, 409, 409])
  expect(await refused(send(guest))).toEqual([
    409,
    'Este link já recebeu todos os arquivos que podia. Peça outro a quem o enviou.',
  ])
  expect((await viewOf(guest)).files_left).toBe(0)
  // What the desk deletes has room again.
  const file = await ctx.db
    .selectFrom('evidence_files')
    .where('order_id', '=', order.id)
    .select('id')
    .executeTakeFirstOrThrow()
  await boss.api('DELETE', `/evidence/${file.id}`)
  expect((await viewOf(guest)).files_left).toBe(1)
})

test('reading it uses nothing up; revoked, expired or unknown it says so', async () => {
  const order = await testApp.make.order()
  const { link, guest } = await guestOf(testApp, boss, order.id)
  for (let scan = 0; scan < 5; scan++) expect((await viewOf(guest)).files_left).toBe(30)
  await revokeGuestLink(boss.ctx, link.id)
  await revokeGuestLink(boss.ctx, link.id)
  const revoked = 'Este link foi revogado. Peça outro a quem o enviou.'
  expect(await refused(guest.api('GET', '/guest'))).toEqual([403, revoked])
  expect(await refused(send(guest))).toEqual([403, revoked])
  const { events } = await readHistory(boss.ctx, { id: order.id })
  expect(events.filter(({ kind }) => kind === 'guest_link.revoked')).toHaveLength(1)

  const old = await guestOf(testApp, boss, order.id)
  await ctx.db
    .updateTable('guest_links')
    .set({ expires_at: new Date(Date.now() - 1_000) })
    .where('id', '=', old.link.id)
    .execute()
  const expired = 'Este link venceu. Peça outro a quem o enviou.'
  expect(await refused(old.guest.api('GET', '/guest'))).toEqual([403, expired])
  expect(await refused(testApp.anonymous.api('GET', '/guest'))).toEqual([
    404,
    'Link desconhecido. Confira o endereço ou peça outro a quem o enviou.',
  ])
})

test('whoever tries tokens is stopped, and a link in use is not', async () => {
  await using own = await startTestApp()
  const maker = await own.as(await own.make.user({ is_superuser: true }))
  const { guest } = await guestOf(own, maker, (await own.make.order()).id)
  const tryOne = () => own.anonymous.api('GET', '/guest', undefined, guestHeaders('inventado'))
  for (let guess = 0; guess < 30; guess++) expect((await tryOne()).statusCode).toBe(404)
  expect((await tryOne()).statusCode).toBe(429)
  expect((await guest.api('GET', '/guest')).statusCode).toBe(200)
})

test('it gives what its maker may do now, and ends with their right', async () => {
  const company = await testApp.make.company()
  const user = await testApp.make.user({ company_id: company.id })
  const order = await testApp.make.order({ company_id: company.id })
  const { guest } = await guestOf(testApp, await testApp.as(user), order.id)
  expect((await viewOf(guest)).label).toBe('Mecânico João')
  const gone = 'Quem criou este link não pode mais receber fotos. Peça outro à oficina.'
  await ctx.db.updateTable('users').set({ company_id: null }).where('id', '=', user.id).execute()
  expect(await refused(guest.api('GET', '/guest'))).toEqual([403, gone])
  await ctx.db
    .updateTable('users')
    .set({ company_id: company.id, is_active: false })
    .where('id', '=', user.id)
    .execute()
  expect(await refused(guest.api('GET', '/guest'))).toEqual([403, gone])
})

test('a closed order takes nothing, and the page says so', async () => {
  const order = await testApp.make.order()
  const { guest } = await guestOf(testApp, boss, order.id)
  await boss.api('POST', `/service-orders/${order.id}/status/cancelled?reason=engano`)
  expect((await viewOf(guest)).is_closed).toBe(true)
  expect((await send(guest)).statusCode).toBe(409)
  await expect(makeGuestLink(boss.ctx, linkInput(order.id))).rejects.toMatchObject({ code: 'conflict' })
})

test('an order has ten active links at most', async () => {
  const order = await testApp.make.order()
  const made = []
  for (let n = 0; n < GUEST_LINKS_MAX; n++) made.push(await makeGuestLink(boss.ctx, linkInput(order.id)))
  await expect(makeGuestLink(boss.ctx, linkInput(order.id))).rejects.toMatchObject({ code: 'conflict' })
  await revokeGuestLink(boss.ctx, made[0]?.id ?? 0)
  await expect(makeGuestLink(boss.ctx, linkInput(order.id))).resolves.toMatchObject({ files: 0 })
})
