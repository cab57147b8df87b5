import { rotatePhoto } from '@garantia/server/features/evidence/conversion'
import { listEvidence } from '@garantia/server/features/evidence/files'
import { afterAll, expect, test } from 'vitest'
import { acquireLease, finishWith } from '../services/conversion-fixture.ts'
import { startTestApp } from '../support/test-app.ts'

const testApp = await startTestApp()
afterAll(() => testApp[Symbol.asyncDispose]())
const { ctx } = testApp.kernel
const boss = await testApp.as(await testApp.make.user({ is_superuser: true }))
const content = Buffer.from(Array.from({ length: 1_000 }, (_, n) => n % 251))
const get = (url: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
  testApp.app.inject({ method, url, headers })
const listed = async (order_id: number, id: number) => {
  const found = (await listEvidence(boss.ctx, order_id)).evidence_files.find((one) => one.id === id)
  if (!found) throw new Error(`no file ${id}`)
  return found
}
const addressesOf = async ({ order_id, id }: { order_id: number; id: number }) => {
  const { original_url, converted_url } = await listed(order_id, id)
  return { original: original_url ?? '', converted: converted_url ?? '' }
}
const GONE = [404, { detail: 'Evidência não encontrada' }] as const

test('a video or picture is served at its signed URL, complete, with security headers and its own name (reliability 12, D-01)', async () => {
  const file = await testApp.make.converted({ original_filename: 'ação 1.jpg' }, content)
  const { original, converted } = await addressesOf(file)
  const answer = await get(converted)
  expect([answer.statusCode, answer.rawPayload.equals(content)]).toEqual([200, true])
  expect(answer.headers).toMatchObject({
    'content-type': 'image/jpeg',
    'content-length': '1000',
    'content-disposition': `inline; filename=${file.converted_filename}`,
    'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
    'x-content-type-options': 'nosniff',
    'accept-ranges': 'bytes',
    'cache-control': 'private, no-cache',
    etag: `"${file.converted_sha256}"`,
  })
  expect((await get(original)).headers['content-disposition']).toBe(
    `inline; filename="a??o 1.jpg"; filename*=UTF-8''a%C3%A7%C3%A3o%201.jpg`,
  )
})

test('a player can seek by ranges and revalidate without downloading again (RFC 9110)', async () => {
  const { converted } = await addressesOf(await testApp.make.converted({}, content))
  const part = await get(converted, { range: 'bytes=400-499' })
  expect([part.statusCode, part.headers['content-range']]).toEqual([206, 'bytes 400-499/1000'])
  expect(part.rawPayload.equals(content.subarray(400, 500))).toBe(true)
  const beyond = await get(converted, { range: 'bytes=1000-' })
  expect([beyond.statusCode, beyond.headers['content-range']]).toEqual([416, 'bytes */1000'])
  const { etag = '' } = part.headers
  const notModified = await get(converted, { 'if-none-match': String(etag) })
  expect([notModified.statusCode, notModified.rawPayload.length]).toEqual([304, 0])
  const head = await get(converted, {}, 'HEAD')
  expect([head.statusCode, head.headers['content-length'], head.rawPayload.length]).toEqual([200, '1000', 0])
})

test('a signed URL that was tampered with, is of another file or copy, or expired is refused', async () => {
  const [file, other] = [await testApp.make.converted({}, content), await testApp.make.converted()]
  const { original, converted } = await addressesOf(file)
  const signature = converted.split('/').at(-1) ?? ''
  const [expires = '', mac = ''] = signature.split('.')
  const later = `${(Number.parseInt(expires, 36) + 1_800_000).toString(36)}.${mac}`
  for (const forged of [
    `${converted.slice(0, -1)}${converted.endsWith('A') ? 'B' : 'A'}`,
    converted.replace(signature, later),
    converted.replace(`/media/${file.id}/`, `/media/${other.id}/`),
    converted.replace('/converted/', '/original/'),
    original.replace('/original/', '/converted/'),
    original.replace('/original/', '/preview/'),
    converted.replace('/converted/', '/segredo/'),
    `/media/0/original/${signature}`,
    `/media/${file.id}/converted/x`,
  ]) {
    const answer = await get(forged)
    expect([answer.statusCode, answer.json()], forged).toEqual(GONE)
  }
  ctx.clock = () => new Date(Date.now() + 61 * 60_000)
  const old = await get(converted)
  ctx.clock = () => new Date()
  expect([old.statusCode, old.json()]).toEqual(GONE)
  expect((await get(converted)).statusCode).toBe(200)
})

test('a signed URL ends with its file: deleted, expired by retention, or replaced by a newer copy', async () => {
  const [doomed, purged, renewed] = [
    await testApp.make.converted({}, content),
    await testApp.make.converted({}, content),
    await testApp.make.converted({}, content),
  ]
  const before = await Promise.all([doomed, purged, renewed].map(addressesOf))
  expect((await boss.api('DELETE', `/evidence/${doomed.id}`)).statusCode).toBe(200)
  await ctx.db
    .updateTable('evidence_files')
    .set({ purged_at: new Date() })
    .where('id', '=', purged.id)
    .execute()
  await rotatePhoto(boss.ctx, renewed.id, 90)
  await finishWith(ctx, await acquireLease(ctx, renewed.id))
  const [ofDoomed, ofPurged, ofRenewed] = before
  for (const url of [
    ofDoomed?.original,
    ofDoomed?.converted,
    ofPurged?.original,
    ofPurged?.converted,
    ofRenewed?.converted,
  ]) {
    const answer = await get(url ?? '')
    expect([answer.statusCode, answer.json()], url).toEqual(GONE)
  }
  expect((await get(ofRenewed?.original ?? '')).statusCode).toBe(200)
  const { converted_url } = await listed(renewed.order_id, renewed.id)
  expect((await get(converted_url ?? '')).headers['content-length']).toBe('1000')
  expect(await listed(purged.order_id, purged.id)).toMatchObject({ original_url: null, converted_url: null })
})

test('only those who see the order get signed URLs, which stay the same while a page polls (D-39, D-24)', async () => {
  const file = await testApp.make.converted()
  const otherCompanyUser = await testApp.as(await testApp.make.user())
  expect((await otherCompanyUser.api('GET', `/evidence/${file.id}`)).statusCode).toBe(404)
  const stamp = new Date(Math.floor(Date.now() / 1_800_000) * 1_800_000 + 1_000)
  ctx.clock = () => stamp
  const first = await addressesOf(file)
  ctx.clock = () => new Date(stamp.getTime() + 20 * 60_000)
  const second = await addressesOf(file)
  ctx.clock = () => new Date()
  expect(second).toEqual(first)
  const waiting = await testApp.make.evidence()
  expect((await listed(waiting.order_id, waiting.id)).converted_url).toBeNull()
})
