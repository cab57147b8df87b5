import { createHash, createHmac, hkdfSync } from 'node:crypto'
import { verifyChains } from '@garantia/server/features/records/chain'
import { inTransaction, recordEvent } from '@garantia/server/kernel'
import { type Kysely, sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
// Migrations that have been applied everywhere are imported from their files, to run them again on old events.
import { up as chainEvents } from '../../migrations/0012_event_chain.ts'
import { up as authenticateEvents } from '../../migrations/0046_authenticated_events.ts'
import { up as appendOnly } from '../../migrations/0047_append_only_events.ts'
import { up as fasterEvents } from '../../migrations/0055_faster_events.ts'
import { SIGNING_KEY, startTestApp } from '../support/test-app.ts'

const testApp = await startTestApp()
afterAll(() => testApp[Symbol.asyncDispose]())
const { ctx } = testApp.kernel
/** Of the owner: the role in use can change no event (role-in-use.test.ts). */
const { db } = testApp.owner
const note = (subject_id: number, changes: Record<string, unknown> = {}) =>
  recordEvent(ctx, { subject: 'order', subject_id, kind: 'changed', changes })
const trail = (subject_id: number) =>
  db
    .selectFrom('events')
    .where('subject', '=', 'order')
    .where('subject_id', '=', subject_id)
    .orderBy('seq')
    .selectAll()
    .execute()
const problems = async () => (await verifyChains(ctx)).faults.map(({ seq, problem }) => `${seq}: ${problem}`)

const SUBJECT = 77
beforeEach(async () => {
  await db.deleteFrom('events').execute()
  await db.deleteFrom('service_orders').execute()
  for (let n = 1; n <= 4; n++) await note(SUBJECT, { n, nome: 'José «ç»', valores: [1, null, 2.5] })
})

test('each event has its sequence number and the hash of the one before it (beyond 1.4)', async () => {
  const events = await trail(SUBJECT)
  expect(events.map(({ seq }) => seq)).toEqual([1, 2, 3, 4])
  expect(events[0]?.previous_hash).toBe('0'.repeat(64))
  for (const [n, event] of events.entries()) if (n > 0) expect(event.previous_hash).toBe(events[n - 1]?.hash)
  expect(await verifyChains(ctx)).toEqual({
    orders: 1,
    others: 0,
    events: 4,
    accesses: 0,
    seals: 0,
    stamps: 0,
    entries: 0,
    faults: [],
  })
})

test('the hash covers who, when, from where and what, and its authentication code needs a key that the database has not', async () => {
  await recordEvent(ctx, {
    subject: 'user',
    subject_id: 5,
    kind: 'signed_in',
    changes: { a: 1, b: 'ç' },
    origin: { ip: '10.0.0.7', user_agent: 'Navegador' },
  })
  const event = await db
    .selectFrom('events')
    .where('subject', '=', 'user')
    .selectAll()
    .executeTakeFirstOrThrow()
  const { rows } = await sql<{ at: string; values: string[] }>`
    select to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at,
      (select jsonb_agg(jsonb_build_array(key, value, salts -> key)::text) from jsonb_each(changes)) as values
    from events where id = ${event.id}`.execute(db)
  const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
  const content = sha256((rows[0]?.values ?? []).map(sha256).sort().join(''))
  expect(event.content_hash).toBe(content)
  const link = ['event/3', 'user', 5, 1, 'signed_in', rows[0]?.at, null, 'Sistema', '10.0.0.7']
  const whole = [...link, 'Navegador', content, '0'.repeat(64)]
  expect(event.hash).toBe(sha256(`[${whole.map((part) => JSON.stringify(part)).join(', ')}]`))

  const key = Buffer.from(hkdfSync('sha256', Buffer.from(SIGNING_KEY, 'hex'), '', 'garantia events', 32))
  expect(event.mac).toBe(createHmac('sha256', key).update(event.hash).digest('hex'))
  const dump = await sql<{ row: string }>`select row_to_json(events)::text as row from events`.execute(db)
  expect(JSON.stringify(dump.rows)).not.toContain(key.toString('hex'))
})

test('events authenticated by a key that was replaced and forgotten are still verified, others are not', async () => {
  const { config } = ctx
  const next = { ...ctx, config: { ...config, SIGNING_KEY: 'ab'.repeat(32) } }
  await recordEvent(next, { subject: 'order', subject_id: SUBJECT, kind: 'changed' })
  const retired = { ...next.config, SIGNING_KEY_RETIRED: [config.SIGNING_KEY] }
  expect((await verifyChains({ ...ctx, config: retired })).faults).toEqual([])
  expect(await problems()).toEqual([expect.stringMatching(/^5: autenticado por uma chave desconhecida/)])
})

test('concurrent writers of one order make one chain, and orders do not block each other', async () => {
  await Promise.all(
    Array.from({ length: 40 }, (_, n) =>
      inTransaction(ctx, async (ctx) =>
        recordEvent(ctx, {
          subject: 'order',
          subject_id: n % 2 === 0 ? 500 : 501,
          kind: 'changed',
          changes: { n },
        }),
      ),
    ),
  )
  expect((await trail(500)).map(({ seq }) => seq)).toEqual(Array.from({ length: 20 }, (_, n) => n + 1))
  expect(await problems()).toEqual([])
})

test('an event has hashes of its length and of hexadecimal digits only, a number and a known format', async () => {
  const columns = ['content_hash', 'previous_hash', 'hash', 'id_hash', 'mac', 'mac_key']
  const wrong = [
    ...columns.flatMap((column) => [
      `${column} = left(${column}, -1)`,
      `${column} = 'G' || right(${column}, -1)`,
    ]),
    'seq = 0',
    'format = 4',
  ]
  for (const change of wrong)
    await expect(
      sql.raw(`update events set ${change} where seq = 4`).execute(db),
      change,
    ).rejects.toMatchObject({
      code: '23514',
      constraint: 'events_chain_check',
    })
})

test('a rollback leaves no gap', async () => {
  await inTransaction(ctx, async (ctx) => {
    await recordEvent(ctx, { subject: 'order', subject_id: SUBJECT, kind: 'changed' })
    throw new Error('não')
  }).catch(() => undefined)
  await note(SUBJECT)
  expect((await trail(SUBJECT)).map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5])
  expect(await problems()).toEqual([])
})

test('events older than the chain, and those of its first format, stay verifiable as they are', async () => {
  await using old = await startTestApp()
  const { ctx } = old.kernel
  const database = old.owner.db as unknown as Kysely<unknown>
  await sql`drop function append_events, redact_order_events, chain_event, event_link_hash, event_values_hash,
    sha256_of cascade`.execute(database)
  await sql`alter table events drop column seq, drop column content_hash, drop column previous_hash,
    drop column hash, drop column redacted_at, drop column format, drop column actor_id, drop column salts,
    drop column commitments, drop column mac, drop column mac_key, drop column id_hash`.execute(database)
  const write = (subject: string, subject_id: number) =>
    sql`insert into events (subject, subject_id, kind, actor_name, changes)
      values (${subject}::event_subject, ${subject_id}, 'changed', 'Ana', '{"texto": "ação"}')`.execute(
      database,
    )
  for (const [subject, id] of [
    ['order', 8],
    ['order', 9],
    ['company', 8],
    ['order', 8],
  ] as const)
    await write(subject, id)
  await chainEvents(database)
  for (const [subject, id] of [
    ['order', 8],
    ['company', 8],
    ['user', 1],
  ] as const)
    await write(subject, id)
  await authenticateEvents(database)
  await appendOnly(database)
  await fasterEvents(database)
  for (const subject of ['order', 'company'] as const)
    await recordEvent(ctx, { subject, subject_id: 8, kind: 'changed' })
  expect(await verifyChains(ctx)).toEqual({
    orders: 2,
    others: 2,
    events: 9,
    accesses: 0,
    seals: 0,
    stamps: 0,
    entries: 0,
    faults: [],
  })

  await sql`update events set actor_name = 'Outro' where subject = 'company' and seq = 2`.execute(database)
  await sql`update events set format = 1, salts = null, commitments = null, mac = null, mac_key = null,
    id_hash = null
    where subject = 'company' and seq = 3`.execute(database)
  const { faults } = await verifyChains(ctx)
  expect(faults.map(({ seq, problem }) => `${seq}: ${problem}`)).toEqual([
    '2: conteúdo alterado',
    '3: conteúdo alterado',
    '3: evento alterado',
  ])
})

test('events of people, companies and brands have chains of their own', async () => {
  for (const subject of ['company', 'user', 'company'] as const)
    await recordEvent(ctx, { subject, subject_id: 1, kind: 'created' })
  const events = await db
    .selectFrom('events')
    .where('subject', '<>', 'order')
    .orderBy('id')
    .selectAll()
    .execute()
  expect(events.map(({ subject, seq }) => `${subject} ${seq}`)).toEqual(['company 1', 'user 1', 'company 2'])
  expect(events[2]?.previous_hash).toBe(events[0]?.hash)
  expect(await verifyChains(ctx)).toMatchObject({ orders: 1, others: 2, events: 7, faults: [] })
})

describe('the verification of a chain (beyond 1.4)', () => {
  const at = (seq: number) => sql`subject = 'order' and subject_id = ${SUBJECT} and seq = ${sql.lit(seq)}`
  const tamper = (statement: ReturnType<typeof sql>) => statement.execute(db)

  test('reports a changed value', async () => {
    await tamper(sql`update events set changes = '{"n": 99}' where ${at(2)}`)
    expect(await problems()).toEqual(['2: conteúdo alterado'])
  })
  test('reports another author', async () => {
    await tamper(sql`update events set actor_name = 'Outro' where ${at(1)}`)
    expect(await problems()).toEqual(['1: evento alterado'])
  })
  test('reports a changed timestamp or kind', async () => {
    await tamper(sql`update events set at = at - interval '1 day' where ${at(3)}`)
    await tamper(sql`update events set kind = 'opened' where ${at(4)}`)
    expect(await problems()).toEqual(['3: evento alterado', '4: evento alterado'])
  })
  test('reports a removed event', async () => {
    await tamper(sql`delete from events where ${at(2)}`)
    expect(await problems()).toEqual(['3: faltam eventos entre 1 e 3'])
  })
  test('reports a removed event, also with the following ones renumbered', async () => {
    await tamper(sql`delete from events where ${at(2)}`)
    await tamper(sql`update events set seq = 2 where ${at(3)}`)
    await tamper(sql`update events set seq = 3 where ${at(4)}`)
    expect(await problems()).toEqual([
      '2: não continua o evento anterior',
      '2: evento alterado',
      '3: evento alterado',
    ])
  })
  test('reports a chain that no longer reaches the event that a dossier has sealed', async () => {
    const order = await testApp.make.order()
    for (let n = 0; n < 3; n++) await note(order.id, { n })
    const head = (await trail(order.id)).at(-1)
    await db
      .insertInto('dossiers')
      .values({
        order_id: order.id,
        n: 1,
        actor_name: 'x',
        status: 'sealed',
        sealed_at: new Date(),
        manifest: '{}',
        chain_seq: head?.seq ?? 0,
        chain_hash: head?.hash ?? '',
      })
      .execute()
    expect(await verifyChains(ctx, order.id)).toMatchObject({ events: 3, seals: 1, faults: [] })
    await tamper(sql`delete from events where subject_id = ${order.id} and seq = 3`)
    expect(await problems()).toEqual(['3: falta o evento selado no dossiê 1: trilha cortada'])
    await note(order.id, { n: 'outro' })
    expect(await problems()).toEqual(['3: não é o evento selado no dossiê 1'])
  })
})
