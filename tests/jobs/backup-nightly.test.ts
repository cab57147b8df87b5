import { chmod, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  backUpBeforeMigrating,
  backUpWhenDue,
  isBackupRunning,
  readBackupRuns,
} from '@garantia/server/features/system/backup'
import { problemsOf, readWork } from '@garantia/server/features/system/work-state'
import { type Ctx, openLog, prepareDatabase, readConfig } from '@garantia/server/kernel'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { DOSSIER_KEY, filesUnder, SIGNING_KEY } from '../support/test-app.ts'
import {
  DONE,
  FAILED,
  holdLastTable,
  MIGRATION_NAMES,
  migrateToLastButOne,
  objectsIn,
  openBackupFixture,
  PASSPHRASE,
} from './backup-fixture.ts'

const fixture = await openBackupFixture()
const { testApp, ctx, folders, folder, run, bareMachine } = fixture
afterAll(() => fixture[Symbol.asyncDispose]())

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

test('a worker that stops ends it without a backup and without a failure', {
  tags: ['exhaustive'],
}, async () => {
  const to = folder()
  const night = withSettings({ BACKUP_TO: to }, '2031-05-10T04:33:00Z')
  const stopping = new AbortController()
  const held = await holdLastTable(testApp.owner_url)
  const ended = expect(backUpWhenDue(night, stopping.signal)).rejects.toThrow('o worker para')
  await expect
    .poll(() => readdir(to, { recursive: true }).catch(() => []))
    .toContainEqual(expect.stringContaining('work_alarms.copy.gz'))
  stopping.abort(new Error('o worker para'))
  await ended
  await held.release()
  expect(await readBackupRuns(ctx)).toEqual({ last: null, done: null, trial: null })
  expect(await run(['conferir-backup', '--de', to])).toMatchObject({ code: FAILED })
  // What it has left goes with the next one.
  const [left = ''] = await readdir(join(to, 'backups'))
  expect(await filesUnder(join(to, 'backups', left))).not.toEqual([])
  expect(await backUpWhenDue(withSettings({ BACKUP_TO: to }, '2031-05-11T04:33:00Z'))).not.toBeNull()
  expect(await filesUnder(join(to, 'backups', left))).toEqual([])
  await ctx.db.deleteFrom('backup_runs').execute()
})

test('none is begun while another runs, and one in another place is not that of the night', async () => {
  const [to, other] = [folder(), folder()]
  const night = withSettings({ BACKUP_TO: to }, '2031-06-10T04:33:00Z')
  const evening = withSettings({ BACKUP_TO: other }, '2031-06-09T23:33:00Z')
  const held = await holdLastTable(testApp.owner_url)
  const running = backUpWhenDue(evening)
  await expect.poll(() => isBackupRunning(ctx)).toBe(true)
  expect(await backUpWhenDue(night)).toBeNull()
  await held.release()
  expect(await running).not.toBeNull()
  expect(await isBackupRunning(ctx)).toBe(false)
  expect(await backUpWhenDue(night)).not.toBeNull()
  await ctx.db.deleteFrom('backup_runs').execute()
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

const trialDatabases = () =>
  sql<{ name: string }>`select datname as name from pg_database where datname like 'garantia_prova_%'`
    .execute(ctx.db)
    .then(({ rows }) => rows)

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
  expect(await trialDatabases()).toEqual([])
})

test('provar-backup of a damaged one fails and leaves no database behind either; doutor says so', {
  tags: ['exhaustive'],
}, async () => {
  const to = folder()
  const env = { ...PASSPHRASE, BACKUP_TO: to }
  const { id } = JSON.parse((await run(['backup', '--json'], env)).out) as { id: string }
  const path = join(to, 'backups', id, 'tables/service_orders.copy.gz')
  const whole = await readFile(path)
  whole[whole.length >> 1] = (whole[whole.length >> 1] ?? 0) ^ 1
  await chmod(path, 0o600)
  await writeFile(path, whole)
  expect(await run(['provar-backup'], env)).toMatchObject({ code: FAILED })
  expect((await run(['doutor'], env)).out).toMatch(/^problema .*a prova de .* falhou/m)
  expect(await trialDatabases()).toEqual([])
  expect((await readBackupRuns(ctx)).done?.backup_id).toBe(id)
})

test('a backup is made before a database is migrated, and one that fails keeps it as it is', async () => {
  await using machine = await bareMachine()
  await migrateToLastButOne(machine.env.MIGRATION_DATABASE_URL)
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
  expect(await migrations()).toBe(MIGRATION_NAMES.length - 1)
  const to = folder()
  await started(to)
  expect(await migrations()).toBe(MIGRATION_NAMES.length)
  const [id = ''] = await readdir(join(to, 'backups'))
  const manifest = JSON.parse(await readFile(join(to, 'backups', id, 'manifest.json'), 'utf8'))
  expect(manifest.migrations).toEqual(MIGRATION_NAMES.slice(0, -1))
  // Nothing to migrate, nothing to copy.
  await started(to)
  expect(await readdir(join(to, 'backups'))).toEqual([id])
})
