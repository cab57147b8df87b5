import { Readable } from 'node:stream'
import { receiveEvidence } from '@garantia/server/features/evidence/files'
import { FILENAME_MAX_BYTES } from '@garantia/shared/evidence/schema'
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { picture } from '../support/make.ts'
import { startTestApp } from '../support/test-app.ts'

const testApp = await startTestApp()
afterAll(() => testApp[Symbol.asyncDispose]())
const { ctx } = testApp.kernel

const order = await testApp.make.order()

/** The name under which a file uploaded with this name is stored. */
async function kept(filename: string) {
  const body = Readable.from([await picture()])
  const { uploaded } = await receiveEvidence(
    ctx,
    order.id,
    {},
    (async function* () {
      yield { kind: 'file' as const, filename, body }
    })(),
  )
  return uploaded[0]?.original_filename ?? ''
}

test.each([
  ['../../etc/passwd.jpg', 'passwd.jpg'],
  ['C:\\Users\\ana\\foto 1.jpg', 'foto 1.jpg'],
  ['foto\u0000.jpg', 'foto.jpg'],
  ['foto\r\nSet-Cookie: a=b.jpg', 'fotoSet-Cookie: a=b.jpg'],
  ['\u202Egpj.exe.jpg', 'gpj.exe.jpg'],
  ['', 'arquivo.jpg'],
  ['   ', 'arquivo.jpg'],
  ['..', 'arquivo.jpg'],
  ['/', 'arquivo.jpg'],
  ['.jpg', '.jpg'],
  ['cafe\u0301.jpg', 'café.jpg'],
  ['foto 😀 «ótima».jpg', 'foto 😀 «ótima».jpg'],
])('the name %j is stored as %j (D-51)', async (given, expected) => {
  expect(await kept(given)).toBe(expected)
})

test('a name of 300 characters is cut to 180 bytes and keeps its extension (D-51)', async () => {
  for (const char of ['a', 'ç', '😀', '漢']) {
    const name = await kept(`${char.repeat(300)}.jpeg`)
    expect(Buffer.byteLength(name)).toBeLessThanOrEqual(FILENAME_MAX_BYTES)
    expect(Buffer.byteLength(name)).toBeGreaterThan(FILENAME_MAX_BYTES - 8)
    expect(name.replace(/\.jpeg$/, '')).toMatch(new RegExp(`^(${char})+$`))
    expect(name).toMatch(/\.jpeg$/)
  }
})

test('any file name of a phone is stored as one that the database and a disk accept (D-51)', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 400 }), async (filename) => {
      const name = await kept(filename.replace(/\.(?=[A-Za-z0-9]{1,8}$)/, ''))
      expect(Buffer.byteLength(name)).toBeLessThanOrEqual(FILENAME_MAX_BYTES)
      expect(name).not.toMatch(/[/\\\p{Cc}]/u)
      expect(name.length).toBeGreaterThan(0)
    }),
    { numRuns: 20 },
  )
})

test('a refusal names the file by the name it would have been stored under', async () => {
  const parts = async function* () {
    yield {
      kind: 'file' as const,
      filename: `../${'x'.repeat(400)}\u0000.svg`,
      body: Readable.from([Buffer.from('<svg/>')]),
    }
    yield { kind: 'file' as const, filename: 'b.svg', body: Readable.from([Buffer.from('<svg/>')]) }
  }
  await expect(receiveEvidence(ctx, order.id, {}, parts())).rejects.toMatchObject({
    code: 'unsupported',
    detail: [
      { msg: expect.stringMatching(/^x{176}\.svg: Formato/) },
      { msg: expect.stringMatching(/^b\.svg: /) },
    ],
  })
})
