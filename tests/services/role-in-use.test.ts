import { verifyChains } from '@garantia/server/features/records/chain'
import { mayChangeEvents, prepareDatabase, recordEvent } from '@garantia/server/kernel'
import { orderInput } from '@garantia/shared/orders/schema'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { asAdmin, runningPostgres } from '../support/postgres.ts'
import { startTestApp } from '../support/test-app.ts'

/** What whoever has the database's password in use tries. PostgreSQL is the embedded one, with its two roles. */
const testApp = await startTestApp()
const { ctx } = testApp.kernel
const client = new Client({ connectionString: testApp.url })
beforeAll(() => client.connect())
afterAll(async () => {
  await client.end()
  await testApp[Symbol.asyncDispose]()
})

const order = await testApp.make.order()
const write = (kind: string) =>
  recordEvent(ctx, {
    subject: 'order',
    subject_id: order.id,
    kind,
    changes: { customer_name: ['Ana', 'Bia'], comment: 'Falei com a Bia' },
  })
await write('opened')
await write('changed')
const events = () =>
  testApp.owner.db.selectFrom('events').where('subject_id', '=', order.id).orderBy('id').selectAll().execute()

const PERMISSION = '42501'
const { rows: columns } = await testApp.kernel.pool.query<{ name: string }>(
  `select attname as name from pg_attribute where attrelid = 'events'::regclass and attnum > 0 and not attisdropped`,
)

const ATTEMPTS = [
  ...['security_log', 'security_batches'].flatMap((table) => [
    `update ${table} set at = now()`,
    `delete from ${table}`,
    `truncate ${table}`,
  ]),
  ...columns.map(({ name }) => `update events set ${name} = default`),
  'delete from events',
  'truncate events',
  'truncate users cascade',
  `insert into events (subject, subject_id, kind, actor_name) values ('order', 1, 'x', 'x')
    on conflict (subject, subject_id, seq) do update set kind = 'y'`,
  'merge into events using users on events.id = users.id when matched then delete',
  'select * from events for update',
  'drop table events',
  'drop table events cascade',
  'drop schema public cascade',
  'alter table events owner to garantia_app',
  'alter table events disable trigger all',
  'alter table events drop constraint events_pkey',
  'alter table events rename to others',
  'alter table events set schema graphile_worker',
  'alter table events enable row level security',
  'alter table events alter column hash drop not null',
  'create trigger mine before insert on events for each row execute function chain_event()',
  'drop trigger chain_event on events',
  'create rule mine as on insert to events do instead nothing',
  'create policy mine on events using (true)',
  'create index on events (kind)',
  'create table public.mine ()',
  'create schema mine',
  'create function public.mine() returns int language sql return 1',
  `create or replace function chain_event() returns trigger language plpgsql as 'begin return new; end'`,
  `create or replace function redact_order_events(order_number bigint) returns integer language sql return 1`,
  `create function graphile_worker.mine() returns int language sql return 1`,
  'create view public.mine as select * from events',
  'create materialized view public.mine as select * from events',
  'create event trigger mine on ddl_command_start execute function chain_event()',
  'set session_replication_role = replica',
  'set role garantia',
  'set role postgres',
  'set session authorization garantia',
  'alter role garantia_app superuser',
  'alter role garantia_app createrole',
  `alter role garantia password 'x'`,
  'grant garantia to garantia_app',
  'reassign owned by garantia to garantia_app',
  'drop owned by garantia',
  "copy events from program 'id'",
  "copy events to program 'id'",
  "copy events from '/etc/passwd'",
  "select pg_read_file('/etc/passwd')",
  "select lo_export(1, '/tmp/x')",
  'create extension dblink',
  "load '/tmp/x.so'",
  "insert into kysely_migration (name, timestamp) values ('x', 'x')",
  'delete from kysely_migration',
  "insert into unrecorded values ('user', 1)",
  "update pg_class set relowner = 'garantia_app'::regrole where relname = 'events'",
  "select pg_catalog.set_config('session_replication_role', 'replica', false)",
  'alter sequence events_id_seq restart with 1',
  "select setval('events_id_seq', 1)",
  'cluster events using events_pkey',
  'comment on table events is null',
  `alter default privileges for role garantia grant all on tables to garantia_app`,
]

describe('the role in use is refused', () => {
  test.each(ATTEMPTS)('%s', async (statement) => {
    const before = await events()
    await client.query('begin')
    const refusal = await client.query(statement).then(
      () => null,
      (error: { code?: string; message?: string }) => error,
    )
    await client.query('rollback')
    expect(refusal?.code, `${statement}: ${refusal?.message}`).toBe(PERMISSION)
    expect(await events()).toEqual(before)
  })
})

test.each(['drop database garantia', "alter system set session_preload_libraries = 'x'"])(
  'nor may it, outside of a transaction: %s',
  async (statement) => {
    await expect(client.query(statement)).rejects.toMatchObject({ code: PERMISSION })
  },
)

test('what it grants itself is nothing', async () => {
  // PostgreSQL only warns of both.
  for (const rights of ['all', ...columns.map(({ name }) => `update (${name})`)])
    await client.query(`grant ${rights} on events to garantia_app with grant option`)
  await client.query('vacuum full events')
  expect(await mayChangeEvents(testApp.kernel.pool)).toBe(false)
  await expect(client.query('delete from events')).rejects.toMatchObject({ code: PERMISSION })
  expect(await events()).toHaveLength(2)
})

describe('the one way by which an event is changed', () => {
  const redact = (role = client) => role.query('select redact_order_events($1)', [order.id])

  test('knows every field of the customer', async () => {
    const { rows } = await client.query<{ source: string }>(
      `select prosrc as source from pg_proc where oid = 'redact_order_events'::regproc`,
    )
    const fields = Object.keys(orderInput.shape).filter((name) => name.startsWith('customer_'))
    expect(fields.length).toBeGreaterThan(3)
    expect(fields.filter((name) => !rows[0]?.source.includes(`'${name}'`))).toEqual([])
  })
  test('is closed for an order that exists, whatever its events say', async () => {
    await expect(redact()).rejects.toMatchObject({ code: PERMISSION })
    await client.query('begin')
    await client.query(
      `insert into events (subject, subject_id, kind, actor_name) values ('order', $1, 'purged', 'Ana')`,
      [order.id],
    )
    await expect(redact()).rejects.toMatchObject({ code: PERMISSION })
    await client.query('rollback')
  })
  test('is closed for an order that is gone without the event that says so', async () => {
    await client.query('begin')
    await client.query('delete from service_orders where id = $1', [order.id])
    await expect(redact()).rejects.toMatchObject({ code: PERMISSION })
    await client.query('rollback')
  })
  test('cannot be led to tables of another name', async () => {
    await client.query('begin')
    await client.query('create temporary table service_orders (id bigint)')
    await client.query(
      `insert into events (subject, subject_id, kind, actor_name) values ('order', $1, 'purged', 'Ana')`,
      [order.id],
    )
    await expect(redact()).rejects.toMatchObject({ code: PERMISSION })
    await client.query('rollback')
  })
  test('leaves the hash of what it removes, and who forged its reason is found', async () => {
    await client.query('begin')
    await client.query('delete from service_orders where id = $1', [order.id])
    await client.query(
      `insert into events (subject, subject_id, kind, actor_name) values ('order', $1, 'purged', 'Ana')`,
      [order.id],
    )
    const { rows } = await redact()
    expect(rows).toEqual([{ redact_order_events: 2 }])
    const { rows: changed } = await client.query(
      `select changes, salts, jsonb_object_keys(commitments) from events where subject_id = $1 and seq = 2 limit 1`,
      [order.id],
    )
    expect(changed[0]).toMatchObject({
      changes: { customer_name: ['removido', 'removido'], comment: 'removido' },
      salts: {},
    })
    await client.query('commit')
    expect((await verifyChains(ctx)).faults.map(({ seq, problem }) => `${seq}: ${problem}`)).toEqual([
      '3: está no formato antigo, depois de eventos do novo',
      '3: sem o código de autenticação',
    ])
  })
})

test('an event «anonymised» that is added removes the customer of an order that lives, and is found (SECURITY.md)', async () => {
  const { id } = await testApp.make.order()
  const change = (kind: string) =>
    recordEvent(ctx, { subject: 'order', subject_id: id, kind, changes: { customer_name: ['Ana', 'Bia'] } })
  await change('opened')
  await client.query(
    `insert into events (subject, subject_id, kind, actor_name) values ('order', $1, 'anonymised', 'Ana')`,
    [id],
  )
  const { rows } = await client.query('select redact_order_events($1)', [id])
  expect(rows).toEqual([{ redact_order_events: 1 }])
  expect((await verifyChains(ctx, id)).faults.map(({ seq, problem }) => `${seq}: ${problem}`)).toEqual([
    '2: está no formato antigo, depois de eventos do novo',
    '2: sem o código de autenticação',
  ])
})

test('whoever calls redact_exported_searches removes what was searched for from exports, and no other value', async () => {
  const { id } = await testApp.make.user()
  const write = (kind: string) =>
    recordEvent(ctx, { subject: 'user', subject_id: id, kind, changes: { search: 'Ana', rows: 3 } })
  await write('orders.exported')
  await write('changed')
  await client.query(
    `select redact_exported_searches(array(select id from events where subject = 'user' and subject_id = $1), now())`,
    [id],
  )
  const { rows } = await client.query(
    `select changes from events where subject = 'user' and subject_id = $1 order by seq`,
    [id],
  )
  expect(rows.map(({ changes }) => changes)).toEqual([
    { search: 'removido', rows: 3 },
    { search: 'Ana', rows: 3 },
  ])
  expect((await verifyChains(ctx)).faults.filter(({ subject }) => subject === 'user')).toEqual([])
})

test('it is told apart from a role that may change events', async () => {
  expect(await mayChangeEvents(testApp.kernel.pool)).toBe(false)
  const owner = new Client({ connectionString: testApp.owner_url })
  await owner.connect()
  expect(await mayChangeEvents(owner)).toBe(true)
  for (const [grant, revoke] of [
    ['grant update (kind) on events to garantia_app', 'revoke update (kind) on events from garantia_app'],
    ['grant truncate on events to garantia_app', 'revoke truncate on events from garantia_app'],
  ] as const) {
    await owner.query(grant)
    expect(await mayChangeEvents(testApp.kernel.pool)).toBe(true)
    await owner.query(revoke)
  }
  expect(await mayChangeEvents(testApp.kernel.pool)).toBe(false)
  await owner.end()
})

test('on an own PostgreSQL too: the owner migrates, new tables are granted, and nothing is granted twice', async () => {
  const { admin_url } = runningPostgres()
  const name = `own_${process.pid}`
  for (const role of [`${name}_owner`, name])
    await asAdmin(admin_url, `create role ${role} login password 'senha'`)
  await asAdmin(admin_url, `create database ${name} owner ${name}_owner`)
  const address = (role: string) => {
    const url = new URL(admin_url)
    Object.assign(url, { username: role, password: 'senha', pathname: name })
    return url.href
  }
  const both = { DATABASE_URL: address(name), MIGRATION_DATABASE_URL: address(`${name}_owner`) }
  const used = new Client({ connectionString: both.DATABASE_URL })
  const owner = new Client({ connectionString: both.MIGRATION_DATABASE_URL })
  try {
    await prepareDatabase(both, ctx.log)
    await Promise.all([used.connect(), owner.connect()])
    await owner.query('create table later (n int)')
    await Promise.all([prepareDatabase(both, ctx.log), prepareDatabase(both, ctx.log)])
    await used.query('insert into later values (1)')
    await used.query(`select graphile_worker.add_job('anchor-trail', '{}')`)
    expect((await used.query('select from graphile_worker.jobs')).rowCount).toBe(1)
    expect(await mayChangeEvents(used)).toBe(false)
    for (const statement of [
      'update events set seq = 1',
      'delete from events',
      'truncate events',
      'drop table events',
    ])
      await expect(used.query(statement)).rejects.toMatchObject({ code: PERMISSION })

    // Without the owner's address nothing is migrated, and a migration that is missing is named.
    await prepareDatabase({ DATABASE_URL: both.DATABASE_URL }, ctx.log)
    await owner.query(`delete from kysely_migration where name = '0047_append_only_events'`)
    await expect(prepareDatabase({ DATABASE_URL: both.DATABASE_URL }, ctx.log)).rejects.toThrow(
      /não está migrado \(0047_append_only_events\).*MIGRATION_DATABASE_URL/,
    )
  } finally {
    await Promise.allSettled([used.end(), owner.end()])
    await asAdmin(admin_url, `drop database ${name} with (force)`)
    for (const role of [name, `${name}_owner`]) await asAdmin(admin_url, `drop role ${role}`)
  }
})
