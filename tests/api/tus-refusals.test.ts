import { afterAll, describe, expect, test } from 'vitest'
import { startTestApp } from '../support/test-app.ts'
import {
  CHUNK_CONTENT_TYPE,
  chunkHeaders,
  createUpload,
  creationHeaders,
  metadata,
  TUS,
} from '../support/tus.ts'

const testApp = await startTestApp()
afterAll(() => testApp[Symbol.asyncDispose]())
const { ctx } = testApp.kernel
const base = await testApp.listen()
const boss = await testApp.as(await testApp.make.user({ is_superuser: true }))
const order = await testApp.make.order()
const offsetOf = async (path: string) =>
  Number((await boss.api('HEAD', path, undefined, TUS)).headers['upload-offset'])

describe('an invalid creation is refused with its reason', () => {
  const sound = creationHeaders(1_000, { order_id: order.id, filename: 'a.jpg' })
  const { 'upload-length': _, ...unsized } = sound
  const lengthHeader = { 'upload-length': '1000' }
  test.each<[string, Record<string, string>, number, string | RegExp]>([
    ['without a version', { ...sound, 'tus-resumable': '' }, 412, 'Envie Tus-Resumable: 1.0.0.'],
    ['of another version', { ...sound, 'tus-resumable': '0.2.2' }, 412, 'Envie Tus-Resumable: 1.0.0.'],
    ['of several versions', { ...sound, 'tus-resumable': '1.0.0, 1.0.0' }, 412, /^Envie Tus-Resumable/],
    ['without a length', unsized, 422, /tamanho do arquivo em bytes/],
    ['of no byte', { ...sound, 'upload-length': '0' }, 422, /vazio/],
    ['of a negative length', { ...sound, 'upload-length': '-1' }, 422, 'Valor inválido'],
    ['of half a byte', { ...sound, 'upload-length': '1.5' }, 422, 'Valor inválido'],
    ['of a length in words', { ...sound, 'upload-length': 'mil' }, 422, 'Valor inválido'],
    ['of a hexadecimal length', { ...sound, 'upload-length': '0x10' }, 422, 'Valor inválido'],
    ['of a huge length', { ...sound, 'upload-length': '9007199254740991' }, 413, /passa de 2 GB/],
    ['of an absurd length', { ...sound, 'upload-length': '9'.repeat(40) }, 422, 'Valor inválido'],
    ['of a deferred length', { ...unsized, 'upload-defer-length': '1' }, 400, /tamanho do arquivo no começo/],
    ['of two lengths', { ...sound, 'upload-defer-length': '1' }, 400, /tamanho do arquivo no começo/],
    ['of a part to be joined', { ...sound, 'upload-concat': 'partial' }, 400, /não junta envios/],
    ['of joined parts', { ...sound, 'upload-concat': 'final;/a /b' }, 400, /não junta envios/],
    ['without metadata', { ...TUS, ...lengthHeader }, 422, /número/],
    ['with blank metadata', { ...TUS, ...lengthHeader, 'upload-metadata': ' ' }, 422, /./],
    [
      'with metadata that is no Base64',
      { ...TUS, ...lengthHeader, 'upload-metadata': 'order_id *' },
      422,
      'Valor inválido',
    ],
    [
      'without its order',
      { ...TUS, ...lengthHeader, 'upload-metadata': metadata({ filename: 'a.jpg' }) },
      422,
      /número/,
    ],
    ...['0', '-1', '1e3', '01', 'x', '9'.repeat(30), ''].map(
      (order_id): [string, Record<string, string>, number, RegExp] => [
        `of an order called «${order_id}»`,
        { ...TUS, ...lengthHeader, 'upload-metadata': metadata({ order_id }) },
        422,
        /número/,
      ],
    ),
    [
      'of an unknown category',
      creationHeaders(9, { order_id: order.id, filename: 'a.jpg', category: 'nada' }),
      422,
      'Categoria desconhecida',
    ],
    [
      'with too long a description',
      creationHeaders(9, { order_id: order.id, filename: 'a.jpg', description: 'x'.repeat(501) }),
      422,
      /no máximo 500/,
    ],
    [
      'of an order that is not',
      creationHeaders(9, { order_id: 999_999, filename: 'a' }),
      404,
      /não encontrada/,
    ],
    ['as JSON', { ...sound, 'content-type': 'application/json' }, 415, /Envie os bytes/],
    [
      'as a web form',
      { ...sound, 'content-type': 'application/x-www-form-urlencoded' },
      415,
      /Envie os bytes/,
    ],
  ])('%s', async (_, headers, status, detail) => {
    const answer = await boss.api('POST', '/uploads', undefined, headers)
    const { detail: said } = answer.json()
    const text = typeof said === 'string' ? said : said[0].msg
    expect([answer.statusCode, text]).toEqual([status, expect.stringMatching(detail)])
    expect(answer.headers['tus-resumable']).toBe('1.0.0')
    if (status === 412) expect(answer.headers['tus-version']).toBe('1.0.0')
  })

  test('and none of them leaves a row or a part', async () => {
    expect(await ctx.db.selectFrom('uploads').selectAll().execute()).toEqual([])
    expect(await testApp.filesOnDisk()).toEqual([])
  })
})

describe('a chunk that does not fit is refused, and the received bytes stay', () => {
  const odd: [string, Record<string, string>, string, number][] = [
    ['from elsewhere', chunkHeaders(3), 'xx', 409],
    ['from behind the end', chunkHeaders(5_000), 'xx', 409],
    ['from nowhere', { ...TUS, 'content-type': CHUNK_CONTENT_TYPE }, 'xx', 422],
    ['from a negative place', chunkHeaders(-1), 'xx', 422],
    ['from half a place', { ...chunkHeaders(0), 'upload-offset': '4.0' }, 'xx', 422],
    ['of another version', { ...chunkHeaders(4), 'tus-resumable': '2.0.0' }, 'xx', 412],
    ['as text', { ...chunkHeaders(4), 'content-type': 'text/plain' }, 'xx', 415],
    ['as multipart', { ...chunkHeaders(4), 'content-type': 'multipart/form-data; boundary=b' }, '--b--', 415],
    [
      'of another kind of bytes',
      { ...chunkHeaders(4), 'content-type': `${CHUNK_CONTENT_TYPE}; charset=x` },
      'xx',
      415,
    ],
    ['that is compressed', { ...chunkHeaders(4), 'content-encoding': 'gzip' }, 'xx', 415],
    ['longer than the file', chunkHeaders(4), 'x'.repeat(1_000), 413],
    ['that tells the length anew', { ...chunkHeaders(4), 'upload-length': '9' }, 'xx', 400],
  ]
  test.each(odd)('%s', async (_, headers, body, status) => {
    const path = await createUpload(boss, order.id, 1_000)
    await boss.api('PATCH', path, 'quat', chunkHeaders(0))
    const answer = await boss.api('PATCH', path, body, headers)
    expect([answer.statusCode, typeof answer.json().detail]).toEqual([
      status,
      expect.stringMatching(/string|object/),
    ])
    expect(await offsetOf(path)).toBe(4)
    await boss.api('DELETE', path, undefined, TUS)
  })

  test('longer than the file, and of unknown length', async () => {
    const path = await createUpload(boss, order.id, 10)
    const answer = await fetch(`${base}/api/v1${path}`, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${boss.token}`, ...chunkHeaders(0) },
      body: new ReadableStream({
        start(controller) {
          for (let n = 0; n < 5; n++) controller.enqueue(new Uint8Array(4))
          controller.close()
        },
      }),
      duplex: 'half',
    } as RequestInit)
    expect([answer.status, await answer.json()]).toEqual([
      413,
      { detail: 'O corpo passa do tamanho anunciado do arquivo.' },
    ])
    expect(await offsetOf(path)).toBeLessThan(10)
    expect(await ctx.db.selectFrom('evidence_files').selectAll().execute()).toEqual([])
    await boss.api('DELETE', path, undefined, TUS)
  })

  test('a method override header is ignored', async () => {
    const path = await createUpload(boss, order.id, 1_000)
    for (const method of ['DELETE', 'PATCH', 'HEAD']) {
      const headers = {
        ...TUS,
        'upload-offset': '0',
        'x-http-method-override': method,
        'x-method-override': method,
      }
      expect((await boss.api('POST', path, undefined, headers)).statusCode).toBe(405)
      expect((await boss.api('GET', path, undefined, headers)).statusCode).toBe(405)
    }
    expect(await offsetOf(path)).toBe(0)
    await boss.api('DELETE', path, undefined, TUS)
  })

  test.each([
    'x',
    '..%2f..%2fetc%2fpasswd',
    '%2e%2e%2f',
    `${'a'.repeat(36)}`,
    '00000000-0000-4000-8000-000000000000',
  ])('an upload «%s» does not exist', async (id) => {
    for (const method of ['HEAD', 'PATCH', 'DELETE'] as const) {
      const answer = await boss.api(
        method,
        `/uploads/${id}`,
        undefined,
        method === 'PATCH' ? chunkHeaders(0) : TUS,
      )
      expect([404, 422]).toContain(answer.statusCode)
    }
  })
})
