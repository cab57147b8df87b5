import { textOf } from '@garantia/shared/errors'
import { FILENAME_MAX_BYTES, uploadResult } from '@garantia/shared/evidence/schema'
import type { LightMyRequestResponse } from 'fastify'
import { afterAll, describe, expect, test } from 'vitest'
import { HOSTILE, type Hostile } from '../support/hostile.ts'
import { picture } from '../support/make.ts'
import { startTestApp } from '../support/test-app.ts'
import { chunkHeaders, creationHeaders, uploadInChunks } from '../support/tus.ts'

const testApp = await startTestApp({ UPLOAD_MAX_FILE_MB: '0.5' })
afterAll(() => testApp[Symbol.asyncDispose]())
const boss = await testApp.as(await testApp.make.user({ is_superuser: true }))
const brand = await testApp.make.brand()

const inScratch = async () =>
  (await testApp.filesOnDisk()).filter((path) => path.startsWith(testApp.kernel.ctx.config.scratch_dir))

type UploadMethod = (order_id: number, filename: string, content: Buffer) => Promise<LightMyRequestResponse>
/** The same file by each upload method; chunks are small, so that most files take several. */
const UPLOAD_METHODS: Record<string, UploadMethod> = {
  'at once': (order_id, filename, content) => boss.upload(order_id, [{ filename, content }]),
  'in pieces': (order_id, filename, content) =>
    uploadInChunks(boss, order_id, { filename, content }, Math.max(200, Math.ceil(content.length / 3))),
}

/** The reason alone, without location and file name, which only a body with several files needs. */
function verdictOf(answer: LightMyRequestResponse) {
  if (answer.statusCode < 300) {
    const [file] = uploadResult.parse(answer.json()).uploaded
    return { kept: file?.original_filename, as: file?.file_type, sha256: file?.sha256 }
  }
  const because = textOf(answer.json().detail).replace(/^[^«:]+: (?=\p{Lu})/u, '')
  return { refused: answer.statusCode, because }
}

describe('a hostile file gets the same verdict by multipart and by tus', () => {
  test.each(HOSTILE)('$what', async ({ filename, content, verdict }: Hostile) => {
    const bytes = await content(testApp.dir)
    const order = {
      pieces: await testApp.make.order({ brand_id: brand.id }),
      once: await testApp.make.order({ brand_id: brand.id }),
    }
    const stored = (await testApp.filesOnDisk()).length
    const once = await UPLOAD_METHODS['at once']?.(order.once.id, filename, bytes)
    const pieces = await UPLOAD_METHODS['in pieces']?.(order.pieces.id, filename, bytes)
    if (!once || !pieces) throw new Error('unknown upload method')
    expect(verdictOf(pieces)).toEqual(verdictOf(once))
    expect(await inScratch()).toEqual([])
    if ('refused' in verdict) {
      expect(verdictOf(once)).toEqual({
        refused: verdict.refused,
        because: expect.stringMatching(verdict.because),
      })
      expect(await testApp.filesOnDisk()).toHaveLength(stored)
      return
    }
    expect(verdictOf(once)).toMatchObject(verdict)
    expect(await testApp.filesOnDisk()).toHaveLength(stored + 2)
    for (const answer of [once, pieces]) await downloadsHarmless(answer, verdict.kept, bytes)
    const again = [
      await UPLOAD_METHODS['at once']?.(order.pieces.id, filename, bytes),
      await UPLOAD_METHODS['in pieces']?.(order.once.id, filename, bytes),
    ]
    for (const answer of again)
      expect(answer?.json()).toMatchObject({
        uploaded: [],
        skipped: [{ detail: 'Este arquivo já está na OS.' }],
      })
    expect(await testApp.filesOnDisk()).toHaveLength(stored + 2)
  })
})

/** Promise 12: a browser never runs it, whatever its name or content. */
async function downloadsHarmless(uploaded: LightMyRequestResponse, name: string, bytes: Buffer) {
  const [file] = uploadResult.parse(uploaded.json()).uploaded
  const answer = await boss.api('GET', `/evidence/${file?.id}/download?original=true`)
  expect(answer.headers).toMatchObject({
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
    'cache-control': 'private, no-store',
    'content-type': expect.stringMatching(/^(image\/(jpeg|png)|application\/(pdf|vnd\.openxml[\w.-]+))$/),
  })
  const disposition = String(answer.headers['content-disposition'])
  expect(disposition).toMatch(/^attachment; filename=[\x20-\x7e]+$/)
  const extended = /filename\*=UTF-8''(\S+)/.exec(disposition)?.[1]
  const plain = /filename=(?:"((?:\\.|[^"])*)"|([^;]+))/.exec(disposition)
  expect(extended ? decodeURIComponent(extended) : (plain?.[1] ?? plain?.[2])?.replace(/\\(.)/g, '$1')).toBe(
    name,
  )
  expect(answer.rawPayload.equals(bytes)).toBe(true)
}

describe('names that only the metadata header of tus can carry', () => {
  const named = (filename: Buffer | string) => `filename ${Buffer.from(filename).toString('base64')}`
  const send = async (header: string) => {
    const order = await testApp.make.order({ brand_id: brand.id })
    const content = await picture()
    const headers = creationHeaders(content.length, { order_id: order.id })
    return boss.api('POST', '/uploads', content, {
      ...chunkHeaders(0),
      ...headers,
      'upload-metadata': `${headers['upload-metadata']},${header}`,
    })
  }

  test.each([
    [named('a\u0000b.jpg'), 'ab.jpg'],
    [named('a\r\nSet-Cookie: x=y.jpg'), 'aSet-Cookie: x=y.jpg'],
    [named('a"b;c=d.jpg'), 'a"b;c=d.jpg'],
    [named(Buffer.from([0x61, 0xff, 0xfe, 0x2e, 0x6a, 0x70, 0x67])), 'a.jpg'],
    [named(`${'../'.repeat(1_000)}x.jpg`), 'x.jpg'],
    [named(''), 'arquivo.jpg'],
    ['filename', 'arquivo.jpg'],
    ['is_camera', 'arquivo.jpg'],
  ])('%s is stored as %j (D-51)', async (header, kept) => {
    const answer = await send(header)
    expect([answer.statusCode, answer.json().uploaded[0].original_filename]).toEqual([201, kept])
    expect(Buffer.byteLength(kept)).toBeLessThanOrEqual(FILENAME_MAX_BYTES)
  })

  test.each(['filename ***', 'filename Zg==,filename Zw==', 'filename Zg== Zg==', 'fíle Zg=='])(
    '«%s» is an invalid name, refused with its location',
    async (header) => {
      const answer = await send(header)
      expect([answer.statusCode, answer.json().detail[0].loc[0]]).toEqual([422, 'header'])
      expect(await inScratch()).toEqual([])
    },
  )
})
