import { issueNonces, noteFacts } from '@garantia/server/features/evidence/files'
import { NONCES_MAX } from '@garantia/shared/evidence/capture'
import { afterAll, expect, test } from 'vitest'
import { callProcedure } from '../api/procedures.ts'
import { picture } from '../support/make.ts'
import { startTestApp } from '../support/test-app.ts'
import { uploadInChunks } from '../support/tus.ts'

const testApp = await startTestApp()
afterAll(() => testApp[Symbol.asyncDispose]())
const { ctx } = testApp.kernel
const ana = await testApp.as(await testApp.make.user({ is_superuser: true, full_name: 'Ana' }))
const bia = await testApp.as(await testApp.make.user({ is_superuser: true, full_name: 'Bia' }))
const MINUTE = 60_000

let width = 40
/** A photo of other bytes than each before it, sent with these fields; its detail as the API shows it. */
async function sent(order_id: number, fields: Record<string, string>, by = ana) {
  const content = await picture('jpeg', width++)
  const filename = `placa_${width}.jpg`
  const answer = await uploadInChunks(by, order_id, { filename, content, category: 'placa', ...fields })
  expect(answer.statusCode).toBe(200)
  const [file] = answer.json().uploaded
  return (await ana.api('GET', `/evidence/${file.id}`)).json()
}
const nonceFor = async (order_id: number, by = ana) =>
  (await issueNonces(by.ctx, order_id, 1)).nonces[0] ?? ''

test('a photo of the app’s camera says when its nonce was issued and when it was taken, in list, trail and history', async () => {
  const { id: order_id } = await testApp.make.order()
  const { nonces, expires_at } = (
    await ana.api('POST', `/evidence/${order_id}/capture-nonces`, { count: 2 })
  ).json()
  const { data } = await callProcedure(testApp, ana.token, 'evidence.issueNonces', { order_id, count: 1 })
  expect(new Set([...nonces, ...(data as { nonces: string[] }).nonces]).size).toBe(3)
  expect(Date.parse(expires_at) - Date.now()).toBeGreaterThan(6.9 * 24 * 60 * MINUTE)

  const captured_at = new Date(Date.now() + MINUTE).toISOString()
  const file = await sent(order_id, { capture_nonce: nonces[0], captured_at })
  expect(file).toMatchObject({
    captured_at,
    app_capture: { captured_at, nonce_issued_at: expect.any(String) },
  })
  // What is read in the file later says nothing of the time, and then another one.
  const facts = { width: 1, height: 1, duration_seconds: null, pages: null }
  for (const in_file of [null, new Date('2020-01-01')]) {
    const read = { camera: null, orientation: null, has_location: false, captured_at: in_file }
    await noteFacts(ctx, file.id, { ...facts, ...read })
    expect((await ana.api('GET', `/evidence/${file.id}`)).json()).toMatchObject({
      captured_at: in_file?.toISOString() ?? captured_at,
      app_capture: { captured_at },
    })
  }
  const plain = await sent(order_id, {})
  expect(plain).toMatchObject({ app_capture: null, captured_at: null })
  const uploaded = await ctx.db
    .selectFrom('events')
    .where('subject_id', '=', order_id)
    .where('kind', '=', 'evidence.uploaded')
    .select('changes')
    .orderBy('id')
    .execute()
  expect(uploaded.map(({ changes }) => (changes as { app_camera?: boolean }).app_camera)).toEqual([
    true,
    undefined,
  ])
})

test('a nonce that is not of this person and order, is expired, used or made up is ignored, and the photo kept', async () => {
  const { id: order_id } = await testApp.make.order()
  const other = await testApp.make.order()
  const long_ago = new Date(Date.now() - 8 * 24 * 60 * MINUTE)
  const used = await nonceFor(order_id)
  expect((await sent(order_id, { capture_nonce: used })).app_capture).not.toBeNull()
  const [usedRandom, usedExpiry, usedBy, usedMac] = used.split('.')
  const expired = (await issueNonces({ ...ana.ctx, clock: () => long_ago }, order_id, 1)).nonces[0] ?? ''
  const [random, expiry, who, mac] = (await nonceFor(order_id)).split('.')
  for (const capture_nonce of [
    used,
    // The same, written otherwise.
    `${used}.x`,
    [usedRandom, `0${usedExpiry}`, usedBy, usedMac].join('.'),
    [usedRandom, usedExpiry?.toUpperCase(), usedBy, usedMac].join('.'),
    expired,
    await nonceFor(other.id),
    await nonceFor(order_id, bia),
    [random, `${expiry}0`, who, mac].join('.'),
    'inventado',
    '...',
  ])
    expect(await sent(order_id, { capture_nonce })).toMatchObject({
      app_capture: null,
      evidence_category: 'placa',
    })
})

test('only a photo comes from a camera', async () => {
  const { id: order_id } = await testApp.make.order()
  const content = Buffer.from(
    '%PDF\x2d1.4\n1 0 obj\n<</Type/Catalog>>\nendobj\ntrailer<</Root 1 0 R>>\n%%EOF\n',
  )
  const fields = { filename: 'laudo.pdf', content, capture_nonce: await nonceFor(order_id) }
  const answer = await uploadInChunks(ana, order_id, fields)
  const [file] = answer.json().uploaded
  expect((await ana.api('GET', `/evidence/${file.id}`)).json()).toMatchObject({ app_capture: null })
})

test('a time outside of the nonce’s life says nothing', async () => {
  const { id: order_id } = await testApp.make.order()
  for (const minutes of [-60, 60]) {
    const captured_at = new Date(Date.now() + minutes * MINUTE).toISOString()
    const file = await sent(order_id, { capture_nonce: await nonceFor(order_id), captured_at })
    expect(file).toMatchObject({ captured_at: null, app_capture: { captured_at: null } })
  }
})

test('two photos that come with one nonce at the same time: one has it', async () => {
  const { id: order_id } = await testApp.make.order()
  const capture_nonce = await nonceFor(order_id)
  const files = await Promise.all([sent(order_id, { capture_nonce }), sent(order_id, { capture_nonce })])
  expect(files.filter(({ app_capture }) => app_capture !== null)).toHaveLength(1)
})

test('at most 200 nonces are issued at once, and none of a closed order', async () => {
  const { id } = await testApp.make.order()
  for (const count of [0, NONCES_MAX + 1, 1.5])
    expect((await ana.api('POST', `/evidence/${id}/capture-nonces`, { count })).statusCode).toBe(422)
  const closed = await testApp.make.order({ status: 'completed' })
  await expect(issueNonces(ana.ctx, closed.id, 1)).rejects.toMatchObject({ code: 'conflict' })
})
