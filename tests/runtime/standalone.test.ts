import { readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, expect, test } from 'vitest'
import type { ChildScript } from '../support/child-script.ts'
import { fakeProcesses, isListening } from '../support/fake-processes.ts'
import { runningPostgres } from '../support/postgres.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const folder = temporaryFolder('supervisor')
const place = await fakeProcesses(folder)
const running: ChildScript[] = []

function start(options?: Parameters<typeof place.start>[0]) {
  const product = place.start(options)
  running.push(product)
  return product
}

async function stop(product: ChildScript) {
  product.send('stop')
  expect(await product.ended).toBe(0)
}

function isAlive(pid: number) {
  try {
    return process.kill(pid, 0) && !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}
const gone = (...pids: number[]) => expect.poll(() => pids.filter(isAlive)).toEqual([])
const helper = () =>
  Number(
    place
      .lifecycleLog()
      .findLast((line) => line.includes('has helper'))
      ?.split(' ')[3],
  )

afterEach(() => rmSync(join(place.dir, 'tmp/diary'), { force: true }))
afterAll(async () => {
  for (const product of running) if (isAlive(product.pid)) await stop(product)
  rmSync(folder, { recursive: true, force: true })
})

test('starts database, server, worker, and stops them in reverse order', async () => {
  const product = start()
  const worker = await product.waitForMessage<number>('worker')
  const server = await product.waitForMessage<number>('server')
  await expect.poll(() => place.lifecycleLog()).toHaveLength(3)
  const child = helper()
  await stop(product)
  expect(place.lifecycleLog().filter((line) => !line.includes('helper'))).toEqual([
    'server starts with database',
    'worker starts with database',
    'worker stops with database',
    'server stops with database',
  ])
  await gone(worker, server, child)
  expect(await isListening(place.database_port())).toBe(false)
})

test('keeps everything in one folder, unreadable for other accounts', () => {
  const mode = (path: string) => statSync(join(place.dir, path)).mode & 0o777
  expect([mode('secrets.json'), mode('files'), mode('tmp'), mode('postgres')]).toEqual([
    0o600, 0o700, 0o700, 0o700,
  ])
  expect(JSON.parse(readFileSync(join(place.dir, 'secrets.json'), 'utf8')).signing_key).toMatch(
    /^[0-9a-f]{64}$/,
  )
})

test('restarts a killed worker, a killed server and a killed database', async () => {
  const product = start()
  const first = await product.waitForMessage<number>('worker')
  await expect.poll(() => place.lifecycleLog()).toHaveLength(3)
  const child = helper()
  process.kill(first, 'SIGKILL')
  await product.waitForMessage('worker', 2)
  await gone(first, child)

  process.kill(await product.waitForMessage<number>('server'), 'SIGKILL')
  await product.waitForMessage('server', 2)
  await expect.poll(() => isListening(place.port)).toBe(true)

  const pid = Number(readFileSync(join(place.dir, 'postgres/data/postmaster.pid'), 'utf8').split('\n')[0])
  process.kill(pid, 'SIGKILL')
  await expect
    .poll(() => product.all<string>('line').some((line) => line.startsWith('Banco de dados')))
    .toBe(true)
  await expect.poll(() => isListening(place.database_port())).toBe(true)
  expect(product.all('ready')).toHaveLength(1)
  await stop(product)
  expect(await isListening(place.database_port())).toBe(false)
})

test('after kill -9 of the supervisor its children end, and the next start adopts the database', async () => {
  const product = start()
  const pids = [
    await product.waitForMessage<number>('worker'),
    await product.waitForMessage<number>('server'),
  ]
  await expect.poll(() => place.lifecycleLog()).toHaveLength(3)
  await product.kill9()
  await gone(...pids)
  expect(await isListening(place.database_port())).toBe(true)
  const next = start()
  await next.waitForMessage('ready')
  await stop(next)
  expect(await isListening(place.database_port())).toBe(false)
})

test('ends processes that a killed worker and a killed supervisor left behind', {
  tags: ['exhaustive'],
}, async () => {
  const product = start()
  const worker = await product.waitForMessage<number>('worker')
  await expect.poll(() => place.lifecycleLog()).toHaveLength(3)
  const orphan = helper()
  process.kill(product.pid, 'SIGSTOP')
  process.kill(worker, 'SIGKILL')
  await product.kill9()
  expect(isAlive(orphan)).toBe(true)
  const next = start()
  await next.waitForMessage('ready')
  expect(isAlive(orphan)).toBe(false)
  await stop(next)
})

test('kills a worker that does not end in time', { tags: ['exhaustive'] }, async () => {
  const product = start({ ignoreSigtermIn: 'worker' })
  const worker = await product.waitForMessage<number>('worker')
  await expect.poll(() => place.lifecycleLog()).toHaveLength(3)
  await stop(product)
  expect(isAlive(worker)).toBe(false)
  expect(place.lifecycleLog()).toContain('worker does not want to stop')
})

test('reports that it runs already, or that the port is in use', async () => {
  const product = start()
  await product.waitForMessage('ready')
  const second = place.start()
  expect(await second.waitForMessage<string>('problem')).toMatch(
    /já está em execução nesta pasta \(processo \d+/,
  )
  await second.kill9()
  const elsewhere = place.start({ env: { DATA_DIR: join(folder, 'other') } })
  expect(await elsewhere.waitForMessage<string>('problem')).toMatch(
    /A porta \d+ de 127\.0\.0\.1 já está em uso/,
  )
  await elsewhere.kill9()
  await stop(product)
})

test('gives up on a server that cannot start', async () => {
  const product = start({ isServerCrashing: true })
  expect(await product.ended).toBe(1)
  expect(product.all('server')).toHaveLength(3)
  expect(await isListening(place.database_port())).toBe(false)
})

test('uses the PostgreSQL of DATABASE_URL, and reports why when it cannot', async () => {
  const { url } = runningPostgres()
  const env = { DATA_DIR: join(folder, 'external'), DATABASE_URL: url }
  const product = start({ env })
  await product.waitForMessage('worker')
  await stop(product)
  expect(() => statSync(join(folder, 'external/postgres'))).toThrow()

  const wrong = new URL(url)
  wrong.password = 'errada'
  const refused = place.start({ env: { ...env, DATABASE_URL: wrong.href } })
  expect(await refused.waitForMessage<string>('problem')).toMatch(
    /^O PostgreSQL recusou a senha: corrija .*password/,
  )
  await refused.kill9()
})
