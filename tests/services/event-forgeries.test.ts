import { removeOrder } from '@garantia/server/features/orders/order'
import { verifyChains } from '@garantia/server/features/records/chain'
import { emptyBin } from '@garantia/server/features/records/retention'
import { recordEvent } from '@garantia/server/kernel'
import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { startTestApp } from '../support/test-app.ts'

/** What whoever has the database's password can write, and what the verification says then. */
const testApp = await startTestApp()
afterAll(() => testApp[Symbol.asyncDispose]())
const { ctx } = testApp.kernel
/** Of the owner: the role in use can change no event (role-in-use.test.ts). */
const { db } = testApp.owner
const boss = await testApp.as(await testApp.make.user({ is_superuser: true }))

let order_id: number
beforeEach(async () => {
  await db.deleteFrom('events').execute()
  await db.deleteFrom('service_orders').execute()
  order_id = (await testApp.make.order()).id
  const write = (kind: string, changes: Record<string, unknown>) =>
    recordEvent(
      { ...ctx, actor: boss.ctx.actor },
      {
        subject: 'order',
        subject_id: order_id,
        kind,
        changes,
        origin: { ip: '10.1.1.1', user_agent: 'Firefox' },
      },
    )
  await write('opened', { os_number: '000123' })
  await write('changed', { customer_name: ['Ana', 'Bia'], diagnosis: [null, 'Bucha gasta'] })
  await write('commented', { comment: 'Falei com a Bia' })
})
const found = async () =>
  (await verifyChains(ctx)).faults.map(({ order_id: id, seq, problem }) => `${id} ${seq}: ${problem}`)
const forge = (change: string) =>
  sql`update events set ${sql.raw(change)} where subject = 'order' and subject_id = ${order_id} and seq = 2`.execute(
    db,
  )

describe('every column of an event is protected: a change of it alone is found and named', () => {
  const CHANGES: Record<string, string> = {
    id: 'id = default',
    subject: "subject = 'brand'",
    subject_id: 'subject_id = subject_id + 1',
    kind: "kind = 'opened'",
    actor_user_id: 'actor_user_id = null',
    actor_id: 'actor_id = actor_id + 1',
    actor_name: "actor_name = 'Outra'",
    changes: `changes = changes || '{"diagnosis": [null, "Eixo partido"]}'`,
    ip: "ip = '10.1.1.2'",
    user_agent: 'user_agent = null',
    at: "at = at + interval '1 microsecond'",
    seq: 'seq = 9',
    content_hash: "content_hash = repeat('a', 64)",
    previous_hash: "previous_hash = repeat('a', 64)",
    hash: "hash = repeat('a', 64)",
    redacted_at: 'redacted_at = now()',
    format: 'format = 1',
    salts: `salts = salts || '{"diagnosis": "x"}'`,
    commitments: `commitments = jsonb_build_object('customer_name', repeat('a', 64))`,
    mac: "mac = repeat('a', 64)",
    mac_key: "mac_key = repeat('a', 16)",
    id_hash: "id_hash = repeat('a', 64)",
  }
  test('no column is left out', async () => {
    const { rows } = await sql<{ name: string }>`select column_name as name from information_schema.columns
      where table_name = 'events' and table_schema = 'public'`.execute(db)
    expect(rows.map(({ name }) => name).sort()).toEqual(Object.keys(CHANGES).sort())
  })
  test.each(Object.entries(CHANGES))('%s', async (_column, change) => {
    expect(await found()).toEqual([])
    await forge(change)
    const faults = await found()
    expect(faults.length).toBeGreaterThan(0)
    expect(faults.every((fault) => /^(\d+|null) \d+: ./.test(fault))).toBe(true)
  })
  test.each(['salts', 'commitments', 'mac', 'mac_key', 'id_hash'])('%s set to null', async (column) => {
    await forge(`${column} = null`)
    expect(await found()).not.toEqual([])
  })
})

test('a chain rewritten with all its hashes has no valid authentication code', async () => {
  await sql`do $$
    declare e events; link text := repeat('0', 64);
    begin
      for e in select * from events where subject = 'order' order by seq loop
        if e.seq = 2 then e.changes := jsonb_set(e.changes, '{diagnosis, 1}', '"Eixo partido"'); end if;
        e.previous_hash := link;
        e.content_hash := event_values_hash(e.changes, e.salts);
        e.hash := sha256_of(jsonb_build_array('event/3', e.subject, e.subject_id, e.seq, e.kind,
          to_char(e.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
          e.actor_id, e.actor_name, e.ip, e.user_agent, e.content_hash, e.previous_hash)::text);
        link := e.hash;
        update events set changes = e.changes, previous_hash = e.previous_hash, content_hash = e.content_hash,
          hash = e.hash, id_hash = sha256_of(jsonb_build_array(e.id, e.hash)::text) where id = e.id;
      end loop;
    end $$`.execute(db)
  const name = (seq: number) => `${order_id} ${seq}: o código de autenticação não confere`
  expect(await found()).toEqual([name(2), name(3)])
})

test('an event written past the application has no authentication code', async () => {
  await sql`insert into events (subject, subject_id, kind, actor_name) values ('order', ${order_id}, 'changed', 'Ana')`.execute(
    db,
  )
  expect(await found()).toEqual([
    `${order_id} 4: está no formato antigo, depois de eventos do novo`,
    `${order_id} 4: sem o código de autenticação`,
  ])
})

test('values removed as the law asks, but of an order that exists, are a fault', async () => {
  await forge(`redacted_at = now(), salts = salts - 'customer_name',
    commitments = jsonb_build_object('customer_name',
      sha256_of(jsonb_build_array('customer_name', changes -> 'customer_name', salts -> 'customer_name')::text)),
    changes = changes || '{"customer_name": ["removido", "removido"]}'`)
  expect(await found()).toEqual([`${order_id} 2: valores removidos de uma OS que existe`])
})

test('an order that was deleted with its files, but not by the application, is missed', async () => {
  await sql`delete from service_orders where id = ${order_id}`.execute(db)
  expect(await found()).toEqual([`${order_id} 3: a OS foi apagada sem o evento que a elimina`])
})

test('an order whose whole trail was deleted is named', async () => {
  await sql`delete from events where subject = 'order'`.execute(db)
  expect(await found()).toEqual([`${order_id} 0: a OS não tem trilha alguma`])
})

describe('when an order is deleted for good', () => {
  const later = (days: number) => ({ ...ctx, clock: () => new Date(Date.now() + days * 86_400_000) })
  beforeEach(async () => {
    await removeOrder(boss.ctx, order_id)
    await emptyBin(later(32))
  })
  test('the customer’s values and their salts go, the rest stays and the chain proves itself', async () => {
    const event = await db.selectFrom('events').where('seq', '=', 2).selectAll().executeTakeFirstOrThrow()
    expect(event.changes).toEqual({
      customer_name: ['removido', 'removido'],
      diagnosis: [null, 'Bucha gasta'],
    })
    expect(Object.keys(event.salts as object)).toEqual(['diagnosis'])
    expect(Object.keys(event.commitments as object)).toEqual(['customer_name'])
    expect(await found()).toEqual([])
  })
  test.each([
    ['another kept value', `changes = jsonb_set(changes, '{diagnosis, 1}', '"Eixo"')`, 'conteúdo alterado'],
    ['another author', "actor_name = 'Outra'", 'evento alterado'],
    [
      'another moment of the removal',
      "redacted_at = redacted_at - interval '1 day'",
      'valores removidos em outro momento que o da eliminação',
    ],
    ['no mark', 'redacted_at = null', 'marca de remoção que não confere'],
    [
      'a value in the place of a removed one',
      `changes = changes || '{"customer_name": ["Ana", "Caio"]}'`,
      'valores removidos que não conferem',
    ],
    [
      'one more removed value',
      `salts = salts - 'diagnosis', changes = changes || '{"diagnosis": ["removido", "removido"]}',
        commitments = commitments || jsonb_build_object('diagnosis',
          sha256_of(jsonb_build_array('diagnosis', changes -> 'diagnosis', salts -> 'diagnosis')::text))`,
      'removido o valor de diagnosis, que a lei não pede',
    ],
  ])('%s is found', async (_name, change, problem) => {
    await forge(change)
    expect(await found()).toEqual([`${order_id} 2: ${problem}`])
  })
})
