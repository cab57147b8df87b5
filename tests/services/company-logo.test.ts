import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { removeCompany } from '@garantia/server/features/catalogue/companies'
import { verifyStorage } from '@garantia/server/features/records/integrity'
import { LOGO_LIMITS } from '@garantia/shared/companies/logo'
import sharp from 'sharp'
import { afterAll, expect, test } from 'vitest'
import { picture } from '../support/make.ts'
import { multipart, startTestApp } from '../support/test-app.ts'

const testApp = await startTestApp()
afterAll(() => testApp[Symbol.asyncDispose]())
const { ctx } = testApp.kernel
const boss = await testApp.as(await testApp.make.user({ is_superuser: true }))

async function send(id: number, content: Buffer | string, filename = 'logo.png') {
  const { body, headers } = multipart([{ name: 'file', filename, content }])
  const answer = await boss.api('POST', `/companies/${id}/logo`, body, headers)
  return { status: answer.statusCode, body: answer.json() }
}
const shown = async (id: number): Promise<string | null> =>
  (await boss.api('GET', `/companies/${id}`)).json().logo_url
const get = (url: string) => testApp.app.inject({ method: 'GET', url })
const stored = async () => {
  const keys: string[] = []
  for await (const { key } of ctx.storage.list('empresas')) keys.push(key)
  return keys
}
const large = (format: 'jpeg' | 'png', width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#c0392b' } })
    [format]()
    .toBuffer()

test('a logo is judged by its content and its size, whatever its name says (D-93)', async () => {
  const { id } = await testApp.make.company()
  const refused = async (content: Buffer | string, filename?: string) => {
    const { status, body } = await send(id, content, filename)
    return [status, typeof body.detail === 'string' ? body.detail : body.detail[0].msg]
  }
  expect(await refused('<svg xmlns="http://www.w3.org/2000/svg"/>')).toEqual([
    415,
    expect.stringMatching(/Formato não aceito/),
  ])
  expect(await refused(`%PDF${'-'}1.7\n%%EOF`, 'logo.pdf')).toEqual([
    415,
    'O logotipo precisa ser uma imagem JPEG, PNG ou WebP.',
  ])
  expect(await refused('')).toEqual([422, expect.stringMatching(/vazio/)])
  expect(await refused((await picture('png', 300, 100)).subarray(0, 20))).toEqual([
    422,
    expect.stringMatching(/danificada/),
  ])
  expect(await refused(await picture('png', 300, 47))).toEqual([422, expect.stringMatching(/300 × 47 px/)])
  expect(await refused(await large('png', 4_001, 100))).toEqual([422, expect.stringMatching(/4\.001 × 100/)])
  expect(await refused(Buffer.alloc(LOGO_LIMITS.bytes + 1))).toEqual([413, expect.stringMatching(/1 MB/)])
  expect([await shown(id), await stored()]).toEqual([null, []])
})

test('a logo is shown at a signed address, replaced, removed, and ends with its company (D-93)', async () => {
  const { id } = await testApp.make.company()
  const first = await picture('png', 300, 100)
  expect((await send(id, first, 'foto da fachada.jpeg')).status).toBe(200)
  const address = (await shown(id)) ?? ''
  const answer = await get(address)
  expect([answer.statusCode, answer.rawPayload.equals(first)]).toEqual([200, true])
  expect(answer.headers).toMatchObject({
    'content-type': 'image/png',
    'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
    'x-content-type-options': 'nosniff',
  })
  expect((await get(`${address.slice(0, -1)}x`)).statusCode).toBe(404)

  const second = await picture('jpeg', 300, 100)
  expect((await send(id, second)).status).toBe(200)
  expect((await get(address)).statusCode).toBe(404)
  expect((await get((await shown(id)) ?? '')).rawPayload.equals(second)).toBe(true)
  expect(await stored()).toHaveLength(1)

  expect((await boss.api('DELETE', `/companies/${id}/logo`)).json().logo_url).toBeNull()
  expect((await boss.api('DELETE', `/companies/${id}/logo`)).statusCode).toBe(200)
  expect([await shown(id), await stored()]).toEqual([null, []])
  const events = await ctx.db
    .selectFrom('events')
    .where('subject', '=', 'company')
    .where('subject_id', '=', id)
    .select('changes')
    .orderBy('seq')
    .execute()
  const hash = expect.stringMatching(/^[0-9a-f]{64}$/)
  expect(events.map(({ changes }) => changes)).toEqual([
    { logo: [null, hash] },
    { logo: [hash, hash] },
    { logo: [hash, null] },
  ])

  await send(id, first)
  await removeCompany(boss.ctx, id)
  expect(await stored()).toEqual([])
})

test('a logo that is missing or has other bytes is found by the verification (D-93, promise 21)', async () => {
  const { id } = await testApp.make.company()
  await send(id, await picture('png', 300, 100))
  const [key = ''] = await stored()
  expect((await verifyStorage(ctx)).faults).toEqual([])
  const path = join(testApp.dir, 'files', key)
  const bytes = await readFile(path)
  bytes.writeUInt8(bytes.readUInt8(bytes.length - 1) ^ 1, bytes.length - 1)
  await rm(path, { force: true })
  await writeFile(path, bytes)
  expect((await verifyStorage(ctx)).faults).toEqual([
    { kind: 'mismatch', key, order_id: null, size: bytes.length },
  ])
  await rm(path)
  expect((await verifyStorage(ctx)).faults).toEqual([
    { kind: 'missing', key, order_id: null, size: bytes.length },
  ])
})
