import { createHash, createHmac, hkdfSync } from 'node:crypto'
import { chmod, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openOrder } from '@garantia/server/features/orders/order'
import { anchorTrail, verifyChains } from '@garantia/server/features/records/chain'
import { verifyStorage } from '@garantia/server/features/records/integrity'
import { publicKeyOf, recordEvent } from '@garantia/server/kernel'
import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { picture } from '../support/make.ts'
import { SIGNING_KEY, startTestApp } from '../support/test-app.ts'

const testApp = await startTestApp()
afterAll(() => testApp[Symbol.asyncDispose]())
const { ctx } = testApp.kernel
/** Of the owner: the role in use can change no event (role-in-use.test.ts). */
const { db } = testApp.owner
const folder = join(testApp.dir, 'files', 'trilha')
const found = async (only?: number, given = ctx) =>
  (await verifyChains(given, only)).faults.map(
    ({ subject, subject_id, seq, problem }) => `${subject} ${subject_id} ${seq}: ${problem}`,
  )
const note = (subject: 'order' | 'user', subject_id: number) =>
  recordEvent(ctx, { subject, subject_id, kind: 'changed', changes: { n: 1 } })

beforeEach(async () => {
  await rm(folder, { recursive: true, force: true })
  await db.deleteFrom('events').execute()
  await db.deleteFrom('evidence_files').execute()
  await db.deleteFrom('service_orders').execute()
})

describe('the journal', () => {
  beforeEach(async () => {
    for (let n = 0; n < 3; n++) await note('order', 70)
    for (let n = 0; n < 34; n++) await note('user', 9)
    expect(await anchorTrail(ctx)).toEqual({ n: 1, heads: 2 })
    await note('order', 71)
  })

  test('has an entry for what happened since the one before, and none when nothing did', async () => {
    expect(await anchorTrail(ctx)).toMatchObject({ n: 2 })
    expect(await anchorTrail(ctx)).toBeNull()
    expect(await verifyChains(ctx)).toMatchObject({ entries: 2, faults: [] })
    expect((await verifyStorage(ctx, { deep: false })).faults).toEqual([])
  })
  test('an event that was written before an entry, and committed after it, is in the next', async () => {
    await db.transaction().execute(async (open) => {
      await recordEvent({ ...ctx, db: open } as typeof ctx, {
        subject: 'order',
        subject_id: 72,
        kind: 'changed',
      })
      await note('order', 71)
      expect(await anchorTrail(ctx)).toMatchObject({ n: 2 })
    })
    await note('order', 71)
    await anchorTrail(ctx)
    await sql`delete from events where subject_id = 72`.execute(db)
    expect(await found()).toEqual(['order 72 1: a trilha foi apagada: o diário registrou 1 evento'])
  })
  test('names a cut tail, a deleted trail and the erased events of a person, with their moment', async () => {
    await sql`delete from events where subject_id = 70 and seq = 3`.execute(db)
    await sql`delete from events where subject = 'user'`.execute(db)
    const { faults } = await verifyChains(ctx)
    expect(faults).toEqual([
      expect.objectContaining({
        subject: 'order',
        subject_id: 70,
        order_id: 70,
        seq: 3,
        at: expect.any(Date),
      }),
      expect.objectContaining({
        subject: 'user',
        subject_id: 9,
        order_id: null,
        seq: 34,
        at: expect.any(Date),
      }),
    ])
    expect(faults.map(({ problem }) => problem)).toEqual([
      'falta o evento 3, que o diário registrou: trilha cortada',
      'a trilha foi apagada: o diário registrou 34 eventos',
    ])
    expect(await found(70)).toEqual(['order 70 3: falta o evento 3, que o diário registrou: trilha cortada'])
    expect(await found(71)).toEqual([])
  })
  test('names a chain that was written anew in the old format, which needs no authentication code', async () => {
    await sql`update events set format = 1, actor_id = null, salts = null, commitments = null, mac = null, mac_key = null,
      id_hash = null`.execute(db)
    expect(await found()).toContain('order 71 1: está no formato antigo, mas é mais novo que ele')
  })
  test.each([
    ['a changed line', (text: string) => text.replace('["order",70,3', '["order",70,2')],
    ['a removed line', (text: string) => text.replace(/\["user".*\n/, '')],
    ['a cut end', (text: string) => text.slice(0, -90)],
    ['no authentication code', (text: string) => text.replace(/\{"heads".*\n/, '')],
    ['nothing', () => ''],
  ])('notices %s in an entry', async (_name, change) => {
    const path = join(folder, '00000001.jsonl')
    await chmod(path, 0o600)
    await writeFile(path, change(await readFile(path, 'utf8')))
    expect(await found()).toContain(
      'journal 1 0: registro alterado ou cortado: o código de autenticação não confere',
    )
  })
  test('is signed by the key of the house, also after another one was made; who has the key of the codes alone is found', async () => {
    const path = join(folder, '00000001.jsonl')
    const text = await readFile(path, 'utf8')
    const later = {
      ...ctx.config,
      DOSSIER_KEY: 'a1'.repeat(32),
      DOSSIER_KEY_PREVIOUS: [publicKeyOf(ctx.config.DOSSIER_KEY)],
    }
    expect((await verifyChains({ ...ctx, config: later })).faults).toEqual([])
    const foreign = { ...later, DOSSIER_KEY_PREVIOUS: [] }
    const told = (problem: string, n = 1) => [`journal ${n} 0: ${problem}`]
    expect(await found(undefined, { ...ctx, config: foreign })).toEqual(
      told('a assinatura não confere com uma chave desta casa'),
    )

    const rewritten = (from: string, change: (line: string) => string) => {
      const lines = change(from).trimEnd().split('\n')
      const last = JSON.parse(lines.pop() ?? '')
      const sum = createHash('sha256')
        .update(`${lines.join('\n')}\n`)
        .digest('hex')
      const key = Buffer.from(hkdfSync('sha256', Buffer.from(SIGNING_KEY, 'hex'), '', 'garantia events', 32))
      const mac = createHmac('sha256', key).update(`garantia-trilha/1 ${last.heads} ${sum}`).digest('hex')
      return `${lines.join('\n')}\n${JSON.stringify({ ...last, mac })}\n`
    }
    await chmod(path, 0o600)
    await writeFile(
      path,
      rewritten(text, (line) => line.replace(/"at":"\d{4}/, '"at":"2001')),
    )
    expect(await found()).toEqual(told('a assinatura não confere com uma chave desta casa'))

    await writeFile(path, text)
    await anchorTrail(ctx)
    const next = join(folder, '00000002.jsonl')
    await chmod(next, 0o600)
    await writeFile(
      next,
      rewritten(await readFile(next, 'utf8'), (line) => line.replace(/,"signer":"\w+"/, '')),
    )
    expect(await found()).toEqual(told('não está assinado, e o anterior está', 2))
  })
  test('notices a removed entry', async () => {
    await anchorTrail(ctx)
    await rm(join(folder, '00000001.jsonl'))
    expect(await found()).toEqual(['journal 2 0: faltam registros entre 0 e 2'])
    expect(await readdir(folder)).toEqual(['00000002.jsonl'])
  })
  test('notices an entry that was made anew, whole and signed, in the place of another', async () => {
    await anchorTrail(ctx)
    const next = join(folder, '00000002.jsonl')
    const second = await readFile(next)
    await rm(folder, { recursive: true })
    expect(await anchorTrail(ctx)).toMatchObject({ n: 1 })
    await writeFile(next, second)
    expect(await found()).toEqual(['journal 2 0: não continua o registro anterior'])
  })
})

describe('what events say of files and dossiers is compared with their rows', () => {
  let order_id: number
  beforeEach(async () => {
    const boss = await testApp.as(await testApp.make.user({ is_superuser: true }))
    const { brand_id, company_id } = await testApp.make.order()
    await db.deleteFrom('service_orders').execute()
    const order = { os_number: '000777', brand_id, company_id, vehicle_model: 'Uno' }
    order_id = (await openOrder(boss.ctx, order as Parameters<typeof openOrder>[1])).id
    const sent = await boss.upload(order_id, [{ filename: 'foto.jpg', content: await picture() }])
    expect(sent.statusCode).toBeLessThan(300)
    await recordEvent(ctx, {
      subject: 'order',
      subject_id: order_id,
      kind: 'dossier.sealed',
      changes: { n: 1, sha256: 'b'.repeat(64), manifest_sha256: SHA256_OF_EMPTY_OBJECT },
    })
    await sql`with sealed as (
        insert into dossiers (order_id, n, actor_name, status, sealed_at, manifest)
        values (${order_id}, 1, 'x', 'sealed', now(), '{}') returning id)
      insert into dossier_files (dossier_id, part, key, size, sha256)
        select id, 'zip', 'os/' || id || '/dossie.zip', 1, repeat('b', 64) from sealed`.execute(db)
    expect(await found()).toEqual([])
  })
  const SHA256_OF_EMPTY_OBJECT = '44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a'
  test.each([
    [
      'a replaced photo with its row',
      "update evidence_files set sha256 = repeat('c', 64)",
      'foto.jpg: o SHA-256 do arquivo não é o do envio',
    ],
    [
      'a deleted row',
      'delete from evidence_files',
      'foto.jpg: o arquivo foi apagado sem o evento que o elimina',
    ],
    ['a deleted dossier', 'delete from dossiers', 'dossiê 1: foi apagado'],
    [
      'another manifest',
      `update dossiers set manifest = '{"a": 1}'`,
      'dossiê 1: o manifesto ou o ZIP não é o que foi selado',
    ],
    [
      'another ZIP',
      "update dossier_files set sha256 = repeat('d', 64)",
      'dossiê 1: o manifesto ou o ZIP não é o que foi selado',
    ],
  ])('%s is found', async (_name, forgery, problem) => {
    await sql.raw(forgery).execute(db)
    expect(await found(order_id)).toEqual([expect.stringMatching(new RegExp(`^order ${order_id} \\d+: `))])
    expect((await found())[0]).toContain(problem)
  })
  test('a file and a dossier that nobody sent or sealed are found', async () => {
    await testApp.make.evidence({ order_id, original_filename: 'extra.jpg' })
    await sql`insert into dossiers (order_id, n, actor_name, status, sealed_at, manifest)
      values (${order_id}, 2, 'x', 'sealed', now(), '{}')`.execute(db)
    expect(await found()).toEqual([
      `order ${order_id} 0: extra.jpg: o arquivo não tem o evento de envio`,
      `order ${order_id} 0: dossiê 2: não tem o evento que o selou`,
    ])
  })
})
