import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, cp, readdir, readFile, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { anchorTrail } from '@garantia/server/features/records/chain'
import { backUp } from '@garantia/server/features/system/backup'
import { programFile } from '@garantia/server/programs'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { freshDatabase } from '../support/postgres.ts'
import { s3Server } from '../support/s3-server.ts'
import { DOSSIER_KEY, filesUnder, SIGNING_KEY, startTestApp, type TestApp } from '../support/test-app.ts'
import {
  DONE,
  FAILED,
  FOUND,
  holdLastTable,
  MIGRATION_NAMES,
  migrateToLastButOne,
  objectsIn,
  openBackupFixture,
  PASSPHRASE,
  USAGE,
} from './backup-fixture.ts'
import { operatorCommand } from './process.ts'

const fixture = await openBackupFixture()
const { testApp, ctx, folders, folder, run, bareMachine, noteEvent } = fixture
afterAll(() => fixture[Symbol.asyncDispose]())

/** Where the tables are there already, restoring takes half of the time. */
const machineWithTables = () => bareMachine({}, freshDatabase)

async function backedUp(to: string) {
  const { contents, copied } = await backUp(ctx, { to, passphrase: PASSPHRASE.BACKUP_PASSPHRASE })
  return { ...contents, copied }
}

test('a backup restored on a bare machine has every row, file and key, and its files and chains verify', async () => {
  const to = folder()
  // A photo that is only sent to be read is kept by no backup.
  const photo = { user_id: (await testApp.make.user()).id, content: Buffer.from('x'), created_at: new Date() }
  await ctx.db.insertInto('vehicle_photos').values(photo).execute()
  const done = await run(['backup', '--para', to, '--json'], PASSPHRASE)
  expect(done).toMatchObject({ code: DONE, err: '' })
  expect(JSON.parse(done.out)).toMatchObject({ files: { count: 4 }, has_secrets: true })
  await using machine = await bareMachine()
  const restored = await machine.run(['restaurar', '--de', to], PASSPHRASE)
  expect(restored).toMatchObject({ code: DONE, err: '' })
  expect(restored.out).toContain('4 arquivos trazidos')
  expect(
    await machine.rows('select customer_name, total_value::float8, search from service_orders order by id'),
  ).toEqual(
    await ctx.db
      .selectFrom('service_orders')
      .select(['customer_name', 'total_value', 'search'])
      .orderBy('id')
      .execute(),
  )
  expect(JSON.parse(await readFile(join(machine.dir, 'secrets.json'), 'utf8'))).toMatchObject({
    signing_key: SIGNING_KEY,
    dossier_key: DOSSIER_KEY,
  })
  expect(await machine.rows('select id from vehicle_photos')).toEqual([])
  expect(await machine.run(['verificar'])).toMatchObject({ code: DONE })
  expect(await machine.run(['verificar-cadeia'])).toEqual(await run(['verificar-cadeia']))
  // New rows go on after the old ones, under the same triggers and keys.
  const [{ broken }] = await machine.rows(`select count(*)::int as broken from pg_trigger
    where not tgisinternal and tgenabled = 'D'`)
  expect(broken).toBe(0)
  await expect(machine.rows('insert into evidence_files (order_id) values (-1)')).rejects.toThrow()
})

test('jobs that wait are queued again, with their keys', async () => {
  const to = folder()
  const { id } = await testApp.make.order()
  await noteEvent(id)
  await sql`select graphile_worker.add_job('note-due-of-order', json_build_object('order_id', ${id}::bigint),
    job_key => 'prova')`.execute(ctx.db)
  await backedUp(to)
  await using machine = await machineWithTables()
  expect(await machine.run(['restaurar', '--de', to], PASSPHRASE)).toMatchObject({ code: DONE })
  expect(
    await machine.rows(`select task_identifier, key from graphile_worker.jobs where key = 'prova'`),
  ).toEqual([{ task_identifier: 'note-due-of-order', key: 'prova' }])
})

test('an entry of the journal that is written while it runs is not in it, as the events that it names are not', {
  tags: ['exhaustive'],
}, async () => {
  const to = folder()
  const { id } = await testApp.make.order()
  await noteEvent(id)
  await anchorTrail(ctx)
  const held = await holdLastTable(testApp.owner_url)
  const backing = backedUp(to)
  const waiting = sql<{ n: number }>`select count(*)::int as n from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`
  await expect.poll(async () => (await waiting.execute(ctx.db)).rows).toEqual([{ n: 1 }])
  await noteEvent(id)
  await anchorTrail(ctx)
  await held.release()
  await backing
  await using machine = await machineWithTables()
  expect(await machine.run(['restaurar', '--de', to], PASSPHRASE)).toMatchObject({ code: DONE })
  expect(await machine.run(['verificar-cadeia'])).toMatchObject({
    code: DONE,
    out: expect.stringContaining('1 registro do diário'),
  })
})

test('what is written while it runs is whole or not at all, and nothing acknowledged before is missing', {
  tags: ['exhaustive'],
}, async () => {
  const to = folder()
  const before = Number(
    (
      await ctx.db
        .selectFrom('service_orders')
        .select(({ fn }) => fn.countAll().as('n'))
        .executeTakeFirstOrThrow()
    ).n,
  )
  let isOver = false
  const writing = (async () => {
    while (!isOver) {
      const { id: order_id } = await testApp.make.order()
      await testApp.make.converted({ order_id })
      await noteEvent(order_id)
    }
  })()
  await backedUp(to).finally(() => {
    isOver = true
    return writing
  })
  await using machine = await machineWithTables()
  expect(await machine.run(['restaurar', '--de', to], PASSPHRASE)).toMatchObject({ code: DONE })
  const [{ n }] = await machine.rows('select count(*)::int as n from service_orders')
  expect(n).toBeGreaterThanOrEqual(before)
  const verified = await machine.run(['verificar', '--json'])
  // Files of orders that were opened after the moment of the rows are there too.
  expect(JSON.parse(verified.out).faults.filter(({ kind }: { kind: string }) => kind !== 'orphan')).toEqual(
    [],
  )
  const { faults, events } = JSON.parse((await machine.run(['verificar-cadeia', '--json'])).out)
  expect(events).toBeGreaterThan(0)
  // The factory writes an order before its event, each for itself: the last one may have none yet.
  const withoutEvents = await machine.rows(
    'select id::int as id from service_orders where not exists (select from events where subject_id = service_orders.id)',
  )
  expect(faults.map(({ order_id }: { order_id: number }) => order_id)).toEqual(
    withoutEvents.map(({ id }) => id),
  )
  expect(withoutEvents.length).toBeLessThanOrEqual(1)
})

test('a second backup copies only what is new', { tags: ['exhaustive'] }, async () => {
  const to = folder()
  const first = await backedUp(to)
  expect(first.copied).toBeGreaterThan(0)
  const { id: order_id } = await testApp.make.order()
  const file = await testApp.make.evidence({ order_id })
  const second = await backedUp(to)
  expect(second.files.count).toBe(first.files.count + 1)
  expect(second.copied).toBeLessThanOrEqual(1)
  await using machine = await machineWithTables()
  expect(await machine.run(['restaurar', '--de', to, '--id', first.id], PASSPHRASE)).toMatchObject({
    code: DONE,
  })
  expect(await machine.rows(`select id from evidence_files where id = ${file.id}`)).toEqual([])
})

test('a changed byte is found by its name, in a file and in a table, and nothing of it is restored', async () => {
  const to = folder()
  const { id } = await backedUp(to)
  expect(await run(['conferir-backup', '--de', to])).toMatchObject({ code: DONE, err: '' })
  for (const [path, args] of [
    [(await objectsIn(to))[0] ?? '', []],
    [join(to, 'backups', id, 'tables/service_orders.copy.gz'), ['--rapido']],
  ] as const) {
    const whole = await readFile(path)
    const changed = Buffer.from(whole)
    changed[changed.length >> 1] = (changed[changed.length >> 1] ?? 0) ^ 1
    await chmod(path, 0o600)
    await writeFile(path, changed)
    const found = await run(['conferir-backup', '--de', to, ...args])
    expect(found.code).toBe(FOUND)
    expect(found.out).toContain(`alterado ${path.slice(to.length + 1)}`)
    await using machine = await bareMachine()
    expect(await machine.run(['restaurar', '--de', to], PASSPHRASE)).toMatchObject({ code: FAILED })
    await writeFile(path, whole)
  }
})

test('a database with data is refused in words and stays as it is', async () => {
  const to = folder()
  await backedUp(to)
  const tables = () => ctx.db.selectFrom('service_orders').selectAll().orderBy('id').execute()
  const before = await tables()
  const refused = await run(['restaurar', '--de', to], {
    ...PASSPHRASE,
    MIGRATION_DATABASE_URL: testApp.owner_url,
  })
  expect(refused.code).toBe(FAILED)
  expect(refused.err).toMatch(/O banco não está vazio/)
  expect(await tables()).toEqual(before)
})

test('another passphrase is refused before anything is written; without one the keys stay out, and it says so', {
  tags: ['exhaustive'],
}, async () => {
  const to = folder()
  await backedUp(to)
  await using machine = await bareMachine()
  for (const env of [{ BACKUP_PASSPHRASE: 'outra senha qualquer' }, { BACKUP_PASSPHRASE: '' }]) {
    const refused = await machine.run(['restaurar', '--de', to], env)
    expect(refused.code).toBe(FAILED)
    expect(refused.err).toContain('BACKUP_PASSPHRASE')
  }
  expect(await machine.rows(`select from pg_class where relnamespace = 'public'::regnamespace`)).toEqual([])
  const open = await run(['backup', '--para', folder()])
  expect(open.out).toMatch(/segredos \(secrets\.json\) ficaram fora/)
  const stored = await filesUnder(to)
  for (const path of stored) expect((await readFile(path)).includes(SIGNING_KEY)).toBe(false)
})

test('killed in the middle it leaves no backup, and the next run clears up and works', async () => {
  const to = folder()
  const held = await holdLastTable(testApp.owner_url)
  const backup = spawnBackup(testApp, to)
  const ended = once(backup, 'exit')
  await expect
    .poll(() => readdir(to, { recursive: true }).catch(() => []))
    .toContainEqual(expect.stringContaining('work_alarms.copy.gz'))
  backup.kill('SIGKILL')
  await ended
  await held.release()
  const none = await run(['conferir-backup', '--de', to])
  expect(none).toMatchObject({ code: FAILED, err: 'Não há nenhum backup completo nesse lugar.\n' })
  // PostgreSQL gives the lock up when it notices that the client is gone.
  await expect.poll(async () => (await run(['backup', '--para', to])).code).toBe(DONE)
  expect(await run(['conferir-backup', '--de', to])).toMatchObject({ code: DONE })
  expect((await readdir(to)).filter((name) => name.startsWith('.'))).toEqual([])
})

test('a backup of one migration before is restored and migrated', { tags: ['exhaustive'] }, async () => {
  await using earlier = await bareMachine()
  await migrateToLastButOne(
    earlier.env.MIGRATION_DATABASE_URL,
    `insert into companies (legal_name, trading_name, tax_id, type) values ('Loja', 'Loja', '11222333000181', 'matriz')`,
  )
  const to = folder()
  const owner = { DATABASE_URL: earlier.env.MIGRATION_DATABASE_URL }
  expect(await earlier.run(['backup', '--para', to], owner)).toMatchObject({ code: DONE, err: '' })
  await using machine = await bareMachine()
  expect(await machine.run(['restaurar', '--de', to])).toMatchObject({ code: DONE, err: '' })
  expect(await machine.rows('select trading_name from companies')).toEqual([{ trading_name: 'Loja' }])
  expect(await machine.rows('select name from kysely_migration order by name')).toEqual(
    MIGRATION_NAMES.map((name) => ({ name })),
  )
})

test('the database alone leaves the files as they are', { tags: ['exhaustive'] }, async () => {
  const to = folder()
  await backedUp(to)
  await using machine = await machineWithTables()
  await cp(join(testApp.dir, 'files'), join(machine.dir, 'files'), { recursive: true })
  const before = (await filesUnder(join(machine.dir, 'files'))).sort()
  const restored = await machine.run(['restaurar', '--de', to, '--so-banco'], PASSPHRASE)
  expect(restored).toMatchObject({ code: DONE, err: '' })
  expect(restored.out).toContain('0 arquivos')
  expect((await filesUnder(join(machine.dir, 'files'))).sort()).toEqual(before)
  expect(await machine.run(['verificar'])).toMatchObject({ code: DONE })
})

test('a bucket keeps backups beside the stored files, never within them', {
  tags: ['exhaustive'],
}, async () => {
  await using service = await s3Server()
  const env = { ...service.environment, S3_PREFIX: 'loja', ...PASSPHRASE }
  await using other = await startTestApp({ ...service.environment, S3_PREFIX: 'loja' })
  const { id: order_id } = await other.make.order()
  await other.make.converted({ order_id })
  const to = `s3://${service.bucket}/copias`
  expect(await operatorCommand(other, ['backup', '--para', to], env)).toMatchObject({ code: DONE, err: '' })
  expect(await operatorCommand(other, ['conferir-backup', '--de', to], env)).toMatchObject({ code: DONE })
  await using machine = await bareMachine({ ...service.environment, S3_PREFIX: 'nova' })
  expect(await machine.run(['restaurar', '--de', to], PASSPHRASE)).toMatchObject({ code: DONE, err: '' })
  expect(await machine.run(['verificar'])).toMatchObject({ code: DONE })
  const within = await operatorCommand(other, ['backup', '--para', `s3://${service.bucket}/loja/copias`], env)
  expect(within.code).toBe(USAGE)
  expect(within.err).toMatch(/fora dos arquivos/)
})

test('what a newer time knew is rescued after a database alone was restored, and nothing is deleted', {
  tags: ['exhaustive'],
}, async () => {
  const { id: order_id } = await testApp.make.order()
  const path = join(folders, 'foto')
  await writeFile(path, 'uma foto de depois')
  const key = `os/${order_id}/depois/original.jpg`
  await ctx.storage.moveIn(key, path)
  const hours = new Date(Date.now() - 2 * 3_600_000)
  await utimes(join(testApp.dir, 'files', key), hours, hours)
  expect((await run(['verificar'])).out).toContain('resgatar --para PASTA copia-os')
  const to = folder()
  const rescued = await run(['resgatar', '--para', to])
  expect(rescued).toMatchObject({ code: DONE, err: '' })
  expect(await readFile(join(to, key), 'utf8')).toBe('uma foto de depois')
  expect(await readFile(join(to, 'resgatados.csv'), 'utf8')).toContain(`${order_id};${key};18;`)
  expect(await ctx.storage.size(key)).toBe(18)
  expect(await run(['resgatar', '--para', to])).toMatchObject({
    code: USAGE,
    err: expect.stringContaining('não está vazia'),
  })
  await ctx.storage.remove(key)
})

test('wrong options end with a sentence in Portuguese and exit code 2', {
  tags: ['exhaustive'],
}, async () => {
  for (const [args, said] of [
    [['backup'], /falta a opção/],
    [['backup', '--para', 'ftp://longe/daqui'], /pasta ou s3:/],
    [['backup', '--para', join(testApp.dir, 'files', 'copia')], /fora dos arquivos/],
    [['conferir-backup', '--de', 's3://'], /pasta ou s3:/],
    [['restaurar'], /falta a opção/],
  ] as const) {
    const refused = await run([...args])
    expect([args, refused.code]).toEqual([args, USAGE])
    expect(refused.err).toMatch(said)
  }
})

/** The command as a process that a test can kill. */
function spawnBackup(app: TestApp, to: string): ChildProcess {
  const root = fileURLToPath(new URL('../..', import.meta.url))
  return spawn(process.execPath, [programFile(root, 'commands', process.env), 'backup', '--para', to], {
    env: { ...process.env, DATABASE_URL: app.url, DATA_DIR: app.dir, SIGNING_KEY, DOSSIER_KEY },
    stdio: 'ignore',
  })
}
