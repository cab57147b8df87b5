import { fork } from 'node:child_process'
import { once } from 'node:events'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { insertClaims } from '../bench/claims-data.ts'
import { timedScenarios as claimScenarios } from '../bench/claims-scenarios.ts'
import { type FilledOrders, fillOrders } from '../bench/fill-orders.ts'
import { connect } from '../bench/load.ts'
import { comparable, timedScenarios as orderScenarios, type Scenario } from '../bench/orders-scenarios.ts'
import { startTestApp } from '../support/test-app.ts'

const ORDERS = 2_000
const testApp = await startTestApp({}, undefined, 'owner')
afterAll(() => testApp[Symbol.asyncDispose]())
const plain = new pg.Pool({ connectionString: testApp.url, max: 1 })
plain.on('error', () => undefined)
afterAll(() => plain.end())
let db: FilledOrders
beforeAll(async () => {
  db = await fillOrders(testApp, plain, ORDERS, () => undefined)
  await insertClaims(plain, ORDERS, () => undefined)
}, 120_000)

test.each([
  ['orders', orderScenarios],
  ['claims', claimScenarios],
] as const)(
  'the reference of the benchmark of %s answers as the product, from its own statements (goals P1 and P17)',
  async (name, scenariosOf) => {
    const child = fork(new URL(`../bench/reference/${name}.ts`, import.meta.url), {
      env: { ...process.env, DATABASE_URL: testApp.url },
    })
    try {
      const [{ url }] = await once(child, 'message')
      await compareAnswers(await scenariosOf(db), url)
    } finally {
      child.kill()
      await once(child, 'exit')
    }
  },
)

async function compareAnswers(scenarios: Scenario[], url: string) {
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
}
