import { afterAll, expect, test } from 'vitest'
import { recordStatements } from '../support/statements.ts'
import { startTestApp } from '../support/test-app.ts'

const testApp = await startTestApp()
afterAll(() => testApp[Symbol.asyncDispose]())
const boss = await testApp.as(await testApp.make.user({ is_superuser: true }))
const matriz = await testApp.make.company()
const filial = await testApp.make.company({ parent_id: matriz.id })
const manager = await testApp.as(await testApp.make.user({ role: 'manager', company_id: matriz.id }))
const order = await testApp.make.order({ company_id: filial.id })
const paused = await testApp.make.order({ company_id: filial.id, status: 'pending' })
await testApp.make.evidence({ order_id: order.id })
await testApp.make.evidence({ order_id: paused.id })
const claim = await testApp.make.claim({ order, state: 'sent' })
await testApp.make.claim({ order: paused, state: 'rejected' })

const procedure = (name: string, input: unknown) =>
  `/trpc/${name}?input=${encodeURIComponent(JSON.stringify(input))}`
const list = `/evidence/${order.id}/evidence`
const report = `/evidence-conversion/${order.id}/conversion-report`

/**
 * The reading of the session is one of them. Each statement costs a call a third of a millisecond of both processors;
 * a greater number here needs a reason.
 */
test.each([
  ['/service-orders', 2],
  ['/service-orders?skip=1&limit=20&status=created,pending&sort=os_number', 2],
  ['/service-orders?sort=customer_name', 2],
  // The total tells from which end to read.
  ['/service-orders?skip=5000', 2],
  [`/service-orders?search=${order.os_number}`, 2],
  // One for page and cards, one for the files of the orders on the page.
  [procedure('orderList.page', { limit: 10 }), 3],
  [procedure('orderList.page', { status: 'created,pending', sort: 'os_number' }), 3],
  // Page and cards of one moment, in a transaction; no file has to be asked for.
  [procedure('orderList.page', { search: order.os_number }), 5],
  [`/service-orders/${order.id}`, 2],
  [procedure('orders.one', { id: order.id }), 2],
  [procedure('orders.one', { id: paused.id }), 4],
  // What its files make of it.
  [`/service-orders/${paused.id}`, 3],
  [`/service-orders/${order.id}/history`, 3],
  ['/claims', 2],
  ['/claims?skip=1&limit=1&sort=claimed', 2],
  ['/claims?skip=5000', 2],
  [`/claims?search=${order.os_number}`, 2],
  ['/claims?is_open=true&sort=sent_at', 2],
  [procedure('claimList.page', { is_unappealed: true }), 2],
  // One each for lines, sendings, answers and entries, whatever the number of claims.
  [`/claims/${claim.id}`, 7],
  [`/service-orders/${order.id}/claims`, 7],
  ['/users/me', 1],
  [procedure('account.me', null), 1],
  [procedure('live.address', { order_id: order.id }), 2],
  [list, 5],
  [report, 4],
  [procedure('evidence.list', { order_id: order.id }), 4],
  [procedure('conversion.report', { order_id: order.id }), 3],
])('GET %s sends no more than its number of statements: %i (goal P11)', async (path, statements) => {
  for (const who of [boss, manager]) {
    const url = path.startsWith('/trpc') ? path : `/api/v1${path}`
    const call = async () =>
      expect(
        (await testApp.app.inject({ url, headers: { authorization: `Bearer ${who.token}` } })).statusCode,
      ).toBe(200)
    // What it notes in the security log is written later, and once for both.
    await call()
    await testApp.kernel.ctx.securityLog.flush()
    const sent = (await recordStatements(testApp.kernel, call)).flat().map(({ text }) => text)
    expect(sent, sent.join('\n')).toHaveLength(statements)
  }
})

test.each([list, report])(
  'a poll that finds nothing new sends one besides the session: %s (D-24, goal P12)',
  async (path) => {
    const { etag } = (await boss.api('GET', path)).headers
    const sent = await recordStatements(testApp.kernel, async () => {
      expect((await boss.api('GET', path, undefined, { 'if-none-match': String(etag) })).statusCode).toBe(304)
    })
    expect(sent.flat()).toHaveLength(2)
  },
)
