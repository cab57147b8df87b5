import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { newCalendar } from '@garantia/server/features/claims/deadlines'
import { savePreview } from '@garantia/server/features/evidence/files'
import { DOSSIER_MIME } from '@garantia/shared/dossier/schema'
import { FORMATS } from '@garantia/shared/evidence/formats'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { EXPORT_MIME } from '../../server/src/features/orders/list/sheet.ts'
import { JSON_LINES } from '../../server/src/features/people/audit/security-log.ts'
import { StorageFault } from '../../server/src/kernel/storage/storage.ts'
import { guestHeaders } from '../support/guest-link.ts'
import { picture } from '../support/make.ts'
import { startTestApp } from '../support/test-app.ts'
import { linkWithFiles } from './guest-rows.ts'
import { imported } from './import-rows.ts'
import { callsOf, documentOf } from './openapi-checker.ts'

const testApp = await startTestApp()
afterAll(() => testApp[Symbol.asyncDispose]())

const boss = await testApp.as(await testApp.make.user({ is_superuser: true }))
const content = Buffer.from(Array.from({ length: 1_000 }, (_, n) => n % 251))
const file = await testApp.make.converted({}, content)
const get = (headers: Record<string, string> = {}, path = `/evidence/${file.id}/download`) =>
  boss.api('GET', path, undefined, headers)

test('a download is the stored bytes, as an attachment that never runs (promise 12, API-44)', async () => {
  const answer = await get()
  expect(answer.statusCode).toBe(200)
  expect(answer.rawPayload).toEqual(content)
  expect(answer.headers).toMatchObject({
    'content-length': '1000',
    'content-type': 'image/jpeg',
    'content-disposition': `attachment; filename=${file.converted_filename}`,
    'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
    'x-content-type-options': 'nosniff',
    'accept-ranges': 'bytes',
    'cache-control': 'private, no-store',
    etag: `"${file.converted_sha256}"`,
  })
})

test.each([
  ['the bucket is away', new StorageFault('fora'), 503, 'O armazenamento de arquivos está fora do ar.'],
  ['something unexpected happens', new Error('outra'), 500, 'Internal Server Error'],
])(
  'when %s before the first byte, the answer says so and nothing of the file',
  async (_, error, status, said) => {
    const { storage } = testApp.kernel.ctx
    const { read } = storage
    storage.read = async () => {
      const body = new Readable({ read: () => undefined })
      setTimeout(() => body.destroy(error), 50)
      return body
    }
    onTestFinished(() => {
      storage.read = read
    })
    const answer = await testApp.app.inject({
      url: `/api/v1/evidence/${file.id}/download`,
      headers: { authorization: `Bearer ${boss.token}` },
    })
    expect([answer.statusCode, answer.json()]).toEqual([status, { detail: expect.stringContaining(said) }])
    expect(answer.headers['content-type']).toMatch(/^application\/json/)
    for (const name of ['content-disposition', 'etag', 'accept-ranges'])
      expect(answer.headers[name]).toBeUndefined()
  },
)

test('?original=true returns the untouched original (API-44)', async () => {
  const bytes = Buffer.from('do telefone')
  const own = await testApp.make.evidence({ original_filename: 'IMG_1.JPG' }, bytes)
  const answer = await get({}, `/evidence/${own.id}/download?original=true`)
  expect(answer.rawPayload).toEqual(bytes)
  expect(answer.headers).toMatchObject({ etag: `"${own.sha256}"`, 'content-length': '11' })
})

describe('a file name is encoded so that every browser decodes it (RFC 6266)', () => {
  test.each([
    ['foto.jpg', 'attachment; filename=foto.jpg'],
    ['foto 1.jpg', 'attachment; filename="foto 1.jpg"'],
    ['ação.jpg', `attachment; filename="a??o.jpg"; filename*=UTF-8''a%C3%A7%C3%A3o.jpg`],
    ['a "b" \\c.jpg', 'attachment; filename="a \\"b\\" \\\\c.jpg"'],
    ['漢字.jpg', `attachment; filename="??.jpg"; filename*=UTF-8''%E6%BC%A2%E5%AD%97.jpg`],
    ['100%25.jpg', null],
  ])('%s', async (original_filename, expected) => {
    const own = await testApp.make.evidence({ original_filename })
    const answer = await get({}, `/evidence/${own.id}/download?original=true`)
    const header = String(answer.headers['content-disposition'])
    expect(header).not.toMatch(/[^\x20-\x7e]/)
    if (expected) expect(header).toBe(expected)
    const extended = /filename\*=UTF-8''(\S+)/.exec(header)?.[1]
    if (extended) expect(decodeURIComponent(extended)).toBe(original_filename)
  })
})

describe('a range (RFC 9110)', () => {
  test.each([
    ['bytes=0-0', 0, 0],
    ['bytes=10-19', 10, 19],
    ['bytes=990-', 990, 999],
    ['bytes=-10', 990, 999],
    ['bytes=990-5000', 990, 999],
    ['bytes=-5000', 0, 999],
  ])('%s is answered by 206 with exactly those bytes', async (range, start, end) => {
    const answer = await get({ range })
    expect(answer.statusCode).toBe(206)
    expect(answer.headers['content-range']).toBe(`bytes ${start}-${end}/1000`)
    expect(answer.rawPayload).toEqual(content.subarray(start, end + 1))
  })

  test.each(['bytes=1000-', 'bytes=5000-6000', 'bytes=-0'])('%s is out of range: 416', async (range) => {
    const answer = await get({ range })
    expect([answer.statusCode, answer.json()]).toEqual([416, { detail: 'Range Not Satisfiable' }])
    expect(answer.headers['content-range']).toBe('bytes */1000')
    expect(answer.headers['content-disposition']).toBeUndefined()
  })

  test.each(['bytes=a-b', 'linhas=1-2', 'bytes=-', 'bytes=1-2,4-5', 'bytes=5-2'])(
    '%s is no valid range, so the whole file is sent',
    async (range) => {
      const answer = await get({ range })
      expect([answer.statusCode, answer.rawPayload.length]).toEqual([200, 1_000])
    },
  )

  test('of a file that changed meanwhile (If-Range) is the whole file', async () => {
    const headers = { range: 'bytes=0-9', 'if-range': '"outro"' }
    expect((await get(headers)).statusCode).toBe(200)
    expect((await get({ ...headers, 'if-range': `"${file.converted_sha256}"` })).statusCode).toBe(206)
  })
})

test('HEAD returns name and size without a body', async () => {
  const answer = await boss.api('HEAD', `/evidence/${file.id}/download`)
  expect(answer.statusCode).toBe(200)
  expect(answer.rawPayload).toHaveLength(0)
  expect(answer.headers).toMatchObject({ 'content-length': '1000', 'content-type': 'image/jpeg' })
})

test('HEAD of the package returns its name', async () => {
  const answer = await boss.api('HEAD', `/evidence/${file.order_id}/download-all`)
  expect([answer.statusCode, answer.rawPayload.length]).toEqual([200, 0])
  expect(answer.headers['content-disposition']).toContain(`os_${file.order_id}_evidencias.zip`)
})

describe('a package download can be resumed (P8, API-45)', () => {
  const path = `/evidence/${file.order_id}/download-all`
  test('it has a length and a tag, and every range of it is the same bytes', async () => {
    const whole = await get({}, path)
    const { length } = whole.rawPayload
    expect(whole.headers).toMatchObject({ 'content-length': String(length), 'accept-ranges': 'bytes' })
    const { etag = '' } = whole.headers
    for (const [start, end] of [
      [0, 0],
      [20, 70],
      [40, 900],
      [500, length - 1],
      [length - 30, length - 1],
    ] as const) {
      const part = await get({ range: `bytes=${start}-${end}`, 'if-range': etag }, path)
      expect(part.statusCode).toBe(206)
      expect(part.headers['content-range']).toBe(`bytes ${start}-${end}/${length}`)
      expect(part.rawPayload.equals(whole.rawPayload.subarray(start, end + 1))).toBe(true)
    }
    expect((await get({ range: `bytes=${length}-` }, path)).statusCode).toBe(416)
  })

  test('a package that changed meanwhile is sent whole', async () => {
    const { order_id } = await testApp.make.converted({}, content)
    const own = `/evidence/${order_id}/download-all`
    const { etag = '' } = (await get({}, own)).headers
    await testApp.make.converted({ order_id })
    const answer = await get({ range: 'bytes=0-9', 'if-range': etag }, own)
    expect([answer.statusCode, answer.headers.etag === etag]).toEqual([200, false])
  })

  test('?originais=true is the package of the untouched files (D-25)', async () => {
    const answer = await get({}, `${path}?originais=true`)
    expect(answer.headers['content-disposition']).toBe(
      `attachment; filename=os_${file.order_id}_originais.zip`,
    )
    expect(answer.rawPayload.includes(file.original_filename)).toBe(true)
  })
})

test('the package is named os_{id}_evidencias.zip and is a ZIP (EVI-23, API-45)', async () => {
  const answer = await get({}, `/evidence/${file.order_id}/download-all`)
  expect(answer.headers).toMatchObject({
    'content-type': 'application/zip',
    'content-disposition': `attachment; filename=os_${file.order_id}_evidencias.zip`,
    'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
  })
  expect(answer.rawPayload.subarray(0, 4)).toEqual(Buffer.from('PK\x03\x04'))
})

test('the files of an order have the type of their content, whatever their name', async () => {
  const pdf = await testApp.make.evidence({
    original_filename: 'pagina.html',
    file_type: 'pdf',
    format: 'pdf',
  })
  const answer = await get({}, `/evidence/${pdf.id}/download?original=true`)
  expect(answer.headers['content-type']).toBe('application/pdf')
})

describe('promise 12: a download never runs, whatever the call and however hostile the name', () => {
  const HOSTILE = '<img src=x onerror=alert(1)>"\\ ação \u202egpj.exe.html'
  const SAVED = /^attachment; filename=("(?:[^"\\]|\\.)*"|[\w.-]+)(; filename\*=UTF-8''[\w.~!%-]+)?$/
  const TYPES = [
    ...Object.values(FORMATS).map(({ mime }) => mime),
    JSON_LINES,
    ...Object.values(DOSSIER_MIME),
    ...Object.values(EXPORT_MIME),
    'application/octet-stream',
    'application/zip',
    'text/calendar; charset=utf-8',
  ]
  const paths: Record<string, () => Promise<(string | { path: string; headers: Record<string, string> })[]>> =
    {
      'GET /guest/files/{id}/thumbnail': async () => {
        const { link, thumbnail } = await linkWithFiles(testApp)
        return [{ path: thumbnail, headers: guestHeaders(link.token) }]
      },
      'GET /evidence/{id}/download': async () => {
        const html = await testApp.make.evidence(
          { original_filename: HOSTILE, format: 'html' },
          Buffer.from('<script>'),
        )
        const picture = await testApp.make.converted({ converted_filename: HOSTILE })
        return [`/evidence/${html.id}/download?original=true`, `/evidence/${picture.id}/download`]
      },
      'GET /evidence/{id}/download-all': async () => {
        const { order_id } = await testApp.make.converted({ original_filename: HOSTILE })
        return [`/evidence/${order_id}/download-all`, `/evidence/${order_id}/download-all?originais=true`]
      },
      'GET /service-orders/{id}/dossier/{id}/download': async () => {
        const { order_id } = await testApp.make.converted()
        await testApp.make.dossier(order_id)
        return [`/service-orders/${order_id}/dossier/1/download?part=zip`]
      },
      'GET /service-orders/packages/{id}/download': async () => {
        const { id: user_id } = (await boss.api('GET', '/users/me')).json()
        const { id } = await testApp.make.archive(user_id, [await testApp.make.order()])
        return [`/service-orders/packages/${id}/download`]
      },
      'GET /security-log/export': async () => ['/security-log/export'],
      'GET /service-orders/imports/{id}/report': async () => [
        `/service-orders/imports/${await imported({ testApp }, (await testApp.make.company()).id)}/report`,
      ],
      'GET /service-orders/reports/monthly/export': async () => [
        '/service-orders/reports/monthly/export?from=2026-01&until=2026-03',
      ],
      'GET /calendar/{id}': async () => {
        const { address } = await newCalendar(boss.ctx)
        return [String(address).replace(/^.*\/api\/v1/, '')]
      },
      'GET /claims/export': async () => ['/claims/export?format=csv', '/claims/export?format=xlsx'],
      'GET /service-orders/export': async () => [
        '/service-orders/export?format=csv',
        '/service-orders/export?format=xlsx',
      ],
    }

  test('every call that answers with a file is here', async () => {
    const calls = callsOf(await documentOf(testApp.app)).filter(({ operation }) => {
      const success = operation.responses['200']
      const types = success && 'content' in success ? Object.keys(success.content ?? {}) : []
      return types.some((type) => !/^(application\/json|text\/html)/.test(type))
    })
    expect(calls.map(({ call }) => call).sort()).toEqual(Object.keys(paths).sort())
  })

  test.each(Object.entries(paths))('%s', async (_, made) => {
    for (const one of await made()) {
      const { path, headers } = typeof one === 'string' ? { path: one, headers: {} } : one
      const answer = await get(headers, path)
      expect([path, answer.statusCode]).toEqual([path, 200])
      expect(answer.headers, path).toMatchObject({
        'content-disposition': expect.stringMatching(SAVED),
        'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
        'x-content-type-options': 'nosniff',
        'cache-control': 'private, no-store',
      })
      expect(TYPES, path).toContain(answer.headers['content-type'])
    }
  })

  test('a picture displayed inline is under the same sandbox', async () => {
    const shown = await testApp.make.converted()
    const path = join(testApp.dir, 'miniatura')
    await writeFile(path, await picture())
    await savePreview(testApp.kernel.ctx, shown, { path, sharpness: null, perceptual_hash: null })
    const [listed] = (await boss.api('GET', `/evidence/${shown.order_id}/evidence`)).json().evidence_files
    expect(listed.thumbnail_url).toMatch(/^\/media\//)
    const answer = await testApp.app.inject({ method: 'GET', url: listed.thumbnail_url })
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'image/webp'])
    expect(answer.headers).toMatchObject({
      'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
    })
  })
})
