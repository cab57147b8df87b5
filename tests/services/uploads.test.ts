import { createHash } from 'node:crypto'
import { rename, writeFile } from 'node:fs/promises'
import { sweepUploads } from '@garantia/server/features/evidence/uploads'
import { verifyStorage } from '@garantia/server/features/records/integrity'
import { uploadResult } from '@garantia/shared/evidence/schema'
import { afterAll, describe, expect, test } from 'vitest'
import { picture } from '../support/make.ts'
import { startTestApp } from '../support/test-app.ts'
import { chunkHeaders, createUpload, TUS, uploadInChunks } from '../support/tus.ts'

const testApp = await startTestApp({ UPLOAD_MAX_FILE_MB: '1' })
afterAll(() => testApp[Symbol.asyncDispose]())
const { ctx } = testApp.kernel
const boss = await testApp.as(await testApp.make.user({ is_superuser: true }))

const rowsOf = (order_id: number) =>
  ctx.db.selectFrom('evidence_files').where('order_id', '=', order_id).selectAll().execute()
const partsOnDisk = async () =>
  (await testApp.filesOnDisk()).filter((path) => path.startsWith(ctx.config.scratch_dir))
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
const large = async (bytes = 300_000) => Buffer.concat([await picture(), Buffer.alloc(bytes, 3)])
const later = (hours: number) => ({ ...ctx, clock: () => new Date(Date.now() + hours * 3_600_000) })
const offset = async (path: string, as = boss) =>
  Number((await as.api('HEAD', path, undefined, TUS)).headers['upload-offset'])

describe('a file uploaded in chunks', () => {
  test('becomes the same evidence as one uploaded at once: row, bytes, event and preview job (UPL-7, D-22)', async () => {
    const order = await testApp.make.order()
    const content = await large()
    const fields = { category: 'placa', description: 'a placa, de perto' }
    const answer = await uploadInChunks(
      boss,
      order.id,
      { filename: 'ção/IMG 1.JPG', content, ...fields },
      70_000,
    )
    expect(answer.statusCode).toBe(200)
    const { uploaded, total_files, message } = uploadResult.parse(answer.json())
    expect({ total_files, message }).toEqual({ total_files: 1, message: 'Evidências enviadas com sucesso' })
    expect(uploaded[0]).toMatchObject({
      original_filename: 'IMG 1.JPG',
      evidence_category: 'placa',
      description: 'a placa, de perto',
      file_size: content.length,
      sha256: sha256(content),
    })
    const direct = await boss.upload(order.id, [{ filename: 'outra.jpg', content: await large(1) }], fields)
    const [pieces, whole] = await rowsOf(order.id)
    expect(Object.keys(pieces ?? {})).toEqual(Object.keys(whole ?? {}))
    const { status, file_type, width, height, evidence_category, description } = uploaded[0] ?? {}
    expect(direct.json().uploaded[0]).toMatchObject({
      status,
      file_type,
      width,
      height,
      evidence_category,
      description,
    })
    expect(Object.keys(direct.json().uploaded[0])).toEqual(Object.keys(uploaded[0] ?? {}))
    const download = await boss.api('GET', `/evidence/${pieces?.id}/download?original=true`)
    expect(download.rawPayload.equals(content)).toBe(true)
    const events = await ctx.db
      .selectFrom('events')
      .where('subject', '=', 'order')
      .where('subject_id', '=', order.id)
      .where('kind', '=', 'evidence.uploaded')
      .select('changes')
      .execute()
    expect(events.map(({ changes }) => Object.keys(changes as object))).toEqual([
      ['sha256', 'category', 'filename', 'evidence_id'],
      ['sha256', 'category', 'filename', 'evidence_id'],
    ])
    expect(await partsOnDisk()).toEqual([])
  })

  test('with the bytes of a file of the order is a notice, and one row (idempotent by SHA-256)', async () => {
    const order = await testApp.make.order()
    const content = await picture()
    const [first] = (await boss.upload(order.id, [{ filename: 'a.jpg', content }])).json().uploaded
    const answer = await uploadInChunks(boss, order.id, { filename: 'b.jpg', content }, 100)
    expect([answer.statusCode, answer.json()]).toMatchObject([
      200,
      {
        uploaded: [],
        skipped: [{ filename: 'b.jpg', evidence_id: first.id, detail: 'Este arquivo já está na OS.' }],
        total_files: 0,
      },
    ])
    expect(answer.headers['upload-evidence-id']).toBe(String(first.id))
    expect(await rowsOf(order.id)).toHaveLength(1)
    expect(await partsOnDisk()).toEqual([])
  })

  test('by six uploads and six direct calls concurrently is one row, and its bytes are stored once (D-22)', async () => {
    const order = await testApp.make.order()
    const content = await large(50_000)
    const stored = (await testApp.filesOnDisk()).length
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, n) => [
        uploadInChunks(boss, order.id, { filename: `p${n}.jpg`, content }, 20_000),
        boss.upload(order.id, [{ filename: `d${n}.jpg`, content }]),
      ]).flat(),
    )
    expect(answers.map(({ statusCode }) => statusCode).every((status) => status < 202)).toBe(true)
    expect(answers.filter((answer) => answer.json().uploaded.length === 1)).toHaveLength(1)
    expect(await rowsOf(order.id)).toHaveLength(1)
    expect(await testApp.filesOnDisk()).toHaveLength(stored + 1)
  })

  test('may be so small that it comes whole with its creation', async () => {
    const order = await testApp.make.order()
    const content = await picture()
    const answer = await boss.api('POST', '/uploads', content, {
      ...chunkHeaders(0),
      'upload-length': String(content.length),
      'upload-metadata': `order_id ${btoa(String(order.id))},filename ${btoa('a.jpg')}`,
    })
    expect(answer.statusCode).toBe(201)
    expect(answer.headers).toMatchObject({ location: expect.stringContaining('/uploads/') })
    expect(answer.json().uploaded[0].original_filename).toBe('a.jpg')
  })

  test('whose last response was lost is known to have arrived, once', async () => {
    const order = await testApp.make.order()
    const content = await picture()
    const path = await createUpload(boss, order.id, content.length)
    const last = await boss.api('PATCH', path, content, chunkHeaders(0))
    const head = await boss.api('HEAD', path, undefined, TUS)
    expect(head.headers).toMatchObject({
      'upload-offset': String(content.length),
      'upload-length': String(content.length),
      'upload-evidence-id': String(last.json().uploaded[0].id),
    })
    expect((await boss.api('PATCH', path, content, chunkHeaders(0))).statusCode).toBe(409)
    expect(await rowsOf(order.id)).toHaveLength(1)
  })

  test('with another SHA-256 than announced is refused, and nothing of it stays', async () => {
    const order = await testApp.make.order()
    const content = await picture()
    const wrong = await uploadInChunks(boss, order.id, {
      filename: 'a.jpg',
      content,
      sha256: 'ab'.repeat(32),
    })
    expect([wrong.statusCode, wrong.json().detail[0].msg]).toEqual([
      422,
      'Os bytes recebidos não conferem com o SHA-256 informado. Envie o arquivo de novo.',
    ])
    expect(await partsOnDisk()).toEqual([])
    const right = { filename: 'a.jpg', content, sha256: sha256(content).toUpperCase() }
    expect((await uploadInChunks(boss, order.id, right, 100)).statusCode).toBe(200)
  })

  test('is refused at its end when its order was closed meanwhile (STA-13)', async () => {
    const order = await testApp.make.order()
    const content = await picture()
    const path = await createUpload(boss, order.id, content.length)
    await boss.api('PATCH', path, content.subarray(0, 100), chunkHeaders(0))
    await ctx.db
      .updateTable('service_orders')
      .set({ status: 'cancelled', cancelled_at: new Date() })
      .where('id', '=', order.id)
      .execute()
    const answer = await boss.api('PATCH', path, content.subarray(100), chunkHeaders(100))
    expect([answer.statusCode, answer.json().detail]).toEqual([
      409,
      'OS concluída ou cancelada não pode ser editada',
    ])
    expect((await boss.api('HEAD', path, undefined, TUS)).statusCode).toBe(404)
    expect(await partsOnDisk()).toEqual([])
  })
})

describe('an upload belongs to its creator alone (D-39)', () => {
  test('others, superusers too, get 404', async () => {
    const company = await testApp.make.company()
    const order = await testApp.make.order({ company_id: company.id })
    const clerk = await testApp.as(await testApp.make.user({ company_id: company.id, role: 'manager' }))
    const path = await createUpload(clerk, order.id, 1_000)
    const colleague = await testApp.as(await testApp.make.user({ company_id: company.id, role: 'manager' }))
    for (const otherUser of [boss, colleague]) {
      expect((await otherUser.api('HEAD', path, undefined, TUS)).statusCode).toBe(404)
      expect((await otherUser.api('PATCH', path, 'x', chunkHeaders(0))).statusCode).toBe(404)
      expect((await otherUser.api('DELETE', path, undefined, TUS)).statusCode).toBe(404)
    }
    expect(await offset(path, clerk)).toBe(0)
    expect((await clerk.api('DELETE', path, undefined, TUS)).statusCode).toBe(204)
    expect((await clerk.api('HEAD', path, undefined, TUS)).statusCode).toBe(404)
  })
})

describe('an upload left by a dead server', () => {
  /** The state left by a server that was killed between renaming a complete file and writing its row. */
  async function diedAtTheEnd() {
    const order = await testApp.make.order()
    const content = await large(9_000)
    const path = await createUpload(boss, order.id, content.length)
    await boss.api('PATCH', path, content.subarray(0, 5_000), chunkHeaders(0))
    const id = path.split('/').at(-1) ?? ''
    await writeFile(ctx.partialFiles.path(id), content)
    await ctx.scratch.within('teste', async (dir) => {
      await rename(ctx.partialFiles.path(id), `${dir}/inteiro`)
      await ctx.storage.moveIn(`os/${order.id}/${id}/original.jpg`, `${dir}/inteiro`)
    })
    return { order, content, path, id }
  }

  test('at its last step is continued by one byte, and becomes evidence once (reliability 3)', async () => {
    const { order, content, path } = await diedAtTheEnd()
    expect((await verifyStorage(later(2))).faults).toEqual([])
    expect(await offset(path)).toBe(content.length - 1)
    const answer = await boss.api('PATCH', path, content.subarray(-1), chunkHeaders(content.length - 1))
    expect(answer.json().uploaded[0].sha256).toBe(sha256(content))
    expect(await rowsOf(order.id)).toHaveLength(1)
    expect((await verifyStorage(later(2))).faults).toEqual([])
    expect(await partsOnDisk()).toEqual([])
  })

  test('is swept when it expires, its storage too; completed evidence stays', async () => {
    const { order, path } = await diedAtTheEnd()
    const half = await createUpload(boss, order.id, 1_000)
    await boss.api('PATCH', half, 'metade', chunkHeaders(0))
    const done = await uploadInChunks(boss, order.id, { filename: 'fica.jpg', content: await picture() }, 100)
    expect(await sweepUploads(later(23))).toEqual({ uploads: 0, parts: 0 })
    const swept = await sweepUploads(later(25))
    expect(swept.uploads).toBeGreaterThanOrEqual(3)
    for (const gone of [path, half])
      expect((await boss.api('HEAD', gone, undefined, TUS)).statusCode).toBe(404)
    expect((await verifyStorage(later(30))).faults).toEqual([])
    expect(await partsOnDisk()).toEqual([])
    const { id } = done.json().uploaded[0]
    expect((await boss.api('GET', `/evidence/${id}/download?original=true`)).statusCode).toBe(200)
  })

  test('is shown to the operator: orphan parts, and acknowledged bytes that are missing (reliability 21)', async () => {
    const order = await testApp.make.order()
    const path = await createUpload(boss, order.id, 1_000)
    await boss.api('PATCH', path, 'dez bytes!', chunkHeaders(0))
    await ctx.db.updateTable('uploads').set({ received: 20 }).where('order_id', '=', order.id).execute()
    await writeFile(ctx.partialFiles.path('de-ninguem'), 'x')
    expect((await verifyStorage(later(2))).faults).toEqual([
      { kind: 'orphan', key: 'tmp/uploads/de-ninguem', order_id: null, size: 1 },
      { kind: 'missing', key: `tmp${path}`, order_id: order.id, size: 10 },
    ])
    expect(await sweepUploads(ctx)).toEqual({ uploads: 0, parts: 1 })
    await boss.api('DELETE', path, undefined, TUS)
    expect((await verifyStorage(later(2))).faults).toEqual([])
  })
})
