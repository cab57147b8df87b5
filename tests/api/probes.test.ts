import { readFileSync } from 'node:fs'
import { rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildApp } from '@garantia/server/app'
import { tellAlarms } from '@garantia/server/features/system/alarms'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { openMetrics } from '../../server/src/api/metrics.ts'
import { startMailServer } from '../support/mail-server.ts'
import { startTestApp } from '../support/test-app.ts'

const DEPLOY = fileURLToPath(new URL('../../server/deploy', import.meta.url))
const testApp = await startTestApp()
afterAll(() => testApp[Symbol.asyncDispose]())
const { ctx, pool } = testApp.kernel
const KEPT_MS = 2_100

const boss = await testApp.as(await testApp.make.user({ is_superuser: true, email: 'chefe@exemplo.com.br' }))
const asBoss = { authorization: `Bearer ${boss.token}` }

async function readiness() {
  // What is asked more often is answered from memory.
  await new Promise((resolve) => setTimeout(resolve, KEPT_MS))
  const answer = await testApp.app.inject({ url: '/readyz', headers: asBoss })
  const { faults, problems } = answer.json<{ faults: string[]; problems: { kind: string; text: string }[] }>()
  return { status: answer.statusCode, faults, problems: problems.filter(({ kind }) => kind !== 'disk') }
}

test('/livez answers; /readyz names missing workers and a queue that is stuck for five minutes, and refuses without migrations, storage or database', async () => {
  expect((await testApp.app.inject('/livez')).json()).toEqual({ live: true })
  const workers = { kind: 'workers', text: expect.stringContaining('Nenhum worker em execução') }
  expect(await readiness()).toEqual({ status: 200, faults: [], problems: [workers] })

  const stuck = (minutes: number) =>
    sql`select graphile_worker.add_job('recheck-orders', '{"brand_id": 1}', job_key => 'parado',
      run_at => now() - make_interval(mins => ${minutes}))`.execute(ctx.db)
  // Photos are read when nothing else is to be done.
  await sql`select graphile_worker.add_job('read-evidence', '{"evidence_id": 1}', run_at => now() - interval '2 hours')`.execute(
    ctx.db,
  )
  await stuck(4)
  expect((await readiness()).problems).toEqual([workers])
  await stuck(6)
  expect((await readiness()).problems).toEqual([
    workers,
    { kind: 'queue', text: 'A fila está parada: 2 trabalhos esperam, o mais antigo há 6 min.' },
  ])

  await sql`delete from kysely_migration where name = '0064_operations'`.execute(testApp.owner.db)
  expect(await readiness()).toMatchObject({ status: 503, faults: ['O banco não está migrado.'] })
  const admin = await testApp.as(await testApp.make.user({ role: 'admin' }))
  for (const headers of [{}, { authorization: `Bearer ${admin.token}` }]) {
    const { statusCode, json } = await testApp.app.inject({ url: '/readyz', headers })
    expect([statusCode, json()]).toEqual([503, { ready: false }])
  }
  await sql`insert into kysely_migration (name, timestamp) values ('0064_operations', now()::text)`.execute(
    testApp.owner.db,
  )
  const tmp = join(testApp.dir, 'tmp')
  await rename(tmp, `${tmp}-fora`)
  await writeFile(tmp, 'no lugar da pasta')
  expect(await readiness()).toMatchObject({
    status: 503,
    faults: expect.arrayContaining(['O armazenamento de arquivos não grava.']),
  })
  await rm(tmp)
  await rename(`${tmp}-fora`, tmp)
  expect((await readiness()).status).toBe(200)
})

test('superusers are told by mail of what lasts five minutes, once, also without a worker', async () => {
  const mails = await startMailServer()
  await testApp.make.user({ email: 'outro@exemplo.com.br' })
  let now = new Date()
  const own = { ...ctx, clock: () => now, config: { ...ctx.config, SMTP_URL: mails.url } }
  expect(await tellAlarms(own)).toBe(0)
  now = new Date(now.getTime() + 301_000)
  expect(await tellAlarms(own)).toBe(1)
  expect(await tellAlarms(own)).toBe(0)
  const [mail] = await ctx.db.selectFrom('mails').selectAll().execute()
  expect(mail).toMatchObject({
    recipient: 'chefe@exemplo.com.br',
    body: expect.stringContaining('Nenhum worker'),
  })
  expect(mail?.sent_at).not.toBe(null)
  expect(mails.to('chefe@exemplo.com.br')).toHaveLength(1)
  await mails.stop()
})

test('a database whose disk is full is 507 in words to an order, one that only reads or takes too long 503', async () => {
  const boss = await testApp.as(await testApp.make.user({ is_superuser: true }))
  const order = await testApp.make.order()
  for (const [code, status, detail] of [
    ['53100', 507, 'Sem espaço em disco para gravar. Avise o administrador.'],
    [
      '25006',
      503,
      'O servidor não consegue gravar: a pasta de dados ou o banco só aceita leituras. Avise o administrador.',
    ],
    ['57014', 503, 'O banco de dados está demorando a responder. Tente novamente em instantes.'],
  ] as const) {
    await sql`create or replace function full_disk() returns trigger language plpgsql as
      ${sql.lit(`begin raise exception 'could not extend file' using errcode = '${code}'; end`)}`.execute(
      testApp.owner.db,
    )
    await sql`create or replace trigger full_disk before update on service_orders execute function full_disk()`.execute(
      testApp.owner.db,
    )
    const answer = await testApp.app.inject({
      method: 'PUT',
      url: `/api/v1/service-orders/${order.id}`,
      headers: { authorization: `Bearer ${boss.token}` },
      payload: { diagnosis: 'outro' },
    })
    expect([answer.statusCode, answer.json()]).toEqual([status, { detail }])
  }
  await sql`drop trigger full_disk on service_orders`.execute(testApp.owner.db)
})

test('a scrape has every metric of the dashboard and the alerts, with the values of this installation', async () => {
  const metrics = openMetrics(ctx, pool)
  const app = await buildApp(ctx, metrics.onAnswer)
  await app.inject('/livez')
  const { port, close } = await metrics.listen({ host: '127.0.0.1', port: 0 })
  const scraped = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(404)
  await close()
  await app.close()
  const value = (line: string) =>
    Number(
      scraped
        .split('\n')
        .find((one) => one.startsWith(`${line} `))
        ?.split(' ')
        .at(-1),
    )
  expect(value('garantia_up')).toBe(1)
  expect(value('garantia_workers')).toBe(0)
  expect(value('garantia_queue_oldest_seconds')).toBeGreaterThan(300)
  expect(value('garantia_disk_free_bytes')).toBeGreaterThan(0)
  expect(value('garantia_http_request_seconds_count{method="GET",route="/livez",status="200"}')).toBe(1)
  const dashboard = readFileSync(join(DEPLOY, 'grafana-dashboard.json'), 'utf8')
  const alerts = readFileSync(join(DEPLOY, 'prometheus-alerts.yaml'), 'utf8')
  const expressions = [
    ...JSON.parse(dashboard).panels.flatMap(({ targets }: { targets: { expr: string }[] }) =>
      targets.map(({ expr }) => expr),
    ),
    ...alerts.split('\n').filter((line) => line.trim().startsWith('expr:')),
  ].join('\n')
  const named = new Set(expressions.match(/\b(garantia|process|nodejs)_\w+/g))
  expect(named.size).toBeGreaterThan(12)
  const missing = [...named].filter((name) => {
    const metric = name.replace(/_(bucket|count)$/, '')
    return !scraped.includes(`# TYPE ${metric} `) && !scraped.includes(`# TYPE ${name} `)
  })
  expect(missing).toEqual([])
})
