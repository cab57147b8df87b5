import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fillOrders } from '../bench/fill-orders.ts'
import { connect } from '../bench/load.ts'
import { comparable, timedScenarios } from '../bench/orders-scenarios.ts'
import { startTestApp } from '../support/test-app.ts'

const REFERENCE = fileURLToPath(new URL('../bench/reference/orders.ts', import.meta.url))
const testApp = await startTestApp({}, undefined, 'owner')
afterAll(() => testApp[Symbol.asyncDispose]())
const plain = new pg.Pool({ connectionString: testApp.url, max: 1 })
plain.on('error', () => undefined)
afterAll(() => plain.end())
const child = fork(REFERENCE, { env: { ...process.env, DATABASE_URL: testApp.url } })
const ready = once(child, 'message')
afterAll(async () => {
  child.kill()
  await once(child, 'exit')
})
let scenarios: Awaited<ReturnType<typeof timedScenarios>>
beforeAll(async () => {
  scenarios = await timedScenarios(await fillOrders(testApp, plain, 2_000, () => undefined))
}, 120_000)

test('the reference of the benchmark of orders answers as the product, from its own statements (goal P1)', async () => {
  const [{ url }] = await ready
  const [product, reference] = [connect(await testApp.listen(), 1), connect(url, 1)]
  try {
    for (const { name, call, isReferenced } of scenarios) {
      const ours = comparable(call.path, (await product.ask(call)).body)
      if (isReferenced) expect(comparable(call.path, (await reference.ask(call)).body), name).toEqual(ours)
    }
  } finally {
    await product.close()
    await reference.close()
  }
})
