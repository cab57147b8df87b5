import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { saveRegister } from '@garantia/server/features/records/compliance'
import { verifyStorage } from '@garantia/server/features/records/integrity'
import { removeOldExports } from '@garantia/server/features/records/privacy'
import { recordEvent } from '@garantia/server/kernel'
import { REGISTER_TEMPLATE } from '@garantia/shared/privacy/register'
import type { PrivacyRequest } from '@garantia/shared/privacy/subject'
import { startWorker } from '@garantia/worker'
import { sql } from 'kysely'
import { extractText, getDocumentProxy } from 'unpdf'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { callProcedure } from '../api/procedures.ts'
import { type Caller, startTestApp, type TestApp } from '../support/test-app.ts'
import { claimNaming } from './claim-texts.ts'
import { operatorCommand, spawnWorker, stopProcess } from './process.ts'

const run = promisify(execFile)
const testApp = await startTestApp()
const { ctx } = testApp.kernel
const admin = await testApp.as(await testApp.make.user({ role: 'admin', full_name: 'Bia Gerente' }))
const colleague = await testApp.as(await testApp.make.user({ role: 'admin' }))
let worker: Awaited<ReturnType<typeof startWorker>>

const CUSTOMER = {
  customer_name: 'Rosalvo Etelvino Couto',
  customer_document: '52998224725',
  customer_phone: '11987650066',
  customer_email: 'rosalvo@couto.exemplo.br',
}
const TRACE = 'rosalvo|etelvino'
const SUBJECT = { by: 'document', value: '529.982.247-25' }
const original = randomBytes(5_000)
let order_id: number

beforeAll(async () => {
  const order = await testApp.make.order({
    os_number: '000901',
    technician_name: 'Zoroastro Pimenta',
    ...CUSTOMER,
  })
  order_id = order.id
  // Somebody else had the car before.
  await recordEvent(admin.ctx, {
    subject: 'order',
    subject_id: order_id,
    kind: 'changed',
    changes: { customer_name: ['Quitéria Vasques', CUSTOMER.customer_name] },
  })
  await testApp.make.converted(
    {
      order_id,
      original_filename: 'rg Rosalvo.jpg',
      description: 'Quitéria Vasques entregou, Bia Gerente viu',
    },
    original,
  )
  await callProcedure(testApp, admin.token, 'comments.add', { id: order_id, comment: 'Rosalvo Couto ligou' })
  await ctx.db
    .insertInto('mails')
    .values([
      { recipient: CUSTOMER.customer_email, subject: 'OS', html: '', body: `Olá, ${CUSTOMER.customer_name}` },
      { recipient: 'outro@exemplo.br', subject: 'Outra', html: '', body: 'Nada' },
    ])
    .execute()
  await saveRegister(admin.ctx, {
    version: 0,
    content: { ...REGISTER_TEMPLATE, controller: 'Auto Exemplo Ltda' },
  })
  await claimNaming(testApp, order_id, CUSTOMER.customer_name)
  worker = await startWorker(testApp.kernel)
})
afterAll(async () => {
  await worker.stop()
  await testApp[Symbol.asyncDispose]()
})

const call = (procedure: string, input?: unknown, who: Caller = admin, app: TestApp = testApp) =>
  callProcedure(app, who.token, procedure, input)
const newest = async (who: Caller = admin) =>
  ((await call('privacy.requests', undefined, who)).data as PrivacyRequest[])[0]
async function exported() {
  const { data } = await call('privacy.export', SUBJECT)
  const { id } = data as PrivacyRequest
  await expect.poll(async () => (await newest())?.status).toMatch(/done|failed/)
  const request = await newest()
  expect(request).toMatchObject({ id, kind: 'export', status: 'done', progress: 100 })
  return request as PrivacyRequest
}
const open = (url: string) => testApp.app.inject({ method: 'GET', url })
const addressOf = async (id: number, who: Caller = admin) =>
  ((await call('privacy.address', { id }, who)).data as { url: string }).url
async function unpacked(content: Buffer, name: string) {
  const dir = join(testApp.dir, '..', `${name}-${process.pid}`)
  await mkdir(dir)
  await writeFile(join(dir, 'titular.zip'), content)
  await run('unzip', ['-q', 'titular.zip'], { cwd: dir })
  return dir
}

/** Tables that have nothing of their own: sums of orders, queue of jobs, requests that are encrypted. */
const DERIVED = ['customer_days', 'customer_returns', 'order_deltas']
async function tablesWithTrace() {
  const { rows } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_type = 'BASE TABLE' and table_schema = 'public'`.execute(ctx.db)
  const found: string[] = []
  for (const { name } of rows) {
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n from ${sql.table(name)} t where t::text ~* ${TRACE}`.execute(ctx.db)
    if ((rows[0]?.n ?? 0) > 0) found.push(name)
  }
  return found
}

test('the archive has everything about the person and of nobody else, for who asked, until it expires (D-81)', async () => {
  const tables = await tablesWithTrace()
  expect(tables).toEqual(expect.arrayContaining(['service_orders', 'evidence_files', 'events', 'mails']))
  const { id, available_until } = await exported()
  const url = await addressOf(id)
  const answer = await open(url)
  expect(answer.statusCode).toBe(200)
  const dir = await unpacked(answer.rawPayload, 'titular')
  const cover = await extractText(
    await getDocumentProxy(new Uint8Array(await readFile(join(dir, 'resposta.pdf')))),
    { mergePages: true },
  )
  expect(cover.text).toMatch(/art\. 18, II .+ e V/)
  expect(cover.text).toContain('Controlador: Auto Exemplo Ltda.')
  expect(cover.text).toContain('OS 000901')
  for (const { name } of REGISTER_TEMPLATE.activities) expect(cover.text).toContain(name)
  const text = await readFile(join(dir, 'dados.json'), 'utf8')
  const { dados } = JSON.parse(text)
  expect(text).toBe(JSON.stringify(JSON.parse(text), null, 2))
  const missing = tables.filter((name) => !DERIVED.includes(name) && !(dados[name]?.length > 0))
  expect(missing).toEqual([])
  expect(dados).toMatchObject({
    service_orders: [{ ...CUSTOMER, technician_name: '[equipe]' }],
    evidence_files: [{ description: '[outra pessoa] entregou, [equipe] viu' }],
    claims: [{ note: `${CUSTOMER.customer_name} pediu` }],
    mails: [{ recipient: CUSTOMER.customer_email, body: `Olá, ${CUSTOMER.customer_name}` }],
  })
  expect(text).toContain('Rosalvo Couto ligou')
  expect(text).not.toMatch(/quit[ée]ria|vasques|zoroastro|bia gerente|outro@exemplo/i)
  const folder = join(dir, `os_000901_${order_id}`)
  const [file] = dados.evidence_files
  expect(await readFile(join(folder, 'originais', `${file.id}_rg Rosalvo.jpg`))).toHaveLength(file.file_size)
  expect(await readFile(join(folder, 'copias', `${file.id}_${file.converted_filename}`))).toHaveLength(
    file.converted_size,
  )
  await rm(dir, { recursive: true })

  // On record: an event of the order, the download, and the bell.
  await ctx.securityLog.flush()
  const noted = await ctx.db
    .selectFrom('security_log')
    .where('kind', 'in', ['subject.exported', 'subject.downloaded'])
    .where('order_id', '=', order_id)
    .select(['kind', 'actor_name'])
    .orderBy('id')
    .execute()
  // Each once within ten minutes, as every read.
  expect(noted).toEqual([
    { kind: 'subject.exported', actor_name: 'Bia Gerente' },
    { kind: 'subject.downloaded', actor_name: 'Bia Gerente' },
  ])
  const events = await ctx.db
    .selectFrom('events')
    .where('kind', '=', 'privacy.exported')
    .select(['subject_id', 'actor_name', 'changes'])
    .execute()
  expect(events).toEqual([{ subject_id: order_id, actor_name: 'Bia Gerente', changes: { request_id: id } }])
  const told = await ctx.db
    .selectFrom('notifications')
    .where('kind', '=', 'subject.ready')
    .selectAll()
    .execute()
  expect(told).toMatchObject([{ order_id, details: { text: '000901' } }])

  // Of nobody else, forged or expired.
  expect((await newest(colleague))?.is_downloadable).toBe(false)
  expect((await call('privacy.address', { id }, colleague)).status).toBe(404)
  expect((await open(url.replace(`/${id}/`, `/${id + 1}/`))).statusCode).toBe(404)
  const later = { ...ctx, clock: () => new Date(Date.parse(available_until ?? '')) }
  expect((await verifyStorage(later, { deep: false })).faults).toEqual([])
  expect(await removeOldExports(ctx)).toBe(0)
  expect(await removeOldExports(later)).toBe(1)
  expect((await open(url)).statusCode).toBe(404)
  expect(await newest()).toMatchObject({ status: 'done', is_downloadable: false, available_until: null })
})

test('who may not is refused, as is whom nothing is known of, and too many in an hour (D-81)', async () => {
  const manager = await testApp.as(await testApp.make.user({ role: 'manager' }))
  const status = async (input: object, who: Caller) =>
    (await call('privacy.export', input, who)).error?.data?.http_status
  expect(await status(SUBJECT, manager)).toBe(403)
  expect(await status({ by: 'phone', value: '11999990000' }, admin)).toBe(409)
  const person = await testApp.make.user({ role: 'admin' })
  const requested = { bucket: `subjects/person/${person.id}`, hits: 60, first_at: new Date() }
  await ctx.db.insertInto('attempts').values(requested).execute()
  expect(await status(SUBJECT, await testApp.as(person))).toBe(429)
})

test('the operator writes the same archive, after a look at what it would have (D-81)', async () => {
  const path = join(testApp.dir, 'titular.zip')
  const command = (...options: string[]) =>
    operatorCommand(testApp, ['lgpd-exportar', 'documento', CUSTOMER.customer_document, path, ...options])
  const look = await command('--simular')
  expect([look.code, look.out]).toEqual([0, expect.stringContaining('1 OS, 1 arquivo')])
  await expect(readFile(path)).rejects.toThrow()
  const done = await command()
  expect([done.code, done.out]).toEqual([0, expect.stringContaining(`Gravado em ${path}`)])
  const { stdout } = await run('unzip', ['-Z1', path])
  expect(stdout.split('\n').slice(0, 2)).toEqual(['resposta.pdf', 'dados.json'])
  const unknown = await operatorCommand(testApp, ['lgpd-exportar', 'email', 'a@b.co', path])
  expect(unknown.code).toBe(3)
})

test('anonymising the person removes the archive that was made before (D-81, D-85)', async () => {
  const boss = await testApp.as(await testApp.make.user({ is_superuser: true }))
  const url = await addressOf((await exported()).id)
  expect((await open(url)).statusCode).toBe(200)
  const confirmed = { ...SUBJECT, confirmation: 'ANONIMIZAR', reason: 'Pedido' }
  expect((await call('privacy.anonymise', confirmed, boss)).error).toBeUndefined()
  await expect.poll(async () => (await newest())?.status).toBe('done')
  expect((await open(url)).statusCode).toBe(404)
  const left: string[] = []
  for await (const { key } of ctx.storage.list('titulares')) left.push(key)
  expect(left).toEqual([])
})

test('a worker that is killed while it writes leaves nothing over, and the next one finishes (promise 1)', {
  tags: ['exhaustive'],
}, async () => {
  await using own = await startTestApp()
  const boss = await own.as(await own.make.user({ role: 'admin' }))
  const content = randomBytes(4_000_000)
  for (let n = 0; n < 12; n++) {
    const { id } = await own.make.order(CUSTOMER)
    for (let file = 0; file < 3; file++) await own.make.converted({ order_id: id }, content)
  }
  const killed = await spawnWorker(own)
  const { id } = (await call('privacy.export', SUBJECT, boss, own)).data as PrivacyRequest
  const state = () =>
    own.kernel.ctx.db
      .selectFrom('privacy_requests')
      .where('id', '=', id)
      .select(['status', 'done_orders', 'key'])
      .executeTakeFirstOrThrow()
  await expect.poll(async () => (await state()).done_orders.length, { interval: 5 }).toBeGreaterThan(0)
  await stopProcess(killed, 'SIGKILL')
  const before = await state()
  expect(before.status).toBe('running')
  const helper = await spawnWorker(own)
  await expect.poll(async () => (await state()).status).toBe('done')
  const { key } = await state()
  expect(key).not.toBe(before.key)
  const stored: string[] = []
  for await (const entry of own.kernel.ctx.storage.list('titulares')) stored.push(entry.key)
  expect(stored).toEqual([key])
  expect(await stopProcess(helper, 'SIGTERM')).toBe(0)
})
