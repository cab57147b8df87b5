import { openLog, recordEvent } from '@garantia/server/kernel'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { callProcedure } from '../api/procedures.ts'
import { startTestApp } from '../support/test-app.ts'
import { spawnWorker, stopProcess } from './process.ts'

const logged: string[] = []
const log = openLog('trace', 'servidor', { write: (line) => void logged.push(line) })
const testApp = await startTestApp({}, log)
afterAll(() => testApp[Symbol.asyncDispose]())
const { db } = testApp.kernel.ctx

const ORDERS = 60
const NAME = 'Leocádia Brandenburgo'
const CUSTOMER = {
  customer_name: NAME,
  customer_document: '52998224725',
  customer_phone: '11987650077',
  customer_email: 'leo@brandenburgo.exemplo.br',
}
const TRACE = /leoc.{1,6}dia|brandenburgo|529[.\s]?982[.\s]?247[-\s]?25|98765-?0077/i

/** A worker process, whose log is kept with that of the server. */
async function loggedWorker() {
  const worker = await spawnWorker(testApp, { LOG_LEVEL: 'trace' })
  worker.stdout?.on('data', (lines: Buffer) => logged.push(lines.toString()))
  return worker
}

/** What rows say of an order: whether it is noted as done, and the parts that name the customer, of the three that did. */
async function stateOf(request_id: number, id: number) {
  const { rows } = await sql<{ is_done: boolean; order: string; files: string; events: string }>`
    select ${id} = any (r.done_orders) as is_done, o::text as order,
      (select string_agg(f::text, '') from evidence_files f where order_id = o.id) as files,
      (select string_agg(e::text, '') from events e where subject = 'order' and subject_id = o.id) as events
    from service_orders o, privacy_requests r where o.id = ${id} and r.id = ${request_id}`.execute(db)
  const [row] = rows
  if (!row) throw new Error(`no order ${id}`)
  const { is_done, ...parts } = row
  const naming = Object.entries(parts).filter(([, text]) => TRACE.test(text))
  return { is_done, naming: naming.map(([part]) => part) }
}

test('a worker that is killed while it anonymises leaves each order either as it was or done, the next one finishes, and no log names the customer (D-85)', async () => {
  const boss = await testApp.as(await testApp.make.user({ is_superuser: true }))
  const closed = { status: 'cancelled', cancelled_at: new Date(), ...CUSTOMER } as const
  const ids: number[] = []
  for (let n = 0; n < ORDERS; n++) {
    const { id } = await testApp.make.order(closed)
    ids.push(id)
    await testApp.make.evidence({ order_id: id, original_filename: `rg ${NAME}.jpg` })
    await recordEvent(testApp.kernel.ctx, {
      subject: 'order',
      subject_id: id,
      kind: 'opened',
      changes: CUSTOMER,
    })
  }
  // Everything that a caller may say of a customer, in addresses and bodies, accepted and refused.
  for (const value of Object.values(CUSTOMER))
    await boss.api('GET', `/service-orders/?search=${encodeURIComponent(value)}`)
  await boss.api('GET', `/service-orders/export?format=csv&search=${encodeURIComponent(NAME)}`)
  await boss.api('PATCH', `/service-orders/${ids[0]}`, { ...CUSTOMER, customer_email: `${NAME}@` })
  await callProcedure(testApp, boss.token, 'orderList.page', { search: NAME })
  const subject = { by: 'document', value: CUSTOMER.customer_document }
  expect((await callProcedure(testApp, boss.token, 'privacy.find', subject)).data).toMatchObject({
    files: ORDERS,
  })

  const killed = await loggedWorker()
  const { data } = await callProcedure(testApp, boss.token, 'privacy.anonymise', {
    ...subject,
    confirmation: 'ANONIMIZAR',
  })
  const { id } = data as { id: number }
  const request = () =>
    db
      .selectFrom('privacy_requests')
      .where('id', '=', id)
      .select(['status', 'done_orders'])
      .executeTakeFirstOrThrow()
  await expect.poll(async () => (await request()).done_orders.length, { interval: 5 }).toBeGreaterThan(0)
  await stopProcess(killed, 'SIGKILL')
  const interrupted = await request()
  expect(interrupted.status).toBe('running')
  expect(interrupted.done_orders.length).toBeLessThan(ORDERS)
  for (const order_id of ids) {
    const { is_done, naming } = await stateOf(id, order_id)
    expect([order_id, naming]).toEqual([order_id, is_done ? [] : ['order', 'files', 'events']])
  }

  const helper = await loggedWorker()
  await expect.poll(async () => (await request()).status).toBe('done')
  expect(await stopProcess(helper, 'SIGTERM')).toBe(0)
  for (const order_id of ids) expect(await stateOf(id, order_id)).toEqual({ is_done: true, naming: [] })
  const { rows } = await sql<{ orders: number; events: number }>`
    select count(distinct subject_id)::int as orders, count(*)::int as events from events
    where kind = 'anonymised' and subject_id = any(${ids}::bigint[])`.execute(db)
  expect(rows).toEqual([{ orders: ORDERS, events: ORDERS }])

  const text = logged.join('')
  // The log of both is there.
  expect(text).toContain('/api/v1/service-orders')
  expect(text).toContain('anonymise-customer')
  expect(text.split('\n').filter((line) => TRACE.test(line) || TRACE.test(decoded(line)))).toEqual([])
})

/** With what addresses escape. */
const decoded = (line: string) =>
  line.replace(/(?:%[0-9A-Fa-f]{2})+/g, (part) => {
    try {
      return decodeURIComponent(part)
    } catch {
      return part
    }
  })
