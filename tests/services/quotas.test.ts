import { Readable } from 'node:stream'
import { receiveEvidence, removeEvidence } from '@garantia/server/features/evidence/files'
import { readUsage, recountStorage } from '@garantia/server/features/evidence/quota'
import { beginUpload, sweepUploads } from '@garantia/server/features/evidence/uploads'
import { changeOrder, removeOrder } from '@garantia/server/features/orders/order'
import { failDossier, readContents, requestDossier } from '@garantia/server/features/records/dossier'
import { applyRetention, emptyBin } from '@garantia/server/features/records/retention'
import type { Ctx } from '@garantia/server/kernel'
import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { picture } from '../support/make.ts'
import { type Caller, startTestApp } from '../support/test-app.ts'
import { chunkHeaders, createUpload, creationHeaders, uploadInChunks } from '../support/tus.ts'

const w = await startTestApp({ UPLOAD_DAY_GB: '0.001', UPLOAD_OPEN_GB: '0.0005', DOSSIER_LIMIT: '2' })
afterAll(() => w[Symbol.asyncDispose]())
const { ctx } = w.kernel
const { db, config } = ctx
const GB = 1_000_000_000
const HOUR = 3_600_000
const DAY = 24 * HOUR

/** The disk that the server sees. */
let disk = { free: 79 * GB, total: 79 * GB }
ctx.partialFiles.space = async () => disk
beforeEach(() => {
  disk = { free: 79 * GB, total: 79 * GB }
})

const unlimited = (as: Caller): Ctx => ({
  ...as.ctx,
  config: { ...config, UPLOAD_OPEN_GB: 0, UPLOAD_DAY_GB: 0 },
})
const limitedTo = (as: Caller, COMPANY_STORAGE_GB: number): Ctx => ({
  ...unlimited(as),
  config: { ...unlimited(as).config, COMPANY_STORAGE_GB },
})
const later = (ctx: Ctx, ms: number): Ctx => ({ ...ctx, clock: () => new Date(Date.now() + ms) })
const superuser = async () => w.as(await w.make.user({ is_superuser: true }))
const begin = (ctx: Ctx, order_id: number, size: number) =>
  beginUpload(ctx, crypto.randomUUID(), size, { order_id, filename: 'video.mp4' })
const refusalOf = (work: Promise<unknown>) =>
  work.then(
    () => 'accepted',
    ({ code, message, retryAfter }) => (retryAfter ? [code, message, retryAfter] : [code, message]),
  )
const boss = await superuser()
const keptBy = async (id: number) =>
  (await readUsage(boss.ctx)).companies.find((company) => company.id === id)?.kept.used
const ownOpen = async (as: Caller) =>
  (await readUsage({ ...boss.ctx, actor: { ...as.ctx.actor, is_superuser: true } as Ctx['actor'] })).own.open
    .used

describe('the disk', () => {
  test('of 79 GB takes announcements up to its room, not 240 GB, whoever announces at the same time', async () => {
    const order = await w.make.order()
    const people = await Promise.all(Array.from({ length: 4 }, superuser))
    const outcomes = await Promise.all(
      Array.from({ length: 120 }, (_, n) =>
        refusalOf(begin(unlimited(people[n % 4] ?? boss), order.id, 2 * GB)),
      ),
    )
    const refused = outcomes.filter((one) => one !== 'accepted')
    // 2.048 GB stay free for database and copies.
    expect(120 - refused.length).toBe(38)
    expect([...new Set(refused.map(String))]).toEqual([
      'storage_full,Este envio de 2 GB não cabe no disco: restam 952 MB, contados os envios já começados. Avise o administrador, que vê o espaço em Configurações → Armazenamento.',
    ])
    expect(await refusalOf(begin(unlimited(boss), order.id, 0.9 * GB))).toBe('accepted')
    await db.deleteFrom('uploads').execute()
  })

  test('has no room left when another server took it while this one waited', async () => {
    const order = await w.make.order()
    const other = await superuser()
    disk = { free: 3 * GB, total: 3 * GB }
    let waiting: Promise<unknown> = Promise.resolve()
    await db.transaction().execute(async (db) => {
      await sql`select pg_advisory_xact_lock(7201009)`.execute(db)
      waiting = refusalOf(begin(unlimited(boss), order.id, 2 * GB))
      const queued = sql<{ n: number }>`select count(*)::int as n from pg_locks
        where locktype = 'advisory' and not granted and objid = 7201009`
      await expect.poll(async () => (await queued.execute(ctx.db)).rows[0]?.n).toBe(1)
      await db
        .insertInto('uploads')
        .values({
          id: crypto.randomUUID(),
          order_id: order.id,
          user_id: (other.ctx.actor as { id: number }).id,
          filename: 'outro.mp4',
          size: 2 * GB,
          created_at: new Date(),
          expires_at: new Date(Date.now() + HOUR),
        })
        .execute()
    })
    expect(await waiting).toMatchObject(['storage_full', expect.stringContaining('restam 850 MB')])
    await db.deleteFrom('uploads').execute()
  })

  test('counts what an upload still lacks, and keeps half of its reserve from dossiers', async () => {
    const { order_id } = await w.make.converted()
    const path = await createUpload(boss, order_id, 400_000)
    await boss.api('PATCH', path, Buffer.alloc(300_000), chunkHeaders(0))
    expect((await readUsage(boss.ctx)).disk).toEqual({
      free: 79 * GB,
      reserve: 2.048 * GB,
      announced: 100_000,
      room: 76.952 * GB - 100_000,
    })
    await boss.api('DELETE', path, undefined, { 'tus-resumable': '1.0.0' })
    disk = { free: 0.02 * GB, total: 1 * GB }
    expect((await readUsage(boss.ctx)).disk).toMatchObject({ reserve: 0.05 * GB, room: 0 })
    const { id: dossier_id } = await requestDossier(boss.ctx, order_id)
    await expect(readContents(ctx, dossier_id)).rejects.toMatchObject({
      code: 'storage_full',
      message:
        'Falta espaço em disco: restam 20 MB. Avise o administrador e tente de novo quando houver espaço.',
    })
    await failDossier(ctx, dossier_id, 'sem espaço')
  })
})

describe('a person', () => {
  test('has so many bytes in open uploads, and gets them back when one is cancelled, expires or arrives', async () => {
    const order = await w.make.order()
    const person = await superuser()
    const path = await createUpload(person, order.id, 300_000)
    const headers = creationHeaders(300_000, { order_id: order.id, filename: 'outra.jpg' })
    const refused = await person.api('POST', '/uploads', undefined, headers).catch((error) => error)
    expect(String(refused)).toContain(
      '507: {"detail":"Seus envios em aberto somam 300 KB e, com mais 300 KB, passam de 500 KB, o limite por pessoa. Conclua ou cancele um deles; o que fica parado é descartado 24 horas depois de começar."}',
    )
    expect(await ownOpen(person)).toBe(300_000)
    // Another person is not concerned.
    await createUpload(await superuser(), order.id, 300_000)
    await person.api('DELETE', path, undefined, { 'tus-resumable': '1.0.0' })
    expect(await ownOpen(person)).toBe(0)

    await createUpload(person, order.id, 300_000)
    expect(await refusalOf(begin(later(person.ctx, DAY + 1), order.id, 300_000))).toBe('accepted')
    await sweepUploads(later(ctx, 3 * DAY))
    const content = Buffer.concat([await picture(), Buffer.alloc(300_000)])
    expect((await uploadInChunks(person, order.id, { filename: 'a.jpg', content })).statusCode).toBe(200)
    expect(await ownOpen(person)).toBe(0)
    await createUpload(person, order.id, 300_000)
    await db.deleteFrom('uploads').execute()
  })

  test('sends so many bytes in 24 hours, and is told when to come back', async () => {
    const order = await w.make.order()
    const user = await w.make.user({ is_superuser: true })
    const person = await w.as(user)
    const before = (hours: number) => new Date(Date.now() - hours * HOUR)
    for (const hours of [30, 20, 4])
      await w.make.evidence(
        { order_id: order.id, uploaded_by: user.id, uploaded_at: before(hours) },
        Buffer.alloc(400_000, hours),
      )
    const answer = await person.api(
      'POST',
      '/uploads',
      undefined,
      creationHeaders(300_000, { order_id: order.id, filename: 'a.jpg' }),
    )
    expect([answer.statusCode, answer.json().detail]).toEqual([
      429,
      'Você enviou 800 KB nas últimas 24 horas, e o limite por pessoa é 1 MB. Tente novamente em 4 horas.',
    ])
    const wait = Number(answer.headers['retry-after'])
    expect(wait).toBeGreaterThan(4 * 3_600 - 60)
    expect(wait).toBeLessThanOrEqual(4 * 3_600)
    const free = await begin(later(person.ctx, wait * 1_000), order.id, 300_000)
    expect(free.size).toBe(300_000)
    await db.deleteFrom('uploads').execute()
  })

  test('announces a form with its length, or as it grows, and it counts until its request ends', async () => {
    const order = await w.make.order()
    const person = await superuser()
    const body = Buffer.alloc(1_000_000)
    const parts = async function* (chunks: AsyncIterable<Buffer>) {
      yield { kind: 'file' as const, filename: 'a.bin', body: Readable.from(chunks) }
    }
    const form = (ctx: Ctx, megabytes: number, length: number | null, during = async () => {}) =>
      receiveEvidence(
        ctx,
        order.id,
        {},
        parts(
          (async function* () {
            for (let sent = 0; sent < megabytes; sent++) yield body
            await during()
          })(),
        ),
        length,
      )
    expect(await refusalOf(form(person.ctx, 1, 600_000))).toMatchObject([
      'storage_full',
      expect.stringContaining('com mais 600 KB'),
    ])
    const upTo20 = { ...person.ctx, config: { ...config, UPLOAD_OPEN_GB: 0.02, UPLOAD_DAY_GB: 0 } }
    expect(await refusalOf(form(upTo20, 30, null))).toMatchObject([
      'storage_full',
      expect.stringContaining('somam 16 MB e, com mais'),
    ])
    const seen: number[] = []
    const upTo90 = { ...person.ctx, config: { ...upTo20.config, UPLOAD_OPEN_GB: 0.09 } }
    const grown = form(upTo90, 40, null, async () => void seen.push(await ownOpen(person)))
    expect(await refusalOf(grown)).toMatchObject(['unsupported', expect.anything()])
    expect(seen).toEqual([50_000_000])
    expect(await ownOpen(person)).toBe(0)
    expect(
      (await person.upload(order.id, [{ filename: 'b.jpg', content: await picture() }])).statusCode,
    ).toBe(201)
    expect(await db.selectFrom('uploads').select('id').execute()).toEqual([])
  })
})

describe('a company', () => {
  test('keeps originals, copies, dossiers and what is announced, until they are purged', async () => {
    const company = await w.make.company()
    const order = await w.make.order({ company_id: company.id })
    expect(await keptBy(company.id)).toBe(0)
    const file = await w.make.evidence({ order_id: order.id }, Buffer.alloc(1_000))
    expect(await keptBy(company.id)).toBe(1_000)
    const copied = await w.make.converted({ order_id: order.id }, Buffer.alloc(2_000))
    const all = 1_000 + copied.file_size + 2_000
    expect(await keptBy(company.id)).toBe(all)
    await w.make.dossier(order.id, 1, Buffer.alloc(5_000))
    expect(await keptBy(company.id)).toBe(all + 5_000)

    expect(await refusalOf(begin(limitedTo(boss, 0.0001), order.id, 95_000))).toMatchObject([
      'storage_full',
      'A concessionária já ocupa 8 KB, e o limite dela é 100 KB. Avise o administrador, que vê o que cada uma ocupa em Configurações → Armazenamento.',
    ])
    await begin(limitedTo(boss, 0.0001), order.id, 50_000)
    expect(await refusalOf(begin(limitedTo(boss, 0.0001), order.id, 50_000))).toMatchObject([
      'storage_full',
      expect.stringContaining('já ocupa 58 KB'),
    ])
    expect(await refusalOf(requestDossier(limitedTo(boss, 0.00001), order.id))).toMatchObject([
      'storage_full',
      expect.stringContaining('o limite dela é 10 KB'),
    ])

    expect(await keptBy(company.id)).toBe(all + 55_000)
    await db.deleteFrom('uploads').execute()

    // In the bin it still takes its place.
    await removeEvidence(boss.ctx, file.id)
    expect(await keptBy(company.id)).toBe(all + 5_000)
    await emptyBin(later(ctx, 31 * DAY))
    expect(await keptBy(company.id)).toBe(all + 4_000)
    await removeOrder(boss.ctx, order.id)
    await emptyBin(later(ctx, 31 * DAY))
    expect(await keptBy(company.id)).toBe(0)
  })

  test('passes on what an order keeps that moves, and frees what retention deletes', async () => {
    const [from, to] = [await w.make.company(), await w.make.company()]
    const brand = await w.make.brand({ storage_retention_months: 1, retention_since: new Date(0) })
    const order = await w.make.order({ company_id: from.id, brand_id: brand.id })
    const { file_size, converted_size } = await w.make.converted({ order_id: order.id })
    await w.make.dossier(order.id)
    const all = file_size + (converted_size ?? 0) + 36
    await changeOrder(boss.ctx, { id: order.id, change: { company_id: to.id } })
    expect([await keptBy(from.id), await keptBy(to.id)]).toEqual([0, all])
    await db
      .updateTable('service_orders')
      .set({ status: 'completed', completed_at: new Date(Date.now() - 400 * DAY) })
      .where('id', '=', order.id)
      .execute()
    await applyRetention(ctx)
    expect(await keptBy(to.id)).toBe(0)
  })

  test('has a sum that is exact after writes at once, and that a recount corrects', async () => {
    const company = await w.make.company()
    const orders = await Promise.all(
      Array.from({ length: 6 }, () => w.make.order({ company_id: company.id })),
    )
    await Promise.all(
      Array.from({ length: 300 }, (_, n) =>
        w.make
          .evidence({ order_id: orders[n % 6]?.id ?? 0 }, Buffer.alloc(100, `${n};`))
          .then(({ id }) =>
            n % 3 === 0 ? db.deleteFrom('evidence_files').where('id', '=', id).execute() : null,
          ),
      ),
    )
    expect(await keptBy(company.id)).toBe(20_000)
    expect(await recountStorage(ctx)).toBe(0)
    await db.updateTable('storage_totals').set({ bytes: 7 }).where('company_id', '=', company.id).execute()
    await db.insertInto('storage_deltas').values({ company_id: company.id, bytes: 5 }).execute()
    expect(await recountStorage(ctx)).toBe(20_000 - 12)
    expect(await keptBy(company.id)).toBe(20_000)
  })
})

describe('dossiers of an hour', () => {
  const someOrder = async (company_id: number) => {
    const { order_id } = await w.make.converted({ order_id: (await w.make.order({ company_id })).id })
    return order_id
  }

  test('are limited per person and company when requested, and completing an order makes one nevertheless', async () => {
    const company = await w.make.company()
    const ids = await Promise.all(Array.from({ length: 13 }, () => someOrder(company.id)))
    const person = await superuser()
    const [first = 0, second = 0, third = 0, ...rest] = ids
    const { id } = await requestDossier(person.ctx, first)
    // The version that is under way is returned, and no request.
    expect((await requestDossier(person.ctx, first)).id).toBe(id)
    await requestDossier(person.ctx, second)
    const refusal = [
      'too_many',
      expect.stringMatching(
        /^Você já pediu 2 dossiês nesta hora, o limite por pessoa\. Tente novamente em (59|60) minutos\.$/,
      ),
      expect.any(Number),
    ]
    expect(await refusalOf(requestDossier(person.ctx, third))).toEqual(refusal)
    expect((await readUsage(person.ctx)).own.dossiers).toEqual({ used: 2, limit: 2 })

    const completed = await person.api('POST', `/service-orders/${third}/status/completed`, {
      accepts_problems: true,
    })
    expect(completed.statusCode).toBe(200)
    const made = db.selectFrom('dossiers').where('order_id', '=', third).select(['n', 'status'])
    expect(await made.execute()).toEqual([{ n: 1, status: 'queued' }])

    for (const order_id of rest.slice(0, 8)) await requestDossier((await superuser()).ctx, order_id)
    expect(await refusalOf(requestDossier((await superuser()).ctx, rest[8] ?? 0))).toMatchObject([
      'too_many',
      expect.stringContaining('A concessionária já pediu 10 dossiês nesta hora, o limite dela.'),
      expect.any(Number),
    ])
    expect((await requestDossier(later(person.ctx, HOUR + 1_000), rest[9] ?? 0)).n).toBe(1)
  })

  test('that are requested at once are counted one by one', async () => {
    const company = await w.make.company()
    const ids = await Promise.all(Array.from({ length: 6 }, () => someOrder(company.id)))
    const person = await superuser()
    const outcomes = await Promise.all(ids.map((order_id) => refusalOf(requestDossier(person.ctx, order_id))))
    expect(outcomes.filter((one) => one === 'accepted')).toHaveLength(2)
  })
})
