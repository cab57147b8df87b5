import { createHash } from 'node:crypto'
import { verifyChains } from '@garantia/server/features/records/chain'
import { inTransaction, recordEvent } from '@garantia/server/kernel'
import { type Kysely, sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
// A migration that has been applied everywhere is imported from its file, to run it again on old events.
import { up } from '../../migrations/0012_event_chain.ts'
import { startTestApp } from '../support/test-app.ts'

const testApp = await startTestApp()
afterAll(() => testApp[Symbol.asyncDispose]())
const { ctx } = testApp.kernel
const { db } = ctx
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
  await db.deleteFrom('dossiers').execute()
  await db.deleteFrom('events').execute()
  for (let n = 1; n <= 4; n++) await note(SUBJECT, { n, nome: 'José «ç»', valores: [1, null, 2.5] })
})

test('each event has its sequence number and the hash of the one before it (beyond 1.4)', async () => {
  const events = await trail(SUBJECT)
  expect(events.map(({ seq }) => seq)).toEqual([1, 2, 3, 4])
  expect(events[0]?.previous_hash).toBe('0'.repeat(64))
  for (const [n, event] of events.entries()) if (n > 0) expect(event.previous_hash).toBe(events[n - 1]?.hash)
  expect(await verifyChains(ctx)).toEqual({ orders: 1, events: 4, seals: 0, faults: [] })
})

test('the hash is SHA-256 of canonical JSON, reproducible by anybody', async () => {
  const [event] = await trail(SUBJECT)
  const { rows } = await sql<{ content: string; at: string }>`
    select jsonb_build_array(actor_name, changes)::text as content,
      to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at from events where id = ${event?.id}`.execute(
    db,
  )
  const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
  const content = sha256(rows[0]?.content ?? '')
  const link = ['order', SUBJECT, 1, 'changed', rows[0]?.at, content, '0'.repeat(64)]
  expect(event?.hash).toBe(sha256(`[${link.map((part) => JSON.stringify(part)).join(', ')}]`))
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

test('a rollback leaves no gap', async () => {
  await inTransaction(ctx, async (ctx) => {
    await recordEvent(ctx, { subject: 'order', subject_id: SUBJECT, kind: 'changed' })
    throw new Error('não')
  }).catch(() => undefined)
  await note(SUBJECT)
  expect((await trail(SUBJECT)).map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5])
  expect(await problems()).toEqual([])
})

test('events older than the chain are chained as they are', async () => {
  await using old = await startTestApp()
  const { ctx } = old.kernel
  await sql`drop function chain_event, event_link_hash, event_content_hash, sha256_of cascade`.execute(ctx.db)
  await sql`alter table events drop column seq, drop column content_hash, drop column previous_hash,
    drop column hash, drop column redacted_at`.execute(ctx.db)
  for (const [subject, subject_id] of [
    ['order', 8],
    ['order', 9],
    ['company', 8],
    ['order', 8],
    ['order', 8],
  ] as const)
    await recordEvent(ctx, { subject, subject_id, kind: 'changed', changes: { texto: 'ação' } })
  await up(ctx.db as unknown as Kysely<unknown>)
  await recordEvent(ctx, { subject: 'order', subject_id: 8, kind: 'changed' })
  expect(await verifyChains(ctx)).toEqual({ orders: 2, events: 5, seals: 0, faults: [] })
})

test('events of people, companies and brands are not part of the chain', async () => {
  await recordEvent(ctx, { subject: 'company', subject_id: 1, kind: 'created' })
  const event = await db.selectFrom('events').where('subject', '=', 'company').selectAll().executeTakeFirst()
  expect(event).toMatchObject({ seq: null, hash: null })
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
    expect(await problems()).toEqual(['1: conteúdo alterado'])
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
  test('accepts personal values that were removed on purpose (beyond 4.4)', async () => {
    await tamper(
      sql`update events set changes = '{}', actor_name = 'Titular', redacted_at = now() where ${at(2)}`,
    )
    expect(await problems()).toEqual([])
  })
})
