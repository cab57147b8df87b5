import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { type PostgresOptions, type RunningPostgres, startPostgres } from '@garantia/server/postgres'
import { Client } from 'pg'
import { afterAll, expect, test } from 'vitest'
import { runChildScript } from '../support/child-script.ts'
import { START_POSTGRES } from '../support/start-postgres.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const home = temporaryFolder('postgres')
const dir = join(home, 'postgres')
const started: RunningPostgres[] = []

async function start(options: Partial<PostgresOptions> = {}) {
  const postgres = await startPostgres({ dir, ...options })
  started.push(postgres)
  return postgres
}

async function ask(url: string, sql: string) {
  const client = new Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

afterAll(async () => {
  for (const postgres of started) await postgres.stop()
  rmSync(home, { recursive: true, force: true })
})

test('collates as Portuguese does', async () => {
  const { url } = await start()
  const words = `unnest(array['Zé', 'ção', 'abacate', 'Ágata', 'água', 'enio', 'Cão'])`
  const sorted = await ask(url, `select word from ${words} word order by word`)
  expect(sorted.map(({ word }) => word)).toEqual(['abacate', 'Ágata', 'água', 'Cão', 'ção', 'enio', 'Zé'])
})

test('refuses a wrong password and listens on loopback alone', async () => {
  const { url, admin_url } = await start()
  const wrong = new URL(url)
  wrong.password = 'errada'
  await expect(ask(wrong.href, 'select 1')).rejects.toMatchObject({ code: '28P01' })
  const settings = `current_setting('listen_addresses') as addresses, current_setting('unix_socket_directories') as sockets`
  expect(await ask(admin_url, `select ${settings}`)).toEqual([{ addresses: '127.0.0.1', sockets: '' }])
})

test('makes its folder, its data and its secrets unreadable for other accounts', async () => {
  await start()
  const mode = (path: string) => statSync(join(dir, path)).mode & 0o777
  expect([mode('.'), mode('data'), mode('../postgres.json'), mode('postgres.log')]).toEqual([
    0o700, 0o700, 0o600, 0o600,
  ])
})

test('is adopted when it runs already', async () => {
  const first = await start()
  expect(await start()).toMatchObject({ adopted: true, pid: first.pid, url: first.url })
})

test('survives a start that was killed, and the next start adopts it', async () => {
  await (await start()).stop()
  const other = runChildScript(home, START_POSTGRES, { dir })
  const { pid } = await other.waitForMessage<RunningPostgres>('postgres')
  await other.kill9()
  const next = await start()
  expect(next).toMatchObject({ adopted: true, pid })
  expect(await ask(next.url, 'select 1 as one')).toEqual([{ one: 1 }])
})

test('restarts after kill -9 at the same address, with all acknowledged writes', async () => {
  const { pid, url, owner_url, ended } = await start()
  await ask(owner_url, 'create table kept as select 42 as answer')
  process.kill(pid, 'SIGKILL')
  await ended
  const next = await start()
  expect(next).toMatchObject({ adopted: false, url, owner_url })
  expect(await ask(next.owner_url, 'select answer from kept')).toEqual([{ answer: 42 }])
})

test('restarts immediately even when a long query outlived the killed server', async () => {
  const { pid, url, ended } = await start()
  const query = ask(url, 'select count(*) from generate_series(1, 3000000000)')
  const lost = expect(query).rejects.toThrow()
  await new Promise((resolve) => setTimeout(resolve, 300))
  process.kill(pid, 'SIGKILL')
  await ended
  const before = Date.now()
  expect((await start()).adopted).toBe(false)
  expect(Date.now() - before).toBeLessThan(10_000)
  await lost
})

test('ignores a pid file whose pid belongs to another program', async () => {
  await (await start()).stop()
  const lines = [process.pid, join(dir, 'data'), 1, 5432, '', '127.0.0.1', '', 'ready']
  writeFileSync(join(dir, 'data/postmaster.pid'), `${lines.join('\n')}\n`)
  const { pid, adopted } = await start()
  expect(adopted).toBe(false)
  expect(pid).not.toBe(process.pid)
})

test('does not adopt the server of the folder that it was copied from', async () => {
  await (await start()).stop()
  const copy = join(home, 'copy')
  execFileSync('cp', ['-a', dir, copy])
  execFileSync('cp', [`${dir}.json`, `${copy}.json`])
  const original = await start()
  writeFileSync(join(copy, 'data/postmaster.pid'), readFileSync(join(dir, 'data/postmaster.pid')))
  const second = await start({ dir: copy })
  expect(second.adopted).toBe(false)
  expect([second.pid, second.port]).not.toEqual([original.pid, original.port])
  await second.stop()
  expect(await ask(original.url, 'select 1 as one')).toEqual([{ one: 1 }])
})

test('takes another port when its own is in use, and remembers it', async () => {
  const first = await start()
  await first.stop()
  const portOwner = createServer().listen(first.port, '127.0.0.1')
  const moved = await start()
  portOwner.close()
  expect(moved.port).not.toBe(first.port)
  await moved.stop()
  expect(await start()).toMatchObject({ adopted: false, port: moved.port })
})

test('makes new passwords when its secrets were lost', async () => {
  const { url } = await start()
  rmSync(`${dir}.json`)
  const next = await start()
  expect(next.url).not.toBe(url)
  expect(await ask(next.owner_url, 'select answer from kept')).toEqual([{ answer: 42 }])
  expect(await ask(next.url, 'select current_user as role')).toEqual([{ role: 'garantia_app' }])
})

test('a folder of a version with one role gets the second at the next start', async () => {
  const { admin_url } = await start()
  await ask(admin_url, 'drop role garantia_app')
  const file = `${dir}.json`
  const { database, ...rest } = JSON.parse(readFileSync(file, 'utf8'))
  writeFileSync(file, JSON.stringify({ ...rest, database: { ...database, app_password: undefined } }))
  const next = await start()
  expect(await ask(next.url, 'select current_user as role')).toEqual([{ role: 'garantia_app' }])
  expect((await start()).url).toBe(next.url)
})

test('starts over after an interrupted initialisation', async () => {
  const cut = join(home, 'cut')
  const other = runChildScript(home, START_POSTGRES, { dir: cut })
  await expect
    .poll(() => existsSync(cut) && readdirSync(cut).some((name) => name.startsWith('pg.init')))
    .toBe(true)
  await other.kill9()
  expect(existsSync(join(cut, 'data'))).toBe(false)
  const { url } = await start({ dir: cut })
  expect(await ask(url, 'select 1 as one')).toEqual([{ one: 1 }])
})

function isKnown(pid: number) {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

test('stops on request, and a second stop does nothing', async () => {
  const { pid, stop } = await start()
  await stop()
  // An ended process is known to the system until Node has asked for its exit code.
  await expect.poll(() => isKnown(pid)).toBe(false)
  await stop()
})
