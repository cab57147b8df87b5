import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { evidenceList, uploadResult } from '@garantia/shared/evidence/schema'
import { MAX_ORDER_FILES } from '@garantia/shared/evidence/upload'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { picture } from '../support/make.ts'
import * as media from '../support/media.ts'
import { multipart, startTestApp } from '../support/test-app.ts'

const testApp = await startTestApp({ UPLOAD_MAX_FILE_MB: '0.2' })
afterAll(() => testApp[Symbol.asyncDispose]())
const { db } = testApp.kernel.ctx
const boss = await testApp.as(await testApp.make.user({ is_superuser: true }))
const bytesOf = async (made: Promise<string>) => readFile(await made)
const document = await bytesOf(media.pdf(testApp.dir, { pages: 1 }))
const jpeg = async (filename = 'foto.jpg') => ({ filename, content: await picture() })

const rowsOf = (order_id: number) =>
  db.selectFrom('evidence_files').where('order_id', '=', order_id).selectAll().execute()

test('a file is stored byte for byte with its checksums, and its order waits for conversion (API-40, D-22)', async () => {
  const order = await testApp.make.order()
  const content = await picture('jpeg', 640, 480)
  const answer = await boss.upload(order.id, [{ filename: 'IMG_0001.JPG', content }], {
    category: 'defeito',
    description: '  Farol trincado  ',
  })
  expect(answer.statusCode).toBe(201)
  const { uploaded, total_files } = uploadResult.parse(answer.json())
  expect(total_files).toBe(1)
  expect(uploaded[0]).toMatchObject({
    file_type: 'image',
    status: 'pending',
    original_filename: 'IMG_0001.JPG',
    file_size: content.length,
    evidence_category: 'defeito',
    description: 'Farol trincado',
    width: 640,
    height: 480,
    sha256: createHash('sha256').update(content).digest('hex'),
  })
  const [row] = await rowsOf(order.id)
  expect(row?.crc32).toBe(crc32(content))
  expect(await readFile(join(testApp.dir, 'files', row?.original_key ?? ''))).toEqual(content)
  expect((await boss.api('GET', `/service-orders/${order.id}`)).json()).toMatchObject({
    status: 'pending_upload',
    conversion_status: 'not_started',
  })
})

test('each file of an upload gets its own verdict, in the order they were sent (D-22)', async () => {
  const order = await testApp.make.order()
  const answer = await boss.upload(order.id, [
    { filename: 'vazio.mp4', content: '' },
    await jpeg('boa.jpg'),
    { filename: 'foto.jpg', content: document },
    { filename: 'laudo.pdf', content: document },
    { filename: 'bomba.png', content: await bytesOf(media.hugePng(testApp.dir)) },
    { filename: 'desenho.svg', content: await bytesOf(media.svg(testApp.dir)) },
    { filename: 'video.mp4', content: await bytesOf(media.ffconcatText(testApp.dir, '../outro.mp4')) },
    { filename: 'lista.mp4', content: await bytesOf(media.hlsText(testApp.dir, 'http://127.0.0.1:9/a.ts')) },
    { filename: 'página.jpg', content: '<!doctype html><script>alert(1)</script>' },
  ])
  expect(answer.statusCode).toBe(201)
  const { uploaded, errors } = uploadResult.parse(answer.json())
  expect(uploaded.map(({ original_filename, file_type }) => [original_filename, file_type])).toEqual([
    ['boa.jpg', 'image'],
    ['laudo.pdf', 'pdf'],
  ])
  expect(
    errors.map(({ filename, code, detail }) => [filename, code, detail.split(/[.,(]/)[0]?.trim()]),
  ).toEqual([
    ['vazio.mp4', 'invalid', 'O arquivo está vazio'],
    ['foto.jpg', 'unsupported', 'O nome termina como outro tipo'],
    ['bomba.png', 'invalid', 'A imagem tem 300 megapixels; o máximo é 210'],
    ['desenho.svg', 'unsupported', 'Formato não aceito'],
    ['video.mp4', 'unsupported', 'Formato não aceito'],
    ['lista.mp4', 'unsupported', 'Formato não aceito'],
    ['página.jpg', 'unsupported', 'Formato não aceito'],
  ])
  expect(await rowsOf(order.id)).toHaveLength(2)
})

test('when all files are refused the response has the reason and its own status (D-22, D-03)', async () => {
  const order = await testApp.make.order()
  const refusal = async (files: Parameters<typeof boss.upload>[1], fields = {}) => {
    const answer = await boss.upload(order.id, files, fields)
    return [answer.statusCode, answer.json().detail]
  }
  const svg = { filename: 'a.svg', content: '<svg/>' }
  const empty = { filename: 'b.jpg', content: '' }
  const large = { filename: 'c.jpg', content: Buffer.alloc(200_001, 1) }
  expect(await refusal([svg])).toEqual([415, expect.stringMatching(/^Formato não aceito/)])
  expect(await refusal([large])).toEqual([413, '«c.jpg» passa de 200 KB, o máximo por arquivo enviado.'])
  expect(await refusal([empty])).toEqual([
    422,
    [
      {
        loc: ['body', 'files', 0],
        msg: expect.stringMatching(/^b\.jpg: O arquivo está vazio/),
        type: 'value_error',
      },
    ],
  ])
  expect(await refusal([svg, svg])).toEqual([
    415,
    expect.arrayContaining([expect.objectContaining({ loc: ['body', 'files', 1] })]),
  ])
  expect(await refusal([svg, empty])).toEqual([422, expect.any(Array)])
  expect(await refusal([])).toEqual([
    422,
    [{ loc: ['body', 'files'], msg: 'Envie ao menos um arquivo', type: 'missing' }],
  ])
  expect(await refusal([await jpeg()], { category: 'nenhuma' })).toEqual([
    422,
    [{ loc: ['body', 'category'], msg: 'Categoria desconhecida', type: 'value_error' }],
  ])
  expect(await refusal([await jpeg()], { description: 'x'.repeat(501) })).toEqual([
    422,
    [
      {
        loc: ['body', 'description'],
        msg: 'Descrição deve ter no máximo 500 caracteres',
        type: 'value_error',
      },
    ],
  ])
  expect(await rowsOf(order.id)).toEqual([])
})

test('refused files leave nothing on disk (reliability 3, 6)', async () => {
  const order = await testApp.make.order()
  const before = await testApp.filesOnDisk()
  await boss.upload(order.id, [
    { filename: 'grande.jpg', content: Buffer.alloc(900_000, 1) },
    { filename: 'vazio.jpg', content: '' },
    { filename: 'a.svg', content: '<svg/>' },
  ])
  expect(await testApp.filesOnDisk()).toEqual(before)
})

test('a file with the bytes of another one of the order is skipped with a notice, not refused (D-22)', async () => {
  const order = await testApp.make.order()
  const first = await jpeg('primeira.jpg')
  await boss.upload(order.id, [first])
  const disk = await testApp.filesOnDisk()
  const answer = await boss.upload(order.id, [{ ...first, filename: 'outra-vez.jpg' }])
  expect(answer.statusCode).toBe(201)
  const [row] = await rowsOf(order.id)
  expect(uploadResult.parse(answer.json())).toMatchObject({
    uploaded: [],
    skipped: [{ filename: 'outra-vez.jpg', evidence_id: row?.id, detail: 'Este arquivo já está na OS.' }],
    total_files: 0,
  })
  expect(await testApp.filesOnDisk()).toEqual(disk)

  const other = await testApp.make.order()
  expect((await boss.upload(other.id, [first])).json()).toMatchObject({ total_files: 1 })
})

test('the same file sent six times concurrently is one row, and its bytes are stored once (D-22)', async () => {
  const order = await testApp.make.order()
  const file = await jpeg()
  const before = (await testApp.filesOnDisk()).length
  const answers = await Promise.all(Array.from({ length: 6 }, () => boss.upload(order.id, [file])))
  expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(6).fill(201))
  expect(answers.filter((answer) => answer.json().uploaded.length === 1)).toHaveLength(1)
  expect(answers.filter((answer) => answer.json().skipped.length === 1)).toHaveLength(5)
  expect(await rowsOf(order.id)).toHaveLength(1)
  expect((await testApp.filesOnDisk()).length).toBe(before + 1)
})

test('a deleted file may be sent again; its bytes stay for the grace period (D-17)', async () => {
  const order = await testApp.make.order()
  const file = await jpeg()
  const { uploaded } = (await boss.upload(order.id, [file])).json()
  const disk = await testApp.filesOnDisk()
  expect((await boss.api('DELETE', `/evidence/${uploaded[0].id}`)).json()).toEqual({
    message: 'Arquivo excluído',
  })
  expect(await testApp.filesOnDisk()).toEqual(disk)
  expect((await boss.upload(order.id, [file])).json()).toMatchObject({ total_files: 1, skipped: [] })
  const list = evidenceList.parse((await boss.api('GET', `/evidence/${order.id}/evidence`)).json())
  expect(list.total_files).toBe(1)
})

test('fields may come before or after the files, or in the query (D-22)', async () => {
  const order = await testApp.make.order()
  const { body, headers } = multipart([
    { name: 'category', content: 'placa' },
    { name: 'files', ...(await jpeg()) },
    { name: 'description', content: 'depois' },
  ])
  const before = await boss.api('POST', `/evidence/${order.id}/upload`, body, headers)
  expect(before.json().uploaded[0]).toMatchObject({ evidence_category: 'placa', description: 'depois' })
  const second = multipart([{ name: 'files', ...(await jpeg()) }])
  const query = await boss.api(
    'POST',
    `/evidence/${order.id}/upload?category=chassi`,
    second.body,
    second.headers,
  )
  expect(query.json().uploaded[0]).toMatchObject({ evidence_category: 'chassi', description: null })
})

test.each(['completed', 'cancelled'] as const)(
  'a %s order accepts and deletes no file (STA-13)',
  async (status) => {
    const order = await testApp.make.order({ status })
    const file = await testApp.make.converted({ order_id: order.id })
    const refusals = [
      await boss.upload(order.id, [await jpeg()]),
      await boss.api('DELETE', `/evidence/${file.id}`),
    ]
    for (const answer of refusals) {
      expect(answer.statusCode).toBe(409)
      expect(answer.json().detail).toBe('OS concluída ou cancelada não pode ser editada')
    }
    expect((await boss.api('GET', `/evidence/${file.id}/download`)).statusCode).toBe(200)
  },
)

test('a file being converted is not deleted (D-08)', async () => {
  const file = await testApp.make.evidence({ status: 'converting' })
  const answer = await boss.api('DELETE', `/evidence/${file.id}`)
  expect([answer.statusCode, answer.json().detail]).toEqual([
    409,
    'Arquivo em conversão. Aguarde o término para excluir.',
  ])
})

test('uploads of one person at the same time share transactions, and each gets the answer to its own files (D-22)', async () => {
  const order = await testApp.make.order()
  const files = await Promise.all(Array.from({ length: 9 }, (_, n) => jpeg(`foto-${n}.jpg`)))
  const twice = files[0] ?? (await jpeg())
  const more = [{ ...twice, filename: 'outra-vez.jpg' }, await jpeg('nova.jpg')]
  const stored = () => readdir(join(testApp.dir, 'files/os', String(order.id))).catch(() => [])
  const holder = await testApp.kernel.pool.connect()
  await holder.query('begin')
  await holder.query('select from service_orders where id = $1 for no key update', [order.id])
  const answering = Promise.all([
    ...files.map((file) => boss.upload(order.id, [file], { category: 'defeito' })),
    boss.upload(order.id, more, { category: 'defeito' }),
  ])
  await expect.poll(stored, { timeout: 20_000 }).toHaveLength(11)
  await holder.query('commit')
  holder.release()
  const answers = await answering
  const results = answers.map((answer) => uploadResult.parse(answer.json()))
  const skipped = results.flatMap((result) => result.skipped)
  const uploaded = results.flatMap((result) => result.uploaded)
  expect([uploaded.length, skipped.length]).toEqual([10, 1])
  for (const [place, { filename }] of files.entries()) {
    const named = [...(results[place]?.uploaded ?? []), ...(results[place]?.skipped ?? [])]
    expect(named.map((one) => ('filename' in one ? one.filename : one.original_filename))).toEqual([filename])
  }

  const rows = await rowsOf(order.id)
  expect(new Set(rows.map(({ sha256 }) => sha256)).size).toBe(10)
  expect(rows.map(({ category_seq }) => category_seq).sort((a, b) => a - b)).toEqual(
    Array.from({ length: 10 }, (_, n) => n + 1),
  )
  expect(skipped[0]?.evidence_id).toBe(rows.find(({ sha256 }) => sha256 === sha256Of(twice.content))?.id)
  expect(await stored()).toHaveLength(10)
  const events = await db
    .selectFrom('events')
    .where('subject_id', '=', order.id)
    .where('kind', '=', 'evidence.uploaded')
    .select(['seq', sql<string>`xmin::text`.as('transaction')])
    .orderBy('seq')
    .execute()
  expect(events).toHaveLength(10)
  expect(new Set(events.map(({ transaction }) => transaction)).size).toBeLessThan(10)
  const chain = await db
    .selectFrom('events')
    .where('subject', '=', 'order')
    .where('subject_id', '=', order.id)
    .select(['hash', 'previous_hash'])
    .orderBy('seq')
    .execute()
  for (const [place, { previous_hash }] of chain.entries())
    if (place > 0) expect(previous_hash).toBe(chain[place - 1]?.hash)
})

const sha256Of = (content: Buffer) => createHash('sha256').update(content).digest('hex')

test('an order has a most of files, uploaded or restored', async () => {
  const order = await testApp.make.order()
  const { id, hash_bands, ...row } = await testApp.make.evidence({ order_id: order.id })
  const deleted = await testApp.make.evidence({ order_id: order.id, deleted_at: new Date() })
  const others = Array.from({ length: MAX_ORDER_FILES - 2 }, (_, n) => {
    const [sha256, original_key] = [n.toString(16).padStart(64, '0'), `os/x/${n}`]
    return { ...row, sha256, original_key, category_seq: 1_000 + n }
  })
  // A statement has 65,535 parameters at most.
  while (others.length > 0) await db.insertInto('evidence_files').values(others.splice(0, 500)).execute()
  expect((await boss.upload(order.id, [await jpeg()])).statusCode).toBe(201)
  const refused = await boss.upload(order.id, [
    { filename: 'mais.jpg', content: await picture('jpeg', 70, 70) },
  ])
  expect([refused.statusCode, refused.json().detail]).toEqual([
    409,
    'Uma OS guarda no máximo 10.000 arquivos. Exclua os que não são necessários.',
  ])
  expect((await boss.api('POST', `/evidence/${deleted.id}/restore`)).statusCode).toBe(409)
  expect((await boss.api('DELETE', `/evidence/${id}`)).statusCode).toBe(200)
  expect((await boss.api('POST', `/evidence/${deleted.id}/restore`)).statusCode).toBe(200)
})
