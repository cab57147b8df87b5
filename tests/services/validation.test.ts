import { randomBytes } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { savePreview, validateEvidence } from '@garantia/server/features/evidence/files'
import type { Ctx } from '@garantia/server/kernel'
import { type ValidationResult, validationResult } from '@garantia/shared/evidence/checks'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { findReuses } from '../../server/src/features/orders/checks/queries.ts'
import { callProcedure } from '../api/procedures.ts'
import { startTestApp } from '../support/test-app.ts'

const testApp = await startTestApp()
afterAll(() => testApp[Symbol.asyncDispose]())
const { ctx } = testApp.kernel
const boss = await testApp.as(await testApp.make.user({ is_superuser: true }))

const COMPLETE = {
  problem_description: 'Ruído ao frear',
  customer_name: 'Maria',
  customer_phone: '11987654321',
  vehicle_model: 'Modelo X',
  vehicle_chassis: '9BGRD08X04G117974',
  vehicle_plate: 'ABC1D23',
  vehicle_mileage: 100,
  diagnosis: 'Pastilha gasta',
  solution_applied: 'Troca',
}
const brand_id = (
  await testApp.make.brand({ required_categories: JSON.stringify([{ category: 'odometro', min: 1 }]) })
).id
const complete = (fields: object = {}) => testApp.make.order({ ...COMPLETE, brand_id, ...fields })
const good = { evidence_category: 'odometro', width: 1600, height: 1200, sharpness: 300 } as const
const diskPath = (key: string | null) => join(testApp.dir, 'files', key ?? '')

async function validate(order_id: number): Promise<ValidationResult> {
  const answer = await boss.api('POST', `/evidence/${order_id}/validate`)
  expect(answer.statusCode).toBe(200)
  return validationResult.parse(answer.json())
}
const failing = ({ checks }: ValidationResult) => checks.filter(({ ok }) => !ok)

test('a package without problems is valid, and every rule was checked (D-23, API-43)', async () => {
  const { id } = await complete()
  await testApp.make.converted({ ...good, order_id: id })
  const result = await validate(id)
  expect(result).toMatchObject({ is_valid: true, errors: [], warnings: [] })
  expect([...new Set(result.checks.map(({ code }) => code))]).toEqual(
    Array.from({ length: 17 }, (_, n) => `V${String(n + 1).padStart(2, '0')}`),
  )
})

test('errors and warnings are Portuguese sentences, and only errors make it invalid (D-23, API-43)', async () => {
  const { id } = await complete({ vehicle_plate: null, customer_phone: null })
  const file = await testApp.make.evidence({ order_id: id, width: 640, height: 480 })
  const { checks, ...said } = await validate(id)
  expect(said).toEqual({
    is_valid: false,
    errors: [
      'Falta: Odômetro (0 de 1)',
      '1 arquivo ainda não foi convertido',
      'Preencha na OS: telefone do cliente',
    ],
    warnings: [
      '1 foto tem menos de 1024 pixels no lado maior',
      '1 arquivo sem categoria',
      'Placa não informada',
    ],
  })
  expect(checks.find(({ code }) => code === 'V07')).toMatchObject({
    evidence_ids: [file.id],
    fix: { kind: 'convert', evidence_ids: [file.id], force: false },
  })
})

test("a presentation larger than the brand's current limit is found (D-23 V09)", async () => {
  const brand = await testApp.make.brand({ max_powerpoint_size_mb: 5 })
  const { id } = await testApp.make.order({ ...COMPLETE, brand_id: brand.id })
  await testApp.make.converted({ ...good, order_id: id })
  const present = async (n: number, size: number) => {
    const { id: dossier_id, key, sha256 } = await testApp.make.dossier(id, n)
    await ctx.db
      .insertInto('dossier_files')
      .values({ dossier_id, part: 'pptx', key: `${key}.pptx`, size, sha256 })
      .execute()
  }
  await present(1, 5_500_000)
  expect(failing(await validate(id))).toMatchObject([{ code: 'V09' }])
  await present(2, 4_000_000)
  expect(failing(await validate(id))).toEqual([])
})

test('a stored file that is missing or changed is found by its bytes (D-23 V08)', async () => {
  const { id } = await complete()
  const [changed, lost] = [
    await testApp.make.converted({ ...good, order_id: id }, Buffer.from('convertido')),
    await testApp.make.converted({ ...good, order_id: id }),
  ]
  await testApp.make.converted({ ...good, order_id: id })
  await rm(diskPath(changed.converted_key))
  await writeFile(diskPath(changed.converted_key), 'adulterado')
  const [damage] = failing(await validate(id))
  expect(damage).toMatchObject({
    code: 'V08',
    message: '1 arquivo ausente ou alterado no armazenamento',
    evidence_ids: [changed.id],
    fix: { kind: 'convert', evidence_ids: [changed.id], force: true },
  })
  // A page that polls checks only presence and size.
  const { data } = await callProcedure(testApp, boss.token, 'evidence.checklist', { order_id: id })
  expect(failing(validationResult.parse(data))).toEqual([])

  await rm(diskPath(lost.original_key))
  expect(failing(await validate(id))[0]).toMatchObject({
    evidence_ids: [changed.id, lost.id],
    fix: { kind: 'review' },
  })
})

/** A fingerprint of random bits, and the same with some of them flipped. */
const bits = () => [...randomBytes(8)].map((byte) => byte.toString(2).padStart(8, '0')).join('')
const turned = (hash: string, places: number[]) =>
  [...hash].map((digit, place) => (places.includes(place) ? (digit === '1' ? '0' : '1') : digit)).join('')
const spread = [0, 9, 20, 31, 40, 63]

test('a photo of another vehicle is detected by its bytes or its fingerprint (D-23 V13, beyond 2.5)', async () => {
  const { id } = await complete()
  const perceptual_hash = bits()
  const bytes = randomBytes(200)
  const mine = await testApp.make.converted({ ...good, order_id: id, perceptual_hash })
  const duplicate = await testApp.make.evidence({ ...good, order_id: id, status: 'pending' }, bytes)
  const other = (fields: object) => complete({ vehicle_chassis: '9BWZZZ377VT004251', ...fields })

  const alike = await other({ os_number: '700001' })
  await testApp.make.converted({ order_id: alike.id, perceptual_hash: turned(perceptual_hash, spread) })
  const same = await other({ os_number: '700002', vehicle_chassis: null })
  await testApp.make.evidence({ order_id: same.id }, bytes)
  // None of these is a finding: too different, the same vehicle, deleted file, deleted order.
  const far = turned(perceptual_hash, [...spread, 5])
  await testApp.make.converted({ order_id: (await other({})).id, perceptual_hash: far })
  await testApp.make.converted({ order_id: (await complete()).id, perceptual_hash })
  await testApp.make.converted({ order_id: (await other({})).id, perceptual_hash, deleted_at: new Date() })
  await testApp.make.converted({ order_id: (await other({ deleted_at: new Date() })).id, perceptual_hash })

  const reuse = failing(await validate(id)).find(({ code }) => code === 'V13')
  expect(reuse).toMatchObject({
    severity: 'warning',
    message: '2 fotos já usadas na OS 700001, 700002',
    evidence_ids: [mine.id, duplicate.id],
  })
  // The search by index and the one pass of an order with very many files find the same.
  for (const files of [1, 5_000])
    expect(await findReuses(ctx, { id, vehicle_chassis: COMPLETE.vehicle_chassis }, files)).toEqual([
      { evidence_id: mine.id, os_number: '700001' },
      { evidence_id: duplicate.id, os_number: '700002' },
    ])
})

test('no number of an order out of scope is revealed (D-39, beyond 2.5)', async () => {
  const perceptual_hash = bits()
  const own = await complete()
  await testApp.make.converted({ ...good, order_id: own.id, perceptual_hash })
  const foreign = await complete({ vehicle_chassis: '9BWZZZ377VT004251' })
  await testApp.make.converted({ order_id: foreign.id, perceptual_hash })
  const clerk = await testApp.as(await testApp.make.user({ company_id: own.company_id }))
  const { warnings } = (await clerk.api('POST', `/evidence/${own.id}/validate`)).json()
  expect(warnings).toEqual([])
  expect((await validate(own.id)).warnings).toEqual([`1 foto já usada na OS ${foreign.os_number}`])
})

test('similar photos are found through the index, not by reading every file (D-23 V13)', async () => {
  await using otherApp = await startTestApp()
  const { id: order_id } = await otherApp.make.order()
  await sql`insert into evidence_files (order_id, file_type, format, original_filename, original_key, file_size,
      sha256, crc32, perceptual_hash)
    select ${order_id}::bigint, 'image', 'jpeg', 'a.jpg', 'k' || n, 1, encode(sha256(n::text::bytea), 'hex'), 1,
      ('x' || substr(md5(n::text), 1, 16))::bit(64)
    from generate_series(1, 20000) n`.execute(otherApp.kernel.ctx.db)
  await sql`analyze evidence_files`.execute(otherApp.kernel.ctx.db)
  const { rows } = await sql<{ 'QUERY PLAN': string }>`explain select id from evidence_files other
    where other.hash_bands && array(select band # bit from unnest('{1,70000,140000,200000}'::integer[]) band,
      unnest('{0,1,2,4}'::integer[]) bit) and other.deleted_at is null`.execute(otherApp.kernel.ctx.db)
  expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain('evidence_like_picture')
})

test("the worker's findings about a picture are stored with its thumbnail (D-23 V12, V13)", async () => {
  const file = await testApp.make.evidence()
  const perceptual_hash = bits()
  await ctx.scratch.within('teste', async (dir) => {
    await writeFile(join(dir, 'p'), 'x')
    await savePreview(ctx, file, { path: join(dir, 'p'), sharpness: 12.5, perceptual_hash })
  })
  expect(await rowOf(ctx, file.id)).toMatchObject({ sharpness: 12.5, perceptual_hash })
})

test('findings about the original do not overwrite those about its converted copy', async () => {
  const facts = { width: 4_000, height: 3_000, duration_seconds: null, pages: null, captured_at: null }
  const seen = { ...facts, camera: 'Uma câmera', orientation: 1, has_location: false }
  const saved = async (file: Awaited<ReturnType<typeof testApp.make.evidence>>) => {
    await ctx.scratch.within('teste', async (dir) => {
      await writeFile(join(dir, 'p'), 'x')
      const picture = { path: join(dir, 'p'), sharpness: 1, perceptual_hash: null }
      await savePreview(ctx, file, picture, seen)
    })
    return rowOf(ctx, file.id)
  }
  const fresh = await saved(await testApp.make.evidence())
  expect(fresh).toMatchObject({ width: 4_000, original_width: 4_000, camera: 'Uma câmera', sharpness: 1 })
  const done = await saved(await testApp.make.converted({ width: 2_048, height: 1_536 }))
  expect(done).toMatchObject({ width: 2_048, height: 1_536, sharpness: 1 })
  const running = await testApp.make.evidence({ status: 'converting', lease_until: new Date() })
  expect((await saved(running)).width).toBe(running.width)
})
const rowOf = (ctx: Ctx, id: number) =>
  ctx.db.selectFrom('evidence_files').where('id', '=', id).selectAll().executeTakeFirstOrThrow()

/** A context whose stored files are read when the test lets them. */
function contextWithBlockedReads(fields: Partial<Ctx> = {}) {
  const reading = { now: 0, most: 0, times: 0, unblock: () => {} }
  const free = new Promise<void>((resolve) => {
    reading.unblock = resolve
  })
  const hashes: Ctx['storage']['hashes'] = async (...asked) => {
    reading.times++
    reading.most = Math.max(reading.most, ++reading.now)
    await free
    reading.now--
    return ctx.storage.hashes(...asked)
  }
  const storage = new Proxy(ctx.storage, {
    get: (target, name) => (name === 'hashes' ? hashes : Reflect.get(target, name)),
  })
  return { reading, blocked: { ...boss.ctx, ...fields, storage } }
}

test('two orders at most are read at once, however many are asked for', async () => {
  const { id } = await complete()
  await testApp.make.converted({ ...good, order_id: id })
  const { reading, blocked } = contextWithBlockedReads()
  const asked = Array.from({ length: 8 }, () => validateEvidence(blocked, id))
  await expect.poll(() => reading.now).toBe(2)
  reading.unblock()
  const results = await Promise.all(asked)
  expect([reading.most, results.length, results.every((result) => result.is_valid)]).toEqual([2, 8, true])
})

test('who has closed the connection has nothing read', async () => {
  const { id } = await complete()
  for (let n = 0; n < 3; n++) await testApp.make.converted({ ...good, order_id: id })
  const { reading, blocked } = contextWithBlockedReads({ isGone: () => true })
  reading.unblock()
  await expect(validateEvidence(blocked, id)).rejects.toMatchObject({ code: 'rule' })
  expect(reading.times).toBe(0)
})
