import { chmod, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { DB } from '@garantia/migrations/schema'
import { diagnose } from '@garantia/server/features/system/diagnosis'
import { noteVerification } from '@garantia/server/features/system/verification'
import { openKernel, WORKER_LOCK_CLASS } from '@garantia/server/kernel'
import { type Kysely, type KyselyPlugin, sql } from 'kysely'
import pg from 'pg'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { idOfKey } from '../../server/src/features/records/dossier/keys.ts'
import { databaseFindings } from '../../server/src/features/system/diagnosis/database.ts'
import { startTestApp } from '../support/test-app.ts'
import { startTimeAuthority } from '../support/time-authority.ts'

const testApp = await startTestApp()
afterAll(() => testApp[Symbol.asyncDispose]())
const { ctx } = testApp.kernel

const found = async (subject: string, context = ctx) =>
  (await diagnose(context)).filter((finding) => finding.subject.startsWith(subject))
const withConfig = (config: Partial<typeof ctx.config>) => ({ ...ctx, config: { ...ctx.config, ...config } })

test('an installation in order: nothing but what is missing in a test, and nothing is left behind', async () => {
  const findings = await diagnose(ctx)
  expect(findings.filter(({ level }) => level === 'fault').map(({ subject }) => subject)).toEqual(['worker'])
  expect(findings.map(({ subject, text }) => `${subject}: ${text}`)).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^banco: PostgreSQL \d+\.\d+.*, [\d,]+ MB$/),
      expect.stringMatching(/^esquema: \d+ passos de migração, nenhum faltando$/),
      'trilha: a conta do banco em uso só acrescenta eventos e acessos: não altera nem apaga nenhum',
      expect.stringMatching(/^disco: .* livres de /),
      expect.stringMatching(/^arquivos: .* grava, lê e remove$/),
      'fila: 0 trabalhos esperam, 0 rodam',
    ]),
  )
  for (const { level, advice } of findings) expect(Boolean(advice)).toBe(level !== 'ok')
  const left = []
  for await (const { key } of ctx.storage.list()) left.push(key)
  expect(left).toEqual([])
})

test('workers are those that hold their lock, with what they decode with and how isolated they do it', async () => {
  const tools = JSON.stringify({ garantia: '0.1.0', ffmpeg: '7.1', sharp: '0.35.5', libvips: '8.18' })
  const row = { tools, host: 'oficina', isolation: 'isolated' }
  await ctx.db
    .insertInto('worker_processes')
    .values([
      { ...row, worker_id: 'a', lock_key: 11, pid: 71 },
      { ...row, worker_id: 'b', lock_key: 12, pid: 72 },
    ])
    .execute()
  const worker = new pg.Client({ connectionString: testApp.url })
  await worker.connect()
  onTestFinished(() => worker.end())
  await worker.query('select pg_advisory_lock($1::int, 11)', [WORKER_LOCK_CLASS])
  expect(await found('worker')).toEqual([
    {
      subject: 'worker 71 em oficina',
      level: 'ok',
      text: expect.stringMatching(
        /^desde .*; leitura de arquivos: processos isolados, sem rede e com limites; Garantia 0\.1\.0, ffmpeg 7\.1, /,
      ),
    },
  ])

  await ctx.db
    .updateTable('worker_processes')
    .set({ isolation: 'limited', tools: JSON.stringify({ ...JSON.parse(tools), ffmpeg: null }) })
    .where('pid', '=', 71)
    .execute()
  await worker.query('select pg_advisory_lock($1::int, 12)', [WORKER_LOCK_CLASS])
  expect((await found('worker')).map(({ subject, level, text }) => [subject, level, text])).toEqual([
    ['worker 71 em oficina', 'warning', expect.stringContaining('sem isolamento')],
    ['worker 71 em oficina', 'warning', 'sem ffmpeg: vídeos são recusados'],
    ['worker 72 em oficina', 'ok', expect.any(String)],
    ['worker', 'warning', 'os workers têm versões diferentes'],
  ])
  await worker.end()
  await expect.poll(() => found('worker')).toMatchObject([{ subject: 'worker', level: 'fault' }])
})

test('a queue that stands still, work that was given up and failed files are named with their command', async () => {
  const { id } = await testApp.make.evidence({ status: 'failed', error: 'ilegível' })
  await testApp.make.evidence({
    status: 'failed',
    error: 'ilegível',
    order_id: (await testApp.make.order({ status: 'completed' })).id,
  })
  await sql`select graphile_worker.add_job('convert-evidence', '{}', run_at => now() - interval '12 minutes'),
    graphile_worker.add_job('send-mail', '{}', run_at => now() + interval '1 hour')`.execute(ctx.db)
  await sql`select graphile_worker.permanently_fail_jobs(array_agg(id), 'sem resposta') from graphile_worker.jobs
    where task_identifier = 'send-mail'`.execute(ctx.db)
  expect(await found('fila')).toMatchObject([
    { level: 'fault', text: '1 trabalho espera, 0 rodam; o mais antigo espera há 12 min' },
    { level: 'warning', text: '1 trabalho esgotou as tentativas' },
  ])
  expect(await found('conversão')).toMatchObject([
    { text: '1 arquivo com erro em OS abertas', advice: 'npm run worker -- repetir --falhos' },
  ])
  await ctx.db
    .updateTable('evidence_files')
    .set({ status: 'pending', error: null })
    .where('id', '=', id)
    .execute()
  expect(await found('conversão')).toEqual([])
})

test('the schema of another version is told apart: older than the program, or newer', async () => {
  await sql`insert into kysely_migration (name, timestamp) values ('9999_amanha', '2030')`.execute(
    testApp.owner.db,
  )
  expect(await found('esquema')).toMatchObject([
    { level: 'fault', text: 'o banco é de uma versão mais nova do Garantia (9999_amanha)' },
  ])
  await sql`delete from kysely_migration where name = '9999_amanha'`.execute(testApp.owner.db)
  const { rows } = await sql`delete from kysely_migration where name = '0026_sign_in' returning *`.execute(
    testApp.owner.db,
  )
  expect(await found('esquema')).toMatchObject([
    { level: 'fault', text: 'falta 1 passo de migração (0026_sign_in)' },
  ])
  const [row] = rows as { name: string; timestamp: string }[]
  await sql`insert into kysely_migration values (${row?.name}, ${row?.timestamp})`.execute(testApp.owner.db)
})

test('a role that may change events is a point of attention, with what mends it', async () => {
  expect(await found('trilha', testApp.owner)).toMatchObject([
    { level: 'warning', advice: expect.stringContaining('MIGRATION_DATABASE_URL') },
  ])
})

test('a database that refuses writes and clocks that differ are named', async () => {
  const hour = 3_600_000
  expect(await found('relógio', { ...ctx, clock: () => new Date(Date.now() - hour) })).toMatchObject([
    { level: 'warning', text: expect.stringMatching(/ diferem 3\.60\d segundos$/) },
  ])
  const name = ctx.config.DATABASE_URL.split('/').at(-1) ?? ''
  await sql`alter database ${sql.id(name)} set default_transaction_read_only = on`.execute(testApp.owner.db)
  const other = await openKernel({ ...ctx.config, scratch_dir: join(testApp.dir, 'outro') }, ctx.log, {
    connections: 3,
  })
  try {
    expect(await found('banco', other.ctx)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ level: 'fault', text: 'só aceita leituras: nada pode ser gravado' }),
      ]),
    )
  } finally {
    await other.close()
    await sql`alter database ${sql.id(name)} reset default_transaction_read_only`.execute(testApp.owner.db)
  }
})

test('a database that answers late is named', async () => {
  const late: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      await wait(600)
      return result
    },
  }
  const db = (ctx.db as unknown as Kysely<DB>).withPlugin(late) as unknown as typeof ctx.db
  expect(await databaseFindings({ ...ctx, db })).toContainEqual({
    subject: 'banco',
    level: 'warning',
    text: expect.stringMatching(/^responde tarde: em [\d.]+ ms$/),
    advice: expect.stringContaining('consulta lenta'),
  })
})

test('a lock that others wait for is named with the session that holds it', async () => {
  const [holder, waiter] = [1, 2].map(() => new pg.Client({ connectionString: testApp.url }))
  if (!holder || !waiter) throw new Error('two sessions')
  await Promise.all([holder.connect(), waiter.connect()])
  try {
    const { rows } = await holder.query('select pg_backend_pid() as pid, pg_advisory_lock(4711)')
    const waiting = waiter.query('select pg_advisory_lock(4711)')
    await expect
      .poll(() => found('banco'))
      .toContainEqual({
        subject: 'banco',
        level: 'warning',
        text: `1 consulta espera há mais de 3 s por uma trava da sessão ${rows[0].pid}`,
        advice: expect.stringContaining(`pg_terminate_backend(${rows[0].pid})`),
      })
    await holder.query('select pg_advisory_unlock(4711)')
    await waiting
  } finally {
    await Promise.all([holder.end(), waiter.end()])
  }
})

test('a nearly full disk warns early, a full one is a fault', async () => {
  const withSpace = (free: number) => ({
    ...ctx,
    partialFiles: { ...ctx.partialFiles, space: async () => ({ free, total: 100_000_000_000 }) },
  })
  expect(await found('disco', withSpace(50_000_000_000))).toMatchObject([{ level: 'ok' }])
  expect(await found('disco', withSpace(9_000_000_000))).toMatchObject([{ level: 'warning' }])
  expect(await found('disco', withSpace(1_000_000_000))).toMatchObject([
    { level: 'fault', text: expect.stringContaining('envios são recusados') },
  ])
})

test('a storage that does not write and secrets that others may read are faults', async () => {
  const broken = { ...ctx.storage, moveIn: () => Promise.reject(new Error('somente leitura')) }
  expect(await found('arquivos', { ...ctx, storage: broken })).toMatchObject([
    { level: 'fault', text: 'não respondeu como esperado: somente leitura' },
  ])
  const secrets = join(ctx.config.data_dir, 'secrets.json')
  await writeFile(secrets, '{}')
  await chmod(secrets, 0o644)
  expect(await found('segredos')).toMatchObject([{ level: 'fault', advice: `chmod 600 ${secrets}` }])
  await chmod(secrets, 0o600)
  expect(await found('segredos')).toMatchObject([{ level: 'ok' }])
  await rm(secrets)
})

test('mail: none configured, one in order, and messages that wait', async () => {
  expect(await found('e-mail')).toMatchObject([{ level: 'warning', advice: 'defina SMTP_URL e MAIL_FROM' }])
  const configured = withConfig({ SMTP_URL: 'smtp://127.0.0.1:9' })
  expect(await found('e-mail', configured)).toMatchObject([{ level: 'ok' }])
  const mail = { recipient: 'ana@exemplo.com.br', subject: 'x', body: 'x', html: 'x', error: 'ESOCKET' }
  await ctx.db
    .insertInto('mails')
    .values({ ...mail, created_at: new Date(Date.now() - 1_200_000) })
    .execute()
  expect(await found('e-mail', configured)).toMatchObject([
    { level: 'fault', text: '1 mensagem não enviada há mais de 15 min: ESOCKET' },
  ])
})

test('what was never verified is said once it should have been, and so is what was verified long ago', async () => {
  const DAY = 86_400_000
  expect(await found('verificação')).toMatchObject([
    { level: 'ok', text: 'os arquivos ainda não; um worker confere todo domingo' },
    { level: 'ok', text: 'a trilha ainda não; um worker confere todo domingo' },
  ])
  const later = { ...ctx, clock: () => new Date(Date.now() + 10 * DAY) }
  expect(await found('verificação', later)).toMatchObject([
    { level: 'warning', advice: 'npm run worker -- verificar' },
    { level: 'warning', advice: 'npm run worker -- verificar-cadeia' },
  ])
  await noteVerification(ctx, { kind: 'storage', checked: 3, faults: 2, first_fault: 'órfão os/1/x' })
  await noteVerification(later, { kind: 'storage', checked: 3, faults: 0, first_fault: null })
  await noteVerification(ctx, { kind: 'trail', checked: 9, faults: 0, first_fault: null })
  expect(await found('verificação', later)).toMatchObject([
    { level: 'ok', text: expect.stringContaining(': 3 arquivos conferidos, nenhum problema') },
    { level: 'warning', text: expect.stringContaining(': 9 eventos da trilha conferidos, nenhum problema') },
  ])
})

test.each([
  ['plain HTTP beyond this machine', { HOST: '0.0.0.0', app_url: 'http://0.0.0.0:8000' }, 'sem criptografia'],
  [
    'a proxy on another machine that nobody named',
    { HOST: '0.0.0.0', app_url: 'https://garantia.exemplo', TRUSTED_PROXIES: ['loopback'] },
    'nenhum proxy fora desta máquina',
  ],
])('settings: %s', async (_, config, text) => {
  expect(await found('endereço', withConfig(config))).toMatchObject([
    { level: 'warning', text: expect.stringContaining(text) },
  ])
})

test('settings: a former key that is still accepted', async () => {
  expect((await found('chave')).filter(({ level }) => level !== 'ok')).toEqual([])
  const former = await found('chave', withConfig({ SIGNING_KEY_PREVIOUS: ['a'.repeat(64)] }))
  expect(former.filter(({ level }) => level === 'warning')).toMatchObject([{ subject: 'chave' }])
})

test('keys are named by their ids, and one that has signed dossiers but is not published is missed', async () => {
  expect(await found('chave dos')).toEqual([
    {
      subject: 'chave dos dossiês',
      level: 'ok',
      text: expect.stringMatching(/^assina com ([0-9a-f]{4} ?){8}$/),
    },
    {
      subject: 'chave dos eventos',
      level: 'ok',
      text: expect.stringMatching(/^autentica com [0-9a-f]{16}$/),
    },
  ])
  const lost = 'ab'.repeat(32)
  const { id } = await testApp.make.order()
  await ctx.db
    .insertInto('dossiers')
    .values({
      order_id: id,
      n: 1,
      actor_name: 'x',
      status: 'sealed',
      sealed_at: new Date(),
      manifest: '{}',
      signature: 'a'.repeat(128),
      key_id: idOfKey(lost),
    })
    .execute()
  const config = { DOSSIER_KEY_PREVIOUS: ['cd'.repeat(32)], SIGNING_KEY_RETIRED: ['ef'.repeat(32)] }
  expect(await found('chave dos', withConfig(config))).toMatchObject([
    { level: 'ok', text: expect.stringContaining('; 1 anterior para conferir') },
    { level: 'ok', text: expect.stringContaining('; 1 anterior para conferir') },
    { level: 'warning', text: expect.stringContaining('1 dossiê foi assinado pela chave') },
  ])
  expect(await found('chave dos d', withConfig({ DOSSIER_KEY_PREVIOUS: [lost] }))).toHaveLength(1)
})

test('the authority of time-stamps is named with how it is asked, whom the house trusts, and what waits', async () => {
  expect(await found('carimbo')).toMatchObject([
    { level: 'ok', text: expect.stringContaining('nenhuma autoridade') },
  ])
  const authority = await startTimeAuthority()
  onTestFinished(async () => {
    await authority.stop()
  })
  const asked = withConfig({
    TSA_URL: 'https://carimbo.exemplo/tsa',
    TSA_TOKEN: 'segredo',
    TSA_ROOTS: authority.roots,
  })
  expect(await found('carimbo', asked)).toEqual([
    {
      subject: 'carimbo de tempo',
      level: 'ok',
      text: 'carimbo.exemplo, com TSA_TOKEN; confia em Raiz de Teste; 0 dossiês carimbados',
    },
  ])
  const { id } = await ctx.db.selectFrom('dossiers').select('id').executeTakeFirstOrThrow()
  await ctx.db
    .insertInto('dossier_timestamps')
    .values({ dossier_id: id, error: 'carimbo.exemplo respondeu 503.' })
    .execute()
  expect(await found('carimbo', asked)).toMatchObject([
    { level: 'warning', text: expect.stringMatching(/; 1 espera: carimbo\.exemplo respondeu 503\.$/) },
  ])
  const empty = join(testApp.dir, 'vazio.pem')
  await writeFile(empty, '')
  expect(await found('carimbo', withConfig({ TSA_URL: 'https://a.b/', TSA_ROOTS: empty }))).toMatchObject([
    { level: 'fault', text: expect.stringContaining('vazio.pem não tem certificados') },
  ])
})
