import { Readable } from 'node:stream'
import { receiveEvidence } from '@garantia/server/features/evidence/files'
import { sweepUploads } from '@garantia/server/features/evidence/uploads'
import { failDossier, readContents, requestDossier } from '@garantia/server/features/records/dossier'
import type { Ctx } from '@garantia/server/kernel'
import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { companyBytes, personSums } from '../../server/src/features/evidence/quota/queries.ts'
import { picture } from '../support/make.ts'
import { type Caller, multipart } from '../support/test-app.ts'
import { chunkHeaders, createUpload, creationHeaders, uploadInChunks } from '../support/tus.ts'
import { begin, DAY, GB, HOUR, later, quotaFixture, refusalOf, unlimited } from './quota-fixture.ts'

const { testApp, disk, superuser, boss, usageOf } = await quotaFixture()
afterAll(() => testApp[Symbol.asyncDispose]())
const { ctx } = testApp.kernel
const { db, config } = ctx
beforeEach(() => void Object.assign(disk, { free: 79 * GB, total: 79 * GB }))

const multipartOf = (content: string): [Buffer, Record<string, string>] => {
  const { body, headers } = multipart([{ name: 'file', filename: 'os.csv', content }])
  return [body, headers]
}
const ownOpen = async (as: Caller) => (await usageOf(as)).own.open.used

describe('the disk', () => {
  test('of 79 GB takes announcements up to its room, not 240 GB, whoever announces at the same time', async () => {
    const order = await testApp.make.order()
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
    const order = await testApp.make.order()
    const other = await superuser()
    Object.assign(disk, { free: 3 * GB, total: 3 * GB })
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
    const { order_id } = await testApp.make.converted()
    const path = await createUpload(boss, order_id, 400_000)
    await boss.api('PATCH', path, Buffer.alloc(300_000), chunkHeaders(0))
    expect((await usageOf(boss)).disk).toEqual({
      free: 79 * GB,
      reserve: 2.048 * GB,
      announced: 100_000,
      room: 76.952 * GB - 100_000,
    })
    await boss.api('DELETE', path, undefined, { 'tus-resumable': '1.0.0' })
    Object.assign(disk, { free: 0.02 * GB, total: 1 * GB })
    expect((await usageOf(boss)).disk).toMatchObject({ reserve: 0.05 * GB, room: 0 })
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
    const order = await testApp.make.order()
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
    const order = await testApp.make.order()
    const user = await testApp.make.user({ is_superuser: true })
    const person = await testApp.as(user)
    const before = (hours: number) => new Date(Date.now() - hours * HOUR)
    for (const hours of [30, 20, 4])
      await testApp.make.evidence(
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

  test('sends imports too, which count for the person and, while they are kept, for the company', async () => {
    const company = await testApp.make.company()
    const user = await testApp.make.user({ role: 'manager', company_id: company.id })
    const person = await testApp.as(user)
    const send = (bytes: number, fill: string) =>
      person.api(
        'POST',
        `/service-orders/imports?company_id=${company.id}`,
        ...multipartOf(`OS\n${fill.repeat(bytes)}`),
      )
    const sent = async () => {
      const { uploads, open, sent } = await personSums(ctx, user.id, new Date(Date.now() - DAY))
      return [uploads, open, sent]
    }
    const { status: _, ...kept } = (await send(300_000, '1')).json()
    expect(await sent()).toEqual([0, 0, 300_003])
    expect(await companyBytes(ctx, company.id)).toBeGreaterThan(300)
    // The same file is the same import, and no further bytes.
    expect((await send(300_000, '1')).json()).toMatchObject({ id: kept.id })
    expect(await sent()).toEqual([0, 0, 300_003])
    const refused = (bytes: number) =>
      send(bytes, '3').then(
        ({ statusCode, json }) => `${statusCode} ${json().detail}`,
        (error) => String(error),
      )
    expect(await refused(600_000)).toMatch(/507.* passam de 500 KB, o limite por pessoa/)
    await send(400_000, '2')
    expect(await refused(400_000)).toMatch(
      /^429 Você enviou 700 KB nas últimas 24 horas, e o limite por pessoa é 1 MB\. Tente novamente em (23|24) horas\.$/,
    )
    Object.assign(disk, { free: 0.05 * GB, total: 1 * GB })
    expect(await refused(100_000)).toMatch(/507.*não cabe no disco/)
    expect(await db.selectFrom('uploads').select('id').execute()).toEqual([])

    const lease = { created_at: new Date(0), expires_at: new Date(1), is_form: true }
    const form = { id: crypto.randomUUID(), user_id: user.id, company_id: company.id, filename: 'x', size: 1 }
    await db
      .insertInto('uploads')
      .values({ ...form, ...lease })
      .execute()
    expect(await sweepUploads(ctx)).toMatchObject({ uploads: 1 })
    await db.updateTable('order_imports').set({ content: null, rows: null }).execute()
    expect(await companyBytes(ctx, company.id)).toBe(0)
    expect(await sent()).toEqual([0, 0, 700_006])
  })

  test('announces a form with its length, or as it grows, and it counts until its request ends', async () => {
    const order = await testApp.make.order()
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
