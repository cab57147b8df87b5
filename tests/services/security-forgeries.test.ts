import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { anchorTrail, verifyChains } from '@garantia/server/features/records/chain'
import { type Kysely, sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
// Run again on old entries.
import { up as chainEntries } from '../../migrations/0053_security_log_chain.ts'
import { forgetOldSecurityEntries } from '../../server/src/features/people/audit/service.ts'
import { openSecurityLog } from '../../server/src/kernel/security-log.ts'
import { recordStatements } from '../support/statements.ts'
import { startTestApp } from '../support/test-app.ts'

/** What whoever has the owner's password can write into the security log, and what the verification says then. */
const testApp = await startTestApp()
afterAll(() => testApp[Symbol.asyncDispose]())
const { ctx } = testApp.kernel
const { db } = testApp.owner
const person = { ...(await testApp.as(await testApp.make.user())).ctx.actor }
const DAY = 86_400_000

/** One batch with these orders, of so many days ago. */
async function batch(orders: readonly number[], daysAgo = 0) {
  const log = openSecurityLog(ctx)
  const clock = () => new Date(Date.now() - daysAgo * DAY)
  const origin = { ip: '203.0.113.9', user_agent: 'Firefox' }
  for (const order_id of orders)
    log.note({ actor: person, clock, origin }, { kind: 'order.read', order_id, details: { field: 'a' } })
  await log.close()
}
const found = async () =>
  (await verifyChains(ctx)).faults.map(
    ({ subject, subject_id, seq, problem }) => `${subject} ${subject_id} ${seq}: ${problem}`,
  )
const ids = async () =>
  (await db.selectFrom('security_log').select('id').orderBy('id').execute()).map(({ id }) => id)

beforeEach(async () => {
  await ctx.securityLog.flush()
  await rm(join(testApp.dir, 'files', 'trilha'), { recursive: true, force: true })
  await db.deleteFrom('security_log').execute()
  await db.deleteFrom('security_batches').execute()
  await batch([1, 2, 3])
  await batch([4, 5])
})

test('accesses are written in batches that continue each other, and verified', async () => {
  expect(await verifyChains(ctx)).toMatchObject({ accesses: 5, faults: [] })
  const batches = await db.selectFrom('security_batches').orderBy('n').selectAll().execute()
  expect(batches.map(({ n, row_hashes }) => [n, row_hashes.length])).toEqual([
    [1, 3],
    [2, 2],
  ])
  expect(batches[1]?.previous_hash).toBe(batches[0]?.hash)
  expect(batches.every(({ mac, mac_key }) => mac !== null && mac_key !== null)).toBe(true)
})

test('servers that write at once lose nothing and break nothing', async () => {
  await Promise.all(Array.from({ length: 6 }, (_, n) => batch([10 + n])))
  expect(await verifyChains(ctx)).toMatchObject({ accesses: 11, faults: [] })
})

test('a batch is one statement, whatever its number of entries; two after another server wrote', async () => {
  const sent = async (log: ReturnType<typeof openSecurityLog>) => {
    for (let order_id = 1; order_id <= 200; order_id++)
      log.note({ actor: person, clock: ctx.clock }, { kind: 'orders.exported', order_id })
    return (await recordStatements(testApp.kernel, () => log.flush())).flat().length
  }
  const [one, other] = [openSecurityLog(ctx), openSecurityLog(ctx)]
  expect(await sent(one)).toBe(2)
  expect(await sent(one)).toBe(1)
  expect(await sent(other)).toBe(2)
  expect(await sent(one)).toBe(2)
  expect(await verifyChains(ctx)).toMatchObject({ accesses: 805, faults: [] })
})

describe('every column of an entry is protected: a change of it alone is found, and the entry is named', () => {
  const CHANGES: Record<string, string> = {
    id: 'id = default',
    at: "at = at + interval '1 microsecond'",
    kind: "kind = 'order.printed'",
    user_id: 'user_id = user_id + 1',
    actor_name: "actor_name = 'Outra'",
    order_id: 'order_id = 99',
    times: 'times = 2',
    details: `details = '{"field": "b"}'`,
    ip: 'ip = null',
    user_agent: "user_agent = 'Chrome'",
    batch: 'batch = 7',
    place: 'place = 7',
  }
  test('no column is left out', async () => {
    const { rows } = await sql<{ name: string }>`select column_name as name from information_schema.columns
      where table_name = 'security_log' and table_schema = 'public'`.execute(db)
    expect(rows.map(({ name }) => name).sort()).toEqual(Object.keys(CHANGES).sort())
  })
  test.each(Object.entries(CHANGES))('%s', async (_column, change) => {
    const id = (await ids())[1] ?? 0
    await sql`update security_log set ${sql.raw(change)} where id = ${id}`.execute(db)
    const faults = await found()
    expect(faults.length).toBeGreaterThan(0)
    expect(faults.join('\n')).toContain(`o acesso ${id}`.replace(/\d+$/, _column === 'id' ? '' : String(id)))
    expect(faults.every((fault) => /^security [127] \d: /.test(fault))).toBe(true)
  })
})

describe('every column of a batch is protected', () => {
  const CHANGES: Record<string, string> = {
    n: 'n = 9',
    at: "at = at + interval '1 microsecond'",
    row_hashes: "row_hashes[1] = repeat('a', 64)",
    previous_hash: "previous_hash = repeat('a', 64)",
    hash: "hash = repeat('a', 64)",
    ids: 'ids[1] = 7',
    ids_hash: "ids_hash = repeat('a', 64)",
    mac: 'mac = null',
    mac_key: 'mac_key = null',
    forgotten_mac: "forgotten_mac = repeat('a', 64)",
    forgotten_key: 'forgotten_mac = mac, forgotten_key = mac_key',
  }
  test('no column is left out', async () => {
    const { rows } = await sql<{ name: string }>`select column_name as name from information_schema.columns
      where table_name = 'security_batches' and table_schema = 'public'`.execute(db)
    expect(rows.map(({ name }) => name).sort()).toEqual(Object.keys(CHANGES).sort())
  })
  test.each(Object.entries(CHANGES))('%s', async (_column, change) => {
    await sql`update security_batches set ${sql.raw(change)} where n = 2`.execute(db)
    expect(await found()).not.toEqual([])
  })
})

test('a removed entry is named', async () => {
  const [, id] = await ids()
  await sql`delete from security_log where id = ${id}`.execute(db)
  expect(await found()).toEqual([`security 1 2: o acesso ${id} foi apagado`])
})

test('an entry written past the application is named, into a batch and beside one', async () => {
  const add = (n: number) =>
    sql<{
      id: number
    }>`insert into security_log (at, kind, batch, place) values (now(), 'order.read', ${n}, 9)
      returning id`.execute(ctx.db)
  const [into, beside] = [(await add(1)).rows[0]?.id, (await add(5)).rows[0]?.id]
  expect(await found()).toEqual([
    `security 1 9: o acesso ${into} foi acrescentado`,
    `security 5 9: o acesso ${beside} foi acrescentado: o lote não existe`,
  ])
})

test('a batch written past the application has no valid authentication code', async () => {
  const { hash } = await db
    .selectFrom('security_batches')
    .where('n', '=', 2)
    .select('hash')
    .executeTakeFirstOrThrow()
  const given = {
    n: 3,
    moment: new Date(),
    row_hashes: ['a'.repeat(64)],
    previous_hash: hash,
    hash,
    entries: [],
  }
  await sql`select append_security_batch(${JSON.stringify(given)}::jsonb)`
    .execute(ctx.db)
    .catch(() => undefined)
  await sql`insert into security_batches (n, at, row_hashes, previous_hash, hash, ids, ids_hash)
    select 3, now(), row_hashes, hash, hash, '{}', ids_hash from security_batches where n = 2`.execute(ctx.db)
  expect(await found()).toContain('security 3 0: sem o código de autenticação')
})

test('a chain written anew without any code is found, once the journal has said how far that was allowed', async () => {
  await anchorTrail(ctx)
  await batch([6])
  await sql`update security_batches set mac = null, mac_key = null`.execute(db)
  expect(await found()).toEqual(['security 3 0: sem o código de autenticação'])
})

test('removed first batches are found, and so are removed last ones, by the journal', async () => {
  await anchorTrail(ctx)
  await batch([6])
  expect(await anchorTrail(ctx)).toMatchObject({ n: 2 })
  expect(await anchorTrail(ctx)).toBeNull()
  expect(await found()).toEqual([])
  await sql`with gone as (delete from security_log where batch in (1, 3)) delete from security_batches where n in (1, 3)`.execute(
    db,
  )
  expect(await found()).toEqual([
    'security 2 0: faltam lotes entre 0 e 2',
    'security 3 0: falta o lote 3, que o diário registrou: registro de segurança cortado',
  ])
})

describe('entries that are too old', () => {
  beforeEach(async () => {
    await db.deleteFrom('security_log').execute()
    await db.deleteFrom('security_batches').execute()
    await batch([1], 1_000)
    await batch([2, 3], 900)
    await batch([4], 10)
    await anchorTrail(ctx)
  })
  test('go with their batches, which is no fault', async () => {
    await forgetOldSecurityEntries(ctx)
    expect(await verifyChains(ctx)).toMatchObject({ accesses: 1, faults: [] })
    await batch([5])
    await forgetOldSecurityEntries(ctx)
    expect(await verifyChains(ctx)).toMatchObject({ accesses: 2, faults: [] })
    const batches = await db.selectFrom('security_batches').orderBy('n').select('n').execute()
    expect(batches.map(({ n }) => n)).toEqual([2, 3, 4])
  })
  test('are removed by nobody else unseen, and young ones not at all', async () => {
    const forget = (n: number) =>
      sql`select forget_security_batches(${n}, repeat('a', 64), repeat('a', 16))`.execute(ctx.db)
    await expect(forget(3)).rejects.toMatchObject({ code: '42501' })
    await expect(ctx.db.deleteFrom('security_log').execute()).rejects.toMatchObject({ code: '42501' })
    await forget(2)
    expect(await found()).toEqual(['security 2 0: acessos apagados sem que o prazo de guarda o diga'])
  })
})

test('entries older than the chain are chained as they are, and confirmed by the first batch with a code', async () => {
  await using old = await startTestApp()
  const { ctx } = old.kernel
  const database = old.owner.db as unknown as Kysely<unknown>
  await sql`drop function append_security_batch, forget_security_batches`.execute(database)
  await sql`drop table security_batches`.execute(database)
  await sql`alter table security_log drop column batch, drop column place`.execute(database)
  await sql`insert into security_log (at, kind, user_id, actor_name, details, ip)
    select now() - n * interval '1 second', 'order.read', n, 'Ana «ç»', '{"field": "ação", "n": 1}', '10.0.0.1'
    from generate_series(1, 1001) n`.execute(database)
  await chainEntries(database)
  await sql`grant select, insert on security_batches to garantia_app`.execute(database)
  const accesses = async () => (await verifyChains(ctx)).faults.map(({ problem }) => problem)
  expect(await verifyChains(ctx)).toMatchObject({ accesses: 1_001, faults: [] })
  ctx.securityLog.note({ actor: person, clock: ctx.clock }, { kind: 'order.read', order_id: 1 })
  await ctx.securityLog.flush()
  expect(await verifyChains(ctx)).toMatchObject({ accesses: 1_002, faults: [] })
  await sql`update security_log set user_id = 5 where batch = 1 and place = 7`.execute(database)
  expect(await accesses()).toEqual([expect.stringMatching(/^o acesso \d+ foi alterado$/)])
  await sql`update security_log set user_id = 7 where batch = 1 and place = 7`.execute(database)
  expect(await accesses()).toEqual([])
})
