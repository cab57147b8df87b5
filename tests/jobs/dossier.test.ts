import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { PDFDocument } from '@cantoo/pdf-lib'
import { enqueueDossier } from '@garantia/server/features/orders/dossier-request'
import { verifyChains } from '@garantia/server/features/records/chain'
import { applyRetention } from '@garantia/server/features/records/retention'
import { toolsInUse } from '@garantia/server/features/system/health'
import { SEAL_FILES, VERIFIER } from '@garantia/shared/dossier/proof'
import type { DossierView } from '@garantia/shared/dossier/schema'
import { startWorker } from '@garantia/worker'
import { unzipSync } from 'fflate'
import { sql } from 'kysely'
import sharp from 'sharp'
import { extractImages, extractText, getDocumentProxy } from 'unpdf'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { picture } from '../support/make.ts'
import { multipart, startTestApp } from '../support/test-app.ts'

const testApp = await startTestApp()
const { ctx } = testApp.kernel
let worker: Awaited<ReturnType<typeof startWorker>>
beforeAll(async () => {
  worker = await startWorker(testApp.kernel)
})
afterAll(async () => {
  await worker.stop()
  await testApp[Symbol.asyncDispose]()
})
const run = promisify(execFile)
const boss = await testApp.as(await testApp.make.user({ is_superuser: true, full_name: 'Ana Diretora' }))

/** A picture that no encoder compresses well. */
const VERSION = /^\d+\.\d+/
const noise = (width = 640, height = 480) =>
  sharp(randomBytes(width * height * 3), { raw: { width, height, channels: 3 } })
    .jpeg({ quality: 80 })
    .toBuffer()
const list = async (id: number): Promise<DossierView[]> =>
  (await boss.api('GET', `/service-orders/${id}/dossier`)).json().data

/** The newest version, once no build is in progress. */
async function waitUntilFinished(id: number): Promise<DossierView> {
  for (const end = Date.now() + 60_000; Date.now() < end; await wait(100)) {
    const versions = await list(id)
    const [newest] = versions
    if (newest && versions.every(({ status }) => status === 'sealed' || status === 'failed')) return newest
  }
  throw new Error(`still building: ${JSON.stringify(await list(id))}`)
}
const download = (id: number, n: number, query = '') =>
  boss.api('GET', `/service-orders/${id}/dossier/${n}/download${query}`)

async function unpacked(id: number, n: number) {
  const dir = join(testApp.dir, `dossie-${id}-${n}`)
  await mkdir(dir)
  await writeFile(`${dir}.zip`, (await download(id, n)).rawPayload)
  await run('unzip', ['-q', `${dir}.zip`, '-d', dir])
  return dir
}

const brand = await testApp.make.brand({
  max_file_size_mb: 25,
  max_powerpoint_size_mb: 1,
  required_categories: JSON.stringify([
    { category: 'chassi', min: 1 },
    { category: 'defeito', min: 2 },
  ]),
})
async function filledOrder(pictures: number) {
  const { id } = await testApp.make.order({
    brand_id: brand.id,
    problem_description: 'Ruído metálico na suspensão — «só em curva» 漢字',
    vehicle_chassis: '9BGXX00X00B123456',
    customer_name: 'Maria da Conceição',
    customer_document: '52998224725',
  })
  for (let n = 0; n < pictures; n++)
    await testApp.make.converted(
      { order_id: id, evidence_category: n === 0 ? 'chassi' : 'defeito', description: 'Amortecedor' },
      await noise(),
    )
  return id
}

test('a sealed version contains the files, the reports and their proofs (beyond 1.3)', async () => {
  const id = await filledOrder(6)
  await testApp.make.converted({
    order_id: id,
    file_type: 'pdf',
    format: 'pdf',
    converted_format: 'pdf',
    converted_filename: 'laudo.pdf',
  })
  await testApp.make.evidence({ order_id: id, original_filename: 'por converter.jpg' })
  const asked = await boss.api('POST', `/service-orders/${id}/dossier`)
  expect([asked.statusCode, asked.json()]).toMatchObject([200, { n: 1, actor: 'Ana Diretora' }])

  const version = await waitUntilFinished(id)
  expect(version).toMatchObject({ n: 1, status: 'sealed', progress: 100, is_purged: false })
  expect(version.files.map(({ part }) => part)).toEqual(['zip', 'pdf', 'pptx'])
  const dir = await unpacked(id, 1)
  expect((await readdir(dir)).filter((name) => !name.startsWith('convertido-')).sort()).toEqual(
    [...SEAL_FILES, VERIFIER, 'dossie.pdf', 'dossie.pptx', 'laudo.pdf'].sort(),
  )
  const { stdout } = await run('sha256sum', ['-c', 'SHA256SUMS'], { cwd: dir })
  expect(stdout.match(/: OK$/gm)).toHaveLength(13)

  const manifest = JSON.parse(await readFile(join(dir, 'manifesto.json'), 'utf8'))
  expect(manifest).toMatchObject({
    version: 1,
    sealed_by: 'Ana Diretora',
    order: { id, customer_name: 'Maria da Conceição', vehicle_chassis: '9BGXX00X00B123456' },
    left_out: [{ filename: 'por converter.jpg', status: 'pending' }],
  })
  expect(manifest.tools).toEqual({
    garantia: expect.stringMatching(VERSION),
    ffmpeg: expect.stringMatching(VERSION),
    sharp: sharp.versions.sharp,
    libvips: sharp.versions.vips,
  })
  // The worker says the same to the page of the API.
  await expect.poll(() => toolsInUse(ctx)).toEqual([manifest.tools])
  expect(JSON.stringify(manifest)).not.toContain('52998224725')
  expect(manifest.files).toHaveLength(7)
  expect(manifest.checks.find(({ code }: { code: string }) => code === 'V07')).toMatchObject({ ok: false })
  expect(manifest.event_chain).toEqual({ seq: 1, hash: expect.stringMatching(/^[0-9a-f]{64}$/) })
  expect(await verifyChains(ctx, id)).toMatchObject({ seals: 1, faults: [] })

  const pdf = await PDFDocument.load(await readFile(join(dir, 'dossie.pdf')))
  expect(pdf.getTitle()).toContain('Dossiê 1 da OS')
  expect(pdf.getPageCount()).toBeGreaterThanOrEqual(3)
})

test('the report has glyphs for names in every script', async () => {
  const { id } = await testApp.make.order({
    brand_id: brand.id,
    customer_name: 'Łukasz Żółć Ωμέγα Дмитрий 漢',
  })
  await testApp.make.converted({ order_id: id })
  await boss.api('POST', `/service-orders/${id}/dossier`)
  await waitUntilFinished(id)
  const { rawPayload } = await download(id, 1, '?part=pdf')
  const { text } = await extractText(new Uint8Array(rawPayload), { mergePages: true })
  expect(text).toContain('Łukasz Żółć Ωμέγα Дмитрий ?')
  expect(text).toContain('Concessionária')
})

test('the logo of the company is on the cover of report and slides (D-93)', async () => {
  const { id: company_id } = await testApp.make.company()
  const file = multipart([{ name: 'file', filename: 'logo.png', content: await picture('png', 300, 100) }])
  await boss.api('POST', `/companies/${company_id}/logo`, file.body, file.headers)
  const { id } = await testApp.make.order({ brand_id: brand.id, company_id })
  await testApp.make.converted({ order_id: id, evidence_category: 'chassi' }, await noise(600, 400))
  await boss.api('POST', `/service-orders/${id}/dossier`)
  expect(await waitUntilFinished(id)).toMatchObject({ status: 'sealed' })
  const pdf = await getDocumentProxy(new Uint8Array((await download(id, 1, '?part=pdf')).rawPayload))
  const [onCover] = await extractImages(pdf, 1)
  expect(onCover).toMatchObject({ width: 300, height: 100 })
  const slides = unzipSync((await download(id, 1, '?part=pptx')).rawPayload)
  const text = (name: string) => Buffer.from(slides[name] ?? []).toString()
  expect(text('ppt/slides/slide1.xml')).toMatch(/<p:pic>.*descr="Logotipo de /s)
})

test("the presentation stays under the brand's limit, with every picture in it (V09, D-23)", async () => {
  const id = await filledOrder(12)
  await boss.api('POST', `/service-orders/${id}/dossier`)
  const version = await waitUntilFinished(id)
  const slides = version.files.find(({ part }) => part === 'pptx')
  expect(slides?.size).toBeLessThanOrEqual(1_000_000)
  expect(slides?.size).toBeGreaterThan(300_000)
  const answer = await download(id, 1, '?part=pptx')
  expect(answer.headers['content-disposition']).toMatch(/os_\d{6}_dossie_1\.pptx/)
  const path = join(testApp.dir, 'slides.pptx')
  await writeFile(path, answer.rawPayload)
  const { stdout } = await run('unzip', ['-l', path])
  expect(stdout.match(/ppt\/slides\/slide\d+\.xml$/gm)).toHaveLength(14)
  expect(stdout.match(/ppt\/media\/.*\.jpe?g$/gm)).toHaveLength(12)
})

test('a version never changes; a later request makes the next one (decisions, section 2)', async () => {
  const id = await filledOrder(1)
  await boss.api('POST', `/service-orders/${id}/dossier`)
  const first = await waitUntilFinished(id)
  const bytes = (await download(id, 1)).rawPayload
  await testApp.make.converted({ order_id: id, converted_filename: 'novo.jpg' }, await noise(200, 100))
  await boss.api('POST', `/service-orders/${id}/dossier`)
  const second = await waitUntilFinished(id)
  expect(second.n).toBe(2)
  expect(second.files[0]?.sha256).not.toBe(first.files[0]?.sha256)
  expect((await download(id, 1)).rawPayload.equals(bytes)).toBe(true)
  expect(await readdir(await unpacked(id, 2))).toContain('novo.jpg')
})

test('a version in progress is returned instead of starting a second; a completion requests a newer one (D-10)', async () => {
  const id = await filledOrder(1)
  await ctx.db
    .insertInto('dossiers')
    .values({ order_id: id, n: 1, actor_name: 'x', status: 'building' })
    .execute()
  expect((await boss.api('POST', `/service-orders/${id}/dossier`)).json()).toMatchObject({ n: 1 })
  const [sealing, same] = await ctx.db.transaction().execute(async (db) => {
    const inside = { ...ctx, db }
    return [await enqueueDossier(inside, id), await enqueueDossier(inside, id)]
  })
  expect([sealing, same]).toMatchObject([
    { n: 2, actor_name: 'Sistema' },
    { n: 2, id: sealing?.id },
  ])
  await ctx.db.deleteFrom('dossiers').where('order_id', '=', id).where('n', '=', 1).execute()
  expect(await waitUntilFinished(id)).toMatchObject({ n: 2, status: 'sealed' })
})

test('without a converted file a user is refused, but a completion is still sealed (D-10)', async () => {
  const { id } = await testApp.make.order()
  const refused = await boss.api('POST', `/service-orders/${id}/dossier`)
  expect([refused.statusCode, refused.json().detail]).toEqual([
    409,
    'Nenhum arquivo convertido para o dossiê.',
  ])
  expect((await boss.api('POST', `/service-orders/${id}/status/completed`)).statusCode).toBe(200)
  expect(await waitUntilFinished(id)).toMatchObject({ n: 1, status: 'sealed', actor: 'Ana Diretora' })
  expect((await readdir(await unpacked(id, 1))).sort()).toEqual(
    [...SEAL_FILES, VERIFIER, 'dossie.pdf'].sort(),
  )
})

test('a missing file fails the version with its reason, and leaves nothing behind', async () => {
  const id = await filledOrder(0)
  const file = await testApp.make.converted({ order_id: id })
  await rm(join(testApp.dir, 'files', file.converted_key ?? ''))
  await boss.api('POST', `/service-orders/${id}/dossier`)
  const failed = await waitUntilFinished(id)
  expect(failed).toMatchObject({ status: 'failed', files: [] })
  expect(failed.error).toContain('Arquivo ausente ou alterado no armazenamento')
  expect((await testApp.filesOnDisk()).filter((path) => path.includes(`/os/${id}/`))).toHaveLength(1)
  expect((await download(id, 1)).statusCode).toBe(409)
  expect((await download(id, 2)).statusCode).toBe(404)
})

test('a copy damaged in storage fails the version with its name, and leaves nothing behind', async () => {
  const id = await filledOrder(1)
  const file = await testApp.make.converted({ order_id: id, converted_filename: 'OS123456_defeito_2.jpg' })
  const path = join(testApp.dir, 'files', file.converted_key ?? '')
  const bytes = await readFile(path)
  bytes.writeUInt8(bytes.readUInt8(bytes.length - 1) ^ 1, bytes.length - 1)
  await rm(path)
  await writeFile(path, bytes)
  const before = await testApp.filesOnDisk()
  await boss.api('POST', `/service-orders/${id}/dossier`)
  expect(await waitUntilFinished(id)).toMatchObject({
    status: 'failed',
    files: [],
    error: 'Arquivo ausente ou alterado no armazenamento: OS123456_defeito_2.jpg. Converta-o de novo.',
  })
  expect((await testApp.filesOnDisk()).sort()).toEqual(before.sort())
})

test('a version whose job is gone is marked failed, and none stays in progress for ever', async () => {
  const { id } = await testApp.make.order()
  await ctx.db
    .insertInto('dossiers')
    .values({
      order_id: id,
      n: 1,
      actor_name: 'x',
      status: 'building',
      created_at: new Date(Date.now() - 60_000),
    })
    .execute()
  expect(await waitUntilFinished(id)).toMatchObject({
    status: 'failed',
    error: 'A montagem do dossiê foi interrompida várias vezes. Gere-o de novo.',
  })
})

test('retention deletes the files of a dossier and keeps its manifest and hashes (D-47)', async () => {
  const old = new Date(Date.now() - 400 * 86_400_000)
  const own = await testApp.make.brand({ storage_retention_months: 12 })
  const { id } = await testApp.make.order({ brand_id: own.id, status: 'completed', completed_at: old })
  await testApp.make.converted({ order_id: id })
  await enqueueDossier(ctx, id)
  const before = await waitUntilFinished(id)
  await sql`update brands set retention_since = ${old} where id = ${own.id}`.execute(ctx.db)
  expect(await applyRetention(ctx)).toMatchObject({ orders: 1 })
  expect(await list(id)).toEqual([{ ...before, is_purged: true }])
  expect((await testApp.filesOnDisk()).filter((path) => path.includes(`/os/${id}/`))).toEqual([])
  const { manifest } = await ctx.db
    .selectFrom('dossiers')
    .where('order_id', '=', id)
    .select('manifest')
    .executeTakeFirstOrThrow()
  expect(JSON.parse(manifest ?? '').files).toHaveLength(1)
  expect((await download(id, 1)).json().detail).toContain('prazo de guarda')
  expect(await verifyChains(ctx, id)).toMatchObject({ seals: 1, faults: [] })
})
