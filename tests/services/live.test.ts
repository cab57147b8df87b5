import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { buildApp } from '@garantia/server/app'
import Fastify from 'fastify'
import { sql } from 'kysely'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { serveLive } from '../../server/src/api/live.ts'
import { openOrderNotifications } from '../../server/src/kernel/order-notifications.ts'
import { overLoopback } from '../support/postgres.ts'
import { startTestApp } from '../support/test-app.ts'

/** Longer than a connection of the notifications may take before it is tried again, on a busy machine. */
const TIMEOUT = { timeout: 25_000 }

const testApp = await startTestApp()
afterAll(() => testApp[Symbol.asyncDispose]())
const { ctx } = testApp.kernel
const url = await testApp.listen()
const boss = await testApp.as(await testApp.make.user({ is_superuser: true }))

const addressOf = async (order_id: number, { token } = boss) => {
  const answer = await testApp.app.inject({
    url: `/trpc/live.address?input=${encodeURIComponent(JSON.stringify({ order_id }))}`,
    headers: { authorization: `Bearer ${token}` },
  })
  return answer.json().result?.data.url as string
}

const orderOf = (id: number) =>
  ctx.db.selectFrom('service_orders').where('id', '=', id).selectAll().executeTakeFirstOrThrow()

/** Listens as a browser does; `heard` collects every message. */
async function listen(address: string, base = url) {
  const stopping = new AbortController()
  const answer = await fetch(base + address, { signal: stopping.signal })
  const heard: string[][] = []
  let isOver = false
  const reading = (async () => {
    let text = ''
    const decoder = new TextDecoder()
    for await (const chunk of answer.body ?? []) {
      text += decoder.decode(chunk, { stream: true })
      const messages = text.split('\n\n')
      text = messages.pop() ?? ''
      for (const message of messages)
        if (message.startsWith('data: ')) heard.push(JSON.parse(message.slice(6)))
    }
  })()
    .catch(() => undefined)
    .finally(() => {
      isOver = true
    })
  const leave = async () => {
    stopping.abort()
    await reading
  }
  // Also after a failure: a page that stays would tell the next test nothing of a connection that is open already.
  onTestFinished(leave)
  return { answer, heard, topics: () => [...new Set(heard.flat())].sort(), isOver: () => isOver, leave }
}
/** Once the database connection listens, every page gets a message. */
const ready = (one: { heard: string[][] }) => vi.waitFor(() => expect(one.heard).not.toEqual([]), TIMEOUT)
const listening = async () =>
  (
    await sql<{ pid: number }>`select pid from pg_stat_activity
      where datname = current_database() and query like 'listen order_news%'`.execute(ctx.db)
  ).rows

test('a page is notified of its own order only, immediately, with the kind of change', async () => {
  const [mine, other] = [await testApp.make.evidence(), await testApp.make.evidence()]
  const page = await listen(await addressOf(mine.order_id))
  expect(page.answer.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
  expect(page.answer.headers.get('cache-control')).toBe('no-store')
  await ready(page)
  page.heard.length = 0
  const progress = (id: number, percent: number) =>
    ctx.db.updateTable('evidence_files').set({ progress: percent }).where('id', '=', id).execute()
  await progress(other.id, 40)
  const before = Date.now()
  await progress(mine.id, 40)
  await vi.waitFor(() => expect(page.heard).toEqual([['evidence']]), TIMEOUT)
  expect(Date.now() - before).toBeLessThan(5_000)
  page.heard.length = 0
  await ctx.db.updateTable('service_orders').set({ version: 2 }).where('id', '=', mine.order_id).execute()
  await testApp.make.dossier(mine.order_id)
  await vi.waitFor(() => expect(page.topics()).toEqual(['dossier', 'order']), TIMEOUT)
  page.heard.length = 0
  // Its lines and what is paid of them change the sums of the claim.
  await testApp.make.claim({ order: await orderOf(mine.order_id) })
  await vi.waitFor(() => expect(page.topics()).toEqual(['claims']), TIMEOUT)
  await page.leave()
})

test('a burst of changes is few messages, and a rollback is none', async () => {
  const { id, order_id } = await testApp.make.evidence()
  const page = await listen(await addressOf(order_id))
  await ready(page)
  page.heard.length = 0
  for (let n = 0; n < 50; n++)
    await ctx.db.updateTable('evidence_files').set({ progress: n }).where('id', '=', id).execute()
  await vi.waitFor(() => expect(page.topics()).toEqual(['evidence']), TIMEOUT)
  await wait(400)
  expect(page.heard.length).toBeLessThan(25)
  page.heard.length = 0
  await ctx.db
    .transaction()
    .execute(async (db) => {
      await db.updateTable('evidence_files').set({ progress: 99 }).where('id', '=', id).execute()
      throw new Error('não')
    })
    .catch(() => undefined)
  await wait(500)
  expect(page.heard).toEqual([])
  await page.leave()
})

test('many pages share one connection, which closes with the last page', async () => {
  const { id } = await testApp.make.order()
  await vi.waitFor(async () => expect(await listening()).toHaveLength(0), TIMEOUT)
  const pages = await Promise.all(Array.from({ length: 30 }, async () => listen(await addressOf(id))))
  await ready(pages[0] ?? { heard: [] })
  expect(await listening()).toHaveLength(1)
  await ctx.db.updateTable('service_orders').set({ version: 2 }).where('id', '=', id).execute()
  await vi.waitFor(() => expect(pages.every((page) => page.topics().includes('order'))).toBe(true), TIMEOUT)
  await Promise.all(pages.map((page) => page.leave()))
  await vi.waitFor(async () => expect(await listening()).toHaveLength(0), TIMEOUT)
})

test('a lost database connection is reopened, and the pages are notified that they may have missed changes', async () => {
  const { id } = await testApp.make.order()
  const page = await listen(await addressOf(id))
  await ready(page)
  page.heard.length = 0
  const [{ pid } = { pid: 0 }] = await listening()
  await sql`select pg_terminate_backend(${pid})`.execute(ctx.db)
  await vi.waitFor(() => expect(page.heard).toEqual([['resumed']]), TIMEOUT)
  page.heard.length = 0
  await ctx.db.updateTable('service_orders').set({ version: 3 }).where('id', '=', id).execute()
  await vi.waitFor(() => expect(page.heard).toEqual([['order']]), TIMEOUT)
  await page.leave()
})

test('a database connection that the other side never closes keeps no page waiting', async () => {
  const through = overLoopback(testApp.url)
  const { hostname, port } = through
  const sockets = new Set<Socket>()
  const proxy = createServer({ allowHalfOpen: true }, (page) => {
    const database = connect(Number(port), hostname)
    for (const socket of [page, database]) sockets.add(socket.on('error', () => undefined))
    page.on('data', (bytes) => database.write(bytes))
    database.on('data', (bytes) => page.write(bytes))
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  through.port = String((proxy.address() as AddressInfo).port)
  const notifications = openOrderNotifications(through.href, ctx.log)
  for (let visit = 0; visit < 2; visit++) {
    let leave = () => {}
    await new Promise<void>((resolve) => {
      leave = notifications.subscribe(1, () => resolve())
    })
    leave()
  }
  await notifications.close()
  for (const socket of sockets) socket.destroy()
  proxy.close()
})

test('only users who see the order get the address, which works for that order alone (D-39)', async () => {
  const [order, other] = [await testApp.make.order(), await testApp.make.order()]
  const otherCompanyUser = await testApp.as(await testApp.make.user())
  expect(await addressOf(order.id, otherCompanyUser)).toBeUndefined()
  const address = await addressOf(order.id)
  for (const forged of [
    address.replace(`/live/${order.id}/`, `/live/${other.id}/`),
    `/live/${order.id}/x.y`,
    '/live/abc/x',
    address.slice(0, -2),
  ])
    expect((await fetch(url + forged)).status).toBe(404)
  ctx.clock = () => new Date(Date.now() + 61 * 60_000)
  expect((await fetch(url + address)).status).toBe(404)
  ctx.clock = () => new Date()
})

test('a server that stops ends its streams instead of waiting for them', async () => {
  const { id } = await testApp.make.order()
  const app = await buildApp(ctx)
  const base = await app.listen({ host: '127.0.0.1', port: 0 })
  const page = await listen(await addressOf(id), base)
  await ready(page)
  const before = Date.now()
  await app.close()
  expect(Date.now() - before).toBeLessThan(10_000)
  await vi.waitFor(() => expect(page.isOver()).toBe(true), TIMEOUT)
})

test('one address opens fifty streams; the next one is told to wait', async () => {
  const { order_id } = await testApp.make.evidence()
  const somebody = await testApp.as(await testApp.make.user({ is_superuser: true }))
  const address = await addressOf(order_id, somebody)
  const pages = await Promise.all(Array.from({ length: 50 }, () => listen(address)))
  expect(pages.map(({ answer }) => answer.status)).toEqual(Array(50).fill(200))
  const refused = await fetch(url + address)
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '30'])
  const another = await listen(await addressOf(order_id))
  expect(another.answer.status).toBe(200)
  await Promise.all([...pages, another].map((page) => page.leave()))
  await vi.waitFor(async () => {
    const again = await listen(address)
    await again.leave()
    expect(again.answer.status).toBe(200)
  }, TIMEOUT)
})

test('one order has two hundred streams, whoever listens; the next person is told to wait, not who opens another order', async () => {
  const { order_id } = await testApp.make.evidence()
  const { order_id: another } = await testApp.make.evidence()
  const superuser = async () => testApp.as(await testApp.make.user({ is_superuser: true }))
  const fifty = async () => {
    const address = await addressOf(order_id, await superuser())
    return Promise.all(Array.from({ length: 50 }, () => listen(address)))
  }
  const pages = (await Promise.all([fifty(), fifty(), fifty(), fifty()])).flat()
  expect(pages.map(({ answer }) => answer.status)).toEqual(Array(200).fill(200))
  const late = await superuser()
  const refused = await fetch(url + (await addressOf(order_id, late)))
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '30'])
  const elsewhere = await listen(await addressOf(another, late))
  expect(elsewhere.answer.status).toBe(200)
  await Promise.all([...pages, elsewhere].map((page) => page.leave()))
})

test('a deactivated person gets no stream and no picture, and a stream that is open ends', async () => {
  const { order_id, id } = await testApp.make.converted()
  const person = await testApp.make.user({ is_superuser: true })
  const caller = await testApp.as(person)
  const address = await addressOf(order_id, caller)
  const files = (await caller.api('GET', `/evidence/${order_id}/evidence`)).json().evidence_files
  const picture: string = files.find((file: { id: number }) => file.id === id).converted_url
  const app = Fastify()
  let isActive = true
  const people = { epochOf: async () => (isActive ? 0 : null) }
  serveLive(app, { ...ctx, activePeople: people }, 50)
  const base = await app.listen({ host: '127.0.0.1', port: 0 })
  const page = await listen(address, base)
  await testApp.kernel.ctx.db
    .updateTable('users')
    .set({ is_active: false })
    .where('id', '=', person.id)
    .execute()
  expect(page.isOver()).toBe(false)
  isActive = false
  await vi.waitFor(() => expect(page.isOver()).toBe(true), TIMEOUT)
  expect((await fetch(url + address)).status).toBe(404)
  expect((await fetch(url + picture)).status).toBe(404)
  await page.leave()
  await app.close()
})
