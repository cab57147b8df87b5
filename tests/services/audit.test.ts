import type { AuditEvent, AuditFilter, AuditNames } from '@garantia/shared/audit/schema'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { callProcedure } from '../api/procedures.ts'
import { cnpj } from '../support/make.ts'
import { PASSWORD, startTestApp } from '../support/test-app.ts'

const testApp = await startTestApp()
afterAll(() => testApp[Symbol.asyncDispose]())
const { db } = testApp.kernel.ctx
const root = await testApp.as(await testApp.make.user({ is_superuser: true, full_name: 'Raiz' }))

interface AuditPage {
  events: AuditEvent[]
  names: AuditNames
  next_cursor: number | null
}
const read = async (filter: AuditFilter) =>
  (await callProcedure(testApp, root.token, 'audit.list', filter)).data as AuditPage
const about = async (subject: AuditEvent['subject'], subject_id: number) =>
  (await read({ subject, limit: 100 })).events.filter((one) => one.subject_id === subject_id)

test('a sign-in is in the audit trail with its address and browser, a failed one too', async () => {
  const ana = await testApp.make.user({ full_name: 'Ana Lima' })
  const headers = { 'user-agent': 'Firefox' }
  for (const password of ['errada', PASSWORD])
    await testApp.anonymous.api('POST', '/login/access-token', { username: ana.email, password }, headers)
  const origin = { ip: '127.0.0.1', user_agent: 'Firefox', subject_name: 'Ana Lima' }
  expect(await about('user', ana.id)).toMatchObject([
    { kind: 'signed_in', ...origin },
    { kind: 'sign_in.failed', ...origin },
  ])
})

test('a change records who made it and the previous value; a password is never recorded', async () => {
  const company = await testApp.make.company()
  const bia = await testApp.make.user({ role: 'manager', company_id: company.id })
  const { statusCode } = await root.api('PATCH', `/users/${bia.id}`, {
    department: 'Garantia',
    password: 'uma-senha-nova',
  })
  expect(statusCode).toBe(200)
  const [event] = await about('user', bia.id)
  expect(event).toMatchObject({
    kind: 'changed',
    actor_name: 'Raiz',
    changes: { department: [null, 'Garantia'], password: 'nova' },
  })
  expect(JSON.stringify(event)).not.toMatch(/uma-senha-nova|argon|scrypt/)
})

test('events of deleted rows stay without a name, and events of deleted users keep the id (D-40)', async () => {
  const enterprise = { trading_name: 'Nova', legal_name: 'Nova Ltda', tax_id: cnpj(), type: 'matriz' }
  const { id } = (await root.api('POST', '/companies', enterprise)).json()
  await root.api('PATCH', `/companies/${id}`, { city: 'Santos' })
  await root.api('DELETE', `/companies/${id}`)
  expect((await about('company', id)).map(({ kind, subject_name }) => [kind, subject_name])).toEqual([
    ['deleted', null],
    ['changed', null],
    ['created', null],
  ])
  const caio = await testApp.make.user()
  await (await testApp.as(caio)).api('DELETE', '/users/me')
  expect(await about('user', caio.id)).toMatchObject([{ kind: 'left' }])
})

test('pages follow each other without a gap, and orders stay in their own history', async () => {
  const order = await testApp.make.order()
  await sql`insert into events (subject, subject_id, kind, actor_name)
    select 'order', ${order.id}, 'changed', 'x' from generate_series(1, 50)`.execute(db)
  const ids: number[] = []
  let cursor: number | null = null
  do {
    const page: AuditPage = await read({ cursor, limit: 3 })
    ids.push(...page.events.map(({ id }) => id))
    cursor = page.next_cursor
  } while (cursor !== null)
  const rows = await db
    .selectFrom('events')
    .where('subject', '!=', 'order')
    .select('id')
    .orderBy('id', 'desc')
    .execute()
  expect(ids).toEqual(rows.map(({ id }) => id))
})

test('it is read by its own index, however many events orders have', async () => {
  const { rows } = await sql<{ 'QUERY PLAN': string }>`explain select * from events
    where subject = 'company' and subject <> 'order' order by id desc limit 26`.execute(db)
  expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain('events_audit')
})

test('an unknown subject is refused', async () => {
  const answer = await callProcedure(testApp, root.token, 'audit.list', { subject: 'order' })
  expect(answer.status).toBe(422)
})

test('what changes refer to by id has its present name', async () => {
  const [old, matriz] = [
    await testApp.make.company({ trading_name: 'Auto Norte' }),
    await testApp.make.company(),
  ]
  const brand = await testApp.make.brand({ display_name: 'Marca Citada' })
  const lead = await testApp.make.user({ role: 'manager', company_id: matriz.id, full_name: 'Lia Líder' })
  const person = await testApp.make.user({ company_id: old.id })
  const change = { company_id: matriz.id, manager_id: lead.id }
  expect((await root.api('PATCH', `/users/${person.id}`, change)).statusCode).toBe(200)
  expect((await root.api('PATCH', `/companies/${old.id}`, { brand_ids: [brand.id] })).statusCode).toBe(200)
  const filter = `brand_id=${brand.id}&responsible=me,${lead.id}&format=csv`
  expect((await root.api('GET', `/service-orders/export?${filter}`)).statusCode).toBe(200)
  const exported = (await read({ limit: 1 })).names
  expect(exported).toEqual({ [`brand:${brand.id}`]: 'Marca Citada', [`user:${lead.id}`]: 'Lia Líder' })
  const { names } = await read({ limit: 6 })
  expect(names).toMatchObject({
    [`company:${old.id}`]: 'Auto Norte',
    [`company:${matriz.id}`]: matriz.trading_name,
    [`user:${lead.id}`]: 'Lia Líder',
    [`brand:${brand.id}`]: 'Marca Citada',
  })
})
