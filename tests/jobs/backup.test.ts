import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, cp, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { MIGRATIONS, migrateTo } from '@garantia/migrations'
import {
  backUp,
  backUpBeforeMigrating,
  backUpWhenDue,
  readBackupRuns,
} from '@garantia/server/features/system/backup'
import { problemsOf, readWork } from '@garantia/server/features/system/work-state'
import { type Ctx, openLog, prepareDatabase, readConfig, recordEvent } from '@garantia/server/kernel'
import { programFile } from '@garantia/server/programs'
import { sql } from 'kysely'
import { Client, Pool } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { emptyDatabase, freshDatabase } from '../support/postgres.ts'
import { BUCKET, s3Server } from '../support/s3-server.ts'
import { DOSSIER_KEY, filesUnder, SIGNING_KEY, startTestApp, type TestApp } from '../support/test-app.ts'
import { operatorCommand } from './process.ts'

const [DONE, FAILED, USAGE, FOUND] = [0, 1, 2, 4]
const PASSPHRASE = { BACKUP_PASSPHRASE: 'uma senha bem longa' }

const testApp = await startTestApp()
const folders = await mkdtemp(join(tmpdir(), 'garantia-backup-'))
const ctx = testApp.kernel.ctx
let count = 0
const folder = () => join(folders, `lugar-${++count}`)
const run = (args: string[], env: Record<string, string> = {}) => operatorCommand(testApp, args, env)
afterAll(async () => {
  await testApp[Symbol.asyncDispose]()
  await rm(folders, { recursive: true, force: true })
})

beforeAll(async () => {
  const { id: order_id } = await testApp.make.order({ customer_name: 'Ana \\ «Conceição»\tda Silva' })
  await testApp.make.converted({ order_id })
  await testApp.make.converted({ order_id })
  await noteEvent(order_id)
})

const noteEvent = (subject_id: number) =>
  recordEvent(ctx, { subject: 'order', subject_id, kind: 'order.changed', changes: { notes: ['a', 'b'] } })

/** Another machine: an empty database, with tables or without, and an empty folder. */
async function bareMachine(environment: Record<string, string> = {}, makeDatabase = emptyDatabase) {
  const database = await makeDatabase()
  const dir = await mkdtemp(join(folders, 'maquina-'))
  const env = {
    DATABASE_URL: database.url,
    MIGRATION_DATABASE_URL: database.owner_url,
    DATA_DIR: dir,
    ...environment,
  }
  return {
    dir,
    env,
    run: (args: string[], more: Record<string, string> = {}) =>
      operatorCommand(testApp, args, { ...env, ...more }),
    async rows(sql: string) {
      const client = new Client({ connectionString: database.owner_url })
      await client.connect()
      try {
        return (await client.query(sql)).rows
      } finally {
        await client.end()
      }
    },
    [Symbol.asyncDispose]: database.drop,
  }
}

/** Where the tables are there already, restoring takes half of the time. */
const machineWithTables = () => bareMachine({}, freshDatabase)

async function backedUp(to: string) {
  const { contents, copied } = await backUp(ctx, { to, passphrase: PASSPHRASE.BACKUP_PASSPHRASE })
  return { ...contents, copied }
}
const objectsIn = async (to: string) =>
  (await filesUnder(to)).filter((path) => path.includes('/objects/')).sort()

test('a backup restored on a bare machine has every row, file and key, and its files and chains verify', async () => {
  const to = folder()
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

test('what is written while it runs is whole or not at all, and nothing acknowledged before is missing', async () => {
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

test('a second backup copies only what is new', async () => {
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

test('another passphrase is refused before anything is written; without one the keys stay out, and it says so', async () => {
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
  const locker = new Client({ connectionString: testApp.owner_url })
  await locker.connect()
  // The last table waits, so that the others are copied by then.
  await locker.query('begin; lock table worker_processes in access exclusive mode')
  const backup = spawnBackup(testApp, to)
  const ended = once(backup, 'exit')
  await expect
    .poll(() => readdir(to, { recursive: true }).catch(() => []), { timeout: 60_000 })
    .toContainEqual(expect.stringContaining('work_alarms.copy.gz'))
  backup.kill('SIGKILL')
  await ended
  await locker.query('rollback')
  await locker.end()
  const none = await run(['conferir-backup', '--de', to])
  expect(none).toMatchObject({ code: FAILED, err: 'Não há nenhum backup completo nesse lugar.\n' })
  // PostgreSQL gives the lock up when it notices that the client is gone.
  await expect.poll(async () => (await run(['backup', '--para', to])).code, { timeout: 60_000 }).toBe(DONE)
  expect(await run(['conferir-backup', '--de', to])).toMatchObject({ code: DONE })
  expect((await readdir(to)).filter((name) => name.startsWith('.'))).toEqual([])
})

test('a backup of one migration before is restored and migrated', async () => {
  await using earlier = await bareMachine()
  const names = Object.keys(MIGRATIONS).sort()
  const pool = new Pool({ connectionString: earlier.env.MIGRATION_DATABASE_URL })
  const lost = (error: Error) => expect.unreachable(error.message)
  pool.on('error', lost)
  pool.on('connect', (client) => client.on('error', lost))
  await migrateTo(pool, names.at(-2) ?? '')
  await pool.query(
    `insert into companies (legal_name, trading_name, tax_id, type) values ('Loja', 'Loja', '11222333000181', 'matriz')`,
  )
  await pool.end()
  const to = folder()
  const owner = { DATABASE_URL: earlier.env.MIGRATION_DATABASE_URL }
  expect(await earlier.run(['backup', '--para', to], owner)).toMatchObject({ code: DONE, err: '' })
  await using machine = await bareMachine()
  expect(await machine.run(['restaurar', '--de', to])).toMatchObject({ code: DONE, err: '' })
  expect(await machine.rows('select trading_name from companies')).toEqual([{ trading_name: 'Loja' }])
  expect(await machine.rows('select name from kysely_migration order by name')).toEqual(
    names.map((name) => ({ name })),
  )
})

test('the database alone leaves the files as they are', async () => {
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

test('a bucket keeps backups beside the stored files, never within them', async () => {
  await using service = await s3Server()
  const env = { ...service.environment, S3_PREFIX: 'loja', ...PASSPHRASE }
  await using other = await startTestApp({ ...service.environment, S3_PREFIX: 'loja' })
  const { id: order_id } = await other.make.order()
  await other.make.converted({ order_id })
  const to = `s3://${BUCKET}/copias`
  expect(await operatorCommand(other, ['backup', '--para', to], env)).toMatchObject({ code: DONE, err: '' })
  expect(await operatorCommand(other, ['conferir-backup', '--de', to], env)).toMatchObject({ code: DONE })
  await using machine = await bareMachine({ ...service.environment, S3_PREFIX: 'nova' })
  expect(await machine.run(['restaurar', '--de', to], PASSPHRASE)).toMatchObject({ code: DONE, err: '' })
  expect(await machine.run(['verificar'])).toMatchObject({ code: DONE })
  const within = await operatorCommand(other, ['backup', '--para', `s3://${BUCKET}/loja/copias`], env)
  expect(within.code).toBe(USAGE)
  expect(within.err).toMatch(/fora dos arquivos/)
})

/** As a night of this installation with these settings. */
const withSettings = (settings: Partial<Ctx['config']>, at: string): Ctx => ({
  ...ctx,
  config: { ...ctx.config, ...settings },
  clock: () => new Date(at),
})

test('every night one is made, those that are not to be kept go with the files only they have, and a failure is said until one succeeds', async () => {
  const to = folder()
  const settings = { BACKUP_TO: to, BACKUP_KEEP: { days: 2, weeks: 0, months: 0 } }
  const night = (day: number, hour = '04:33') => withSettings(settings, `2031-03-${day}T${hour}:00Z`)
  const { id: order_id } = await testApp.make.order()
  const file = await testApp.make.evidence({ order_id })
  expect(await backUpWhenDue(withSettings({}, '2031-03-10T04:33:00Z'))).toBeNull()
  const first = await backUpWhenDue(night(10))
  expect(first).toMatchObject({ removed: { backups: 0, files: 0 } })
  expect(await backUpWhenDue(night(10, '15:33'))).toBeNull()
  const before = (await objectsIn(to)).length
  // Deleted for good by retention meanwhile.
  await ctx.storage.remove(file.original_key)
  await ctx.db
    .updateTable('evidence_files')
    .set({ purged_at: new Date() })
    .where('id', '=', file.id)
    .execute()
  expect(await backUpWhenDue(night(11))).toMatchObject({ copied: 0, removed: { backups: 0, files: 0 } })
  expect(await objectsIn(to)).toHaveLength(before)
  expect(await backUpWhenDue(night(12))).toMatchObject({ removed: { backups: 1, files: 1 } })
  expect(await objectsIn(to)).toHaveLength(before - 1)
  expect((await readdir(join(to, 'backups'))).map((id) => id.slice(0, 10))).toEqual([
    '2031-03-11',
    '2031-03-12',
  ])
  expect(await run(['conferir-backup', '--de', to])).toMatchObject({ code: DONE, err: '' })

  const problems = async (at: Ctx) =>
    problemsOf(await readWork(at), at.clock()).filter(({ kind }) => kind === 'backup')
  expect(await problems(night(13))).toEqual([])
  await rm(to, { recursive: true })
  await writeFile(to, 'a file where the folder was')
  await expect(backUpWhenDue(night(13))).rejects.toThrow('no lugar da pasta há um arquivo')
  expect(await problems(night(13, '05:33'))).toEqual([])
  expect(await problems(night(13, '11:33'))).toEqual([
    {
      kind: 'backup',
      text: expect.stringMatching(
        /^O último backup completo é de 12\/03\/2031.*; o mais recente falhou: Não é possível gravar em/,
      ),
    },
  ])
  await rm(to)
  expect(await backUpWhenDue(night(13, '12:33'))).toMatchObject({ removed: { backups: 0 } })
  expect(await problems(night(13, '12:40'))).toEqual([])
  // The clock of other tests is that of today.
  await ctx.db.deleteFrom('backup_runs').execute()
})

test('a worker that stops ends it without a backup and without a failure', async () => {
  const to = folder()
  const night = withSettings({ BACKUP_TO: to }, '2031-05-10T04:33:00Z')
  const stopping = new AbortController()
  const locker = new Client({ connectionString: testApp.owner_url })
  await locker.connect()
  await locker.query('begin; lock table worker_processes in access exclusive mode')
  const ended = expect(backUpWhenDue(night, stopping.signal)).rejects.toThrow('o worker para')
  await expect
    .poll(() => readdir(to, { recursive: true }).catch(() => []), { timeout: 60_000 })
    .toContainEqual(expect.stringContaining('work_alarms.copy.gz'))
  stopping.abort(new Error('o worker para'))
  await ended
  await locker.query('rollback')
  await locker.end()
  expect(await readBackupRuns(ctx)).toEqual({ last: null, done: null, trial: null })
  expect(await run(['conferir-backup', '--de', to])).toMatchObject({ code: FAILED })
})

test('a damaged list of files removes nothing', async () => {
  const to = folder()
  const settings = { BACKUP_TO: to, BACKUP_KEEP: { days: 1, weeks: 0, months: 0 } }
  const first = await backUpWhenDue(
    withSettings({ ...settings, BACKUP_KEEP: { days: 9, weeks: 0, months: 0 } }, '2031-04-10T04:33:00Z'),
  )
  const second = await backUpWhenDue(
    withSettings({ ...settings, BACKUP_KEEP: { days: 9, weeks: 0, months: 0 } }, '2031-04-11T04:33:00Z'),
  )
  const list = join(to, 'backups', second?.contents.id ?? '', 'files.ndjson.gz')
  await chmod(list, 0o600)
  await writeFile(list, 'no list')
  const before = await filesUnder(to)
  const keeping = { ...settings, BACKUP_KEEP: { days: 2, weeks: 0, months: 0 } }
  await expect(backUpWhenDue(withSettings(keeping, '2031-04-12T04:33:00Z'))).rejects.toThrow()
  expect(await filesUnder(to)).toEqual(expect.arrayContaining(before))
  expect(first).not.toBeNull()
  await ctx.db.deleteFrom('backup_runs').execute()
})

test('provar-backup restores the newest one aside, compares it and leaves no database behind; doutor tells the age of both', async () => {
  const to = folder()
  const env = { ...PASSPHRASE, BACKUP_TO: to }
  const doctor = async (more: Record<string, string> = {}) =>
    (await run(['doutor'], { ...env, ...more })).out.split('\n').filter((line) => / backup: /.test(line))
  expect(await doctor({ BACKUP_TO: '' })).toEqual([
    expect.stringMatching(/^atenção .*nenhum foi feito, e nenhum está agendado/),
  ])
  expect(await doctor()).toEqual([expect.stringMatching(/^certo .*nenhum foi feito ainda/)])
  expect(await run(['backup'], env)).toMatchObject({ code: DONE, err: '' })
  expect(await doctor({ BACKUP_PASSPHRASE: '' })).toEqual([
    expect.stringMatching(/^certo .*o último completo é de/),
    expect.stringMatching(/^atenção .*sem os segredos/),
    expect.stringMatching(/^atenção .*no mesmo disco/),
    expect.stringMatching(/^certo .*nunca restaurado para prova; a próxima prova é no dia 1º/),
  ])
  const tried = await run(['provar-backup'], env)
  expect(tried).toMatchObject({ code: DONE, err: '' })
  expect(tried.out).toContain('pode ser restaurado')
  expect(await doctor()).toContainEqual(expect.stringMatching(/^certo .*restaurado para prova em/))
  const { id } = JSON.parse((await run(['backup', '--json'], env)).out) as { id: string }
  const path = join(to, 'backups', id, 'tables/service_orders.copy.gz')
  const whole = await readFile(path)
  whole[whole.length >> 1] = (whole[whole.length >> 1] ?? 0) ^ 1
  await chmod(path, 0o600)
  await writeFile(path, whole)
  expect(await run(['provar-backup'], env)).toMatchObject({ code: FAILED })
  expect(await doctor()).toContainEqual(expect.stringMatching(/^problema .*a prova de .* falhou/))
  const left = await sql<{
    n: number
  }>`select count(*)::int as n from pg_database where datname like 'garantia_prova_%'`.execute(ctx.db)
  expect(left.rows).toEqual([{ n: 0 }])
  expect((await readBackupRuns(ctx)).done?.backup_id).toBe(id)
})

test('a backup is made before a database is migrated, and one that fails keeps it as it is', async () => {
  await using machine = await bareMachine()
  const names = Object.keys(MIGRATIONS).sort()
  const pool = new Pool({ connectionString: machine.env.MIGRATION_DATABASE_URL })
  const lost = (error: Error) => expect.unreachable(error.message)
  pool.on('error', lost)
  pool.on('connect', (client) => client.on('error', lost))
  await migrateTo(pool, names.at(-2) ?? '')
  await pool.end()
  const migrations = async () => (await machine.rows('select name from kysely_migration')).length
  const log = openLog('silent', 'teste')
  const started = (BACKUP_TO: string) => {
    const config = readConfig({
      ...machine.env,
      DATABASE_URL: machine.env.MIGRATION_DATABASE_URL,
      SIGNING_KEY,
      DOSSIER_KEY,
      BACKUP_TO,
    })
    return prepareDatabase(config, log, () => backUpBeforeMigrating(config, log))
  }
  const occupied = join(folders, 'ocupado')
  await writeFile(occupied, '')
  await expect(started(occupied)).rejects.toThrow(
    /^O backup antes da migração falhou, e nada foi migrado: Não é possível gravar em .*ocupado: no lugar da pasta há um arquivo\./,
  )
  expect(await migrations()).toBe(names.length - 1)
  const to = folder()
  await started(to)
  expect(await migrations()).toBe(names.length)
  const [id = ''] = await readdir(join(to, 'backups'))
  const manifest = JSON.parse(await readFile(join(to, 'backups', id, 'manifest.json'), 'utf8'))
  expect(manifest.migrations).toEqual(names.slice(0, -1))
  // Nothing to migrate, nothing to copy.
  await started(to)
  expect(await readdir(join(to, 'backups'))).toEqual([id])
})

test('what a newer time knew is rescued after a database alone was restored, and nothing is deleted', async () => {
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

test('wrong options end with a sentence in Portuguese and exit code 2', async () => {
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
