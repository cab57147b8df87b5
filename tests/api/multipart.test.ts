import { afterAll, describe, expect, test } from 'vitest'
import { picture } from '../support/make.ts'
import { multipart, startTestApp } from '../support/test-app.ts'

const testApp = await startTestApp()
afterAll(() => testApp[Symbol.asyncDispose]())

const boss = await testApp.as(await testApp.make.user({ is_superuser: true }))
const order = await testApp.make.order()
const upload = `/evidence/${order.id}/upload`
const sound = async () => multipart([{ name: 'files', filename: 'a.jpg', content: await picture() }])

describe('a broken multipart body is a client error, never a server error (rest-contract 5)', () => {
  test.each([
    ['without boundary', 'multipart/form-data', 'x'],
    ['with an empty boundary', 'multipart/form-data; boundary=', 'x'],
    ['of garbage', 'multipart/form-data; boundary=b', 'nada disso é multipart'],
    ['that is empty', 'multipart/form-data; boundary=b', ''],
    ['with a part without headers', 'multipart/form-data; boundary=b', '--b\r\n\r\nx\r\n--b--\r\n'],
  ])('%s', async (_, type, body) => {
    const answer = await boss.api('POST', upload, body, { 'content-type': type })
    expect(answer.statusCode).toBeGreaterThanOrEqual(400)
    expect(answer.statusCode).toBeLessThan(500)
  })

  test('truncated in the middle of a part', async () => {
    const { body, headers } = await sound()
    for (const length of [20, 90, 150, Math.floor(body.length / 2), body.length - 10]) {
      const answer = await boss.api('POST', upload, body.subarray(0, length), headers)
      expect([length, answer.statusCode]).toEqual([length, 400])
    }
  })

  test('leaves neither a row nor a file', async () => {
    expect((await boss.api('GET', `/evidence/${order.id}/evidence`)).json().total_files).toBe(0)
    expect(await testApp.filesOnDisk()).toEqual([])
  })
})

test.each(['application/json', 'application/x-www-form-urlencoded'])(
  'an upload as %s is 415',
  async (type) => {
    const body = type.endsWith('json') ? '{}' : 'a=b'
    const answer = await boss.api('POST', upload, body, { 'content-type': type })
    expect([answer.statusCode, answer.json()]).toEqual([
      415,
      { detail: 'Envie os arquivos como multipart/form-data.' },
    ])
  },
)

test('an upload without a body is 415', async () => {
  expect((await boss.api('POST', upload)).statusCode).toBe(415)
})

test('files in another field are ignored, and an upload without files is 422', async () => {
  const { body, headers } = multipart([{ name: 'avatar', filename: 'a.jpg', content: await picture() }])
  const answer = await boss.api('POST', upload, body, headers)
  expect([answer.statusCode, answer.json().detail[0]]).toMatchObject([
    422,
    { loc: ['body', 'files'], type: 'missing' },
  ])
})

test('a multipart body where JSON is expected is 422 or 415, and the sign-in goes on working', async () => {
  const { body, headers } = multipart([{ name: 'username', content: 'chefe' }])
  expect([415, 422]).toContain((await testApp.anonymous.api('POST', '/token', body, headers)).statusCode)
})

test('too many parts are refused, not buffered in memory', async () => {
  const { body, headers } = multipart(
    Array.from({ length: 40 }, (_, n) => ({ name: `campo${n}`, content: 'x' })),
  )
  expect((await boss.api('POST', upload, body, headers)).statusCode).toBe(413)
  const long = multipart([{ name: 'description', content: 'x'.repeat(60_000) }])
  expect((await boss.api('POST', upload, long.body, long.headers)).statusCode).toBeGreaterThanOrEqual(400)
})

test('a file name in any alphabet is kept (RFC 7578)', async () => {
  const answer = await boss.upload(order.id, [{ filename: 'Ção 漢字 😀.jpg', content: await picture() }])
  expect(answer.json().uploaded[0].original_filename).toBe('Ção 漢字 😀.jpg')
})

test('a file of several megabytes is accepted, whatever the limit of a JSON body', async () => {
  const content = Buffer.concat([await picture(), Buffer.alloc(5_000_000)])
  const answer = await boss.upload(order.id, [{ filename: 'grande.jpg', content }])
  expect([answer.statusCode, answer.json().uploaded[0].file_size]).toEqual([201, content.length])
})
