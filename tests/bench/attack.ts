/**
 * What a clerk waits while others attack: npm run bench -- attack. A product of its own; sign-in
 * floods, slow sockets, event streams, uploads and dossiers without end come from a second process of lower
 * priority, as if from other machines.
 */
import { fork } from 'node:child_process'
import { readFile, rm } from 'node:fs/promises'
import { loadavg } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { photo } from '../support/media.ts'
import { startProduct } from '../support/product.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import type { AttackTarget } from './attackers.ts'
import { isQuick, options } from './options.ts'
import { record } from './record.ts'
import { quantile, table } from './support.ts'

const SECONDS = isQuick ? 5 : 20 * (options.rounds ?? 3)
const ORDERS = 200
/** Calls over it are named: the goal of the clerk. */
const MOST_CLERK_MS = 500
/** A clerk who works fast: four calls a second. */
const CALL_EVERY_MS = 250
const SIGN_IN_EVERY_MS = 3_000
const ATTACKERS = fileURLToPath(new URL('./attackers.ts', import.meta.url))

const product = await startProduct()
const { url, firstSuperuser } = product
const dir = temporaryFolder('ataque')

/** A call from the clerk's or another network. */
async function call(
  token: string,
  method: string,
  path: string,
  body?: BodyInit | object,
  from = '203.0.113.7',
) {
  const isForm = body instanceof FormData || body instanceof URLSearchParams
  const answer = await fetch(`${url}${path}`, {
    method,
    headers: {
      'x-forwarded-for': from,
      ...(token && { authorization: `Bearer ${token}` }),
      ...(body && !isForm && { 'content-type': 'application/json' }),
    },
    ...(body && { body: isForm ? body : JSON.stringify(body) }),
  })
  const text = await answer.text()
  if (answer.status >= 400) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
  return JSON.parse(text || 'null')
}
const signIn = async ({ email: username, password }: { email: string; password: string }, from?: string) =>
  (await call('', 'POST', '/api/v1/login/access-token', new URLSearchParams({ username, password }), from))
    .access_token as string

/** Orders of one company, its clerk and its technician, who attacks; the first order has a converted photo. */
async function prepare() {
  const boss = await signIn(firstSuperuser)
  const api = (method: string, path: string, body?: BodyInit | object) =>
    call(boss, method, `/api/v1${path}`, body)
  await api('POST', '/brands/initialize')
  const brand_id = (await api('GET', '/brands')).data[0].id
  const company_id = (await api('GET', '/companies')).data[0].id
  const orders: number[] = []
  for (let n = 0; n < ORDERS; n++) {
    const order = { os_number: String(100_000 + n), brand_id, company_id, customer_name: `Cliente ${n}` }
    orders.push((await api('POST', '/service-orders', order)).id)
  }
  const person = async (role: string, manager_id?: number) => {
    const known = { email: `${role}@garantia.test`, password: 'quatro-pneus-novos-e-um-filtro' }
    const { id } = await api('POST', '/users', {
      ...known,
      full_name: `Pessoa ${role}`,
      role,
      company_id,
      manager_id,
    })
    return { ...known, id: id as number }
  }
  const clerk = await person('manager')
  const technician = await person('technician', clerk.id)
  const [first = 0] = orders
  const form = new FormData()
  form.append('files', new Blob([await readFile(await photo(dir, { name: 'placa' }))]), 'placa.jpg')
  await api('POST', `/evidence/${first}/upload`, form)
  await api('POST', `/evidence-conversion/${first}/convert-all`)
  for (;;) {
    const { evidence_files } = await api('GET', `/evidence/${first}/evidence`)
    if (evidence_files.every(({ status }: { status: string }) => status === 'converted')) break
    await sleep(200)
  }
  return { orders, clerk, technician }
}

const { orders, clerk, technician } = await prepare()
const token = await signIn(clerk)
const query = (path: string, input: object) =>
  call(token, 'GET', `/trpc/${path}?input=${encodeURIComponent(JSON.stringify(input))}`)
let turn = 0
const order = () => orders[turn % orders.length] ?? 0
const WORK: Record<string, () => Promise<unknown>> = {
  list: () => query('orderList.page', { skip: (turn % 10) * 10, limit: 10 }),
  detail: () =>
    Promise.all([query('orders.one', { id: order() }), query('evidence.list', { order_id: order() })]),
  write: () =>
    call(token, 'PATCH', `/api/v1/service-orders/${order()}`, { diagnosis: `Visto pela ${turn}ª vez` }),
}

/** The clerk's waits by kind of work, and those of sign-ins from a network of their own, in ms. */
async function measure(seconds: number) {
  const waits: Record<string, number[]> = { list: [], detail: [], write: [], 'sign-in': [] }
  const failures: string[] = []
  /** Calls over the goal, by when they began. */
  const slow: string[] = []
  const began = performance.now()
  const running: Promise<void>[] = []
  const time = async (kind: string, work: () => Promise<unknown>) => {
    const start = performance.now()
    await work().catch((error: Error) => failures.push(`${kind}: ${error.message}`))
    const ms = performance.now() - start
    waits[kind]?.push(ms)
    if (ms > MOST_CLERK_MS)
      slow.push(`${kind} ${((start - began) / 1_000).toFixed(1)} s: ${Math.round(ms)} ms`)
  }
  const kinds = Object.entries(WORK)
  const until = performance.now() + seconds * 1_000
  let nextSignIn = performance.now() + SIGN_IN_EVERY_MS / 2
  // At a steady pace, however long an answer takes: who waits for it would ask less of a slow server.
  for (let next = performance.now(); next < until; next += CALL_EVERY_MS) {
    await sleep(Math.max(0, next - performance.now()))
    turn++
    const [kind = '', work = async () => undefined] = kinds[turn % kinds.length] ?? []
    running.push(time(kind, work))
    if (performance.now() < nextSignIn) continue
    nextSignIn += SIGN_IN_EVERY_MS
    running.push(time('sign-in', () => signIn(firstSuperuser, '192.0.2.44')))
  }
  await Promise.all(running)
  return { waits, failures, slow }
}

const report = (title: string, waits: Record<string, number[]>) => {
  console.log(`\n${title}`)
  table(
    ['', 'calls', 'p50 ms', 'p99 ms', 'max ms'],
    Object.entries(waits).map(([kind, ms]) => [
      kind,
      ms.length,
      quantile(ms, 0.5),
      quantile(ms, 0.99),
      Math.max(...ms),
    ]),
  )
}

console.log(`load ${loadavg()[0]?.toFixed(1)} before, ${SECONDS} s`)
report('in peace', (await measure(Math.min(15, SECONDS))).waits)

const target: AttackTarget = { url, orders, technician: await signIn(technician, '198.51.100.9') }
const attackers = fork(ATTACKERS, [JSON.stringify(target)], {
  stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
})
await new Promise((resolve) => attackers.once('message', resolve))
const { waits, failures, slow } = await measure(SECONDS)
const counted = new Promise<Record<string, number>>((resolve) =>
  attackers.once('message', (counts) => resolve(counts as Record<string, number>)),
)
attackers.send('stop')
const counts = await counted
report('under attack', waits)
table(['what the attackers got', 'answers'], Object.entries(counts))
console.log(`\nload ${loadavg()[0]?.toFixed(1)} at the end`)
if (slow.length > 0) console.log(`over ${MOST_CLERK_MS} ms: ${slow.join(', ')}`)
for (const failure of failures.slice(0, 10)) console.log(failure)
const ofClerk = Object.keys(WORK).flatMap((kind) => waits[kind] ?? [])
const p99 = quantile(ofClerk, 0.99)
const signInMax = Math.max(...(waits['sign-in'] ?? []))
record(
  { name: 'attack, clerk p99', unit: 'ms', product: p99 },
  { name: 'attack, sign-in', unit: 'ms', product: signInMax },
  { name: 'attack, failures', unit: '', product: failures.length },
)
await product.stop()
await rm(dir, { recursive: true, force: true })
process.exit(failures.length === 0 ? 0 : 1)
