import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Program, programFile } from '@garantia/server/programs'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { slowness } from '../support/machine-speed.ts'
import { overLoopback } from '../support/postgres.ts'
import { DOSSIER_KEY, SIGNING_KEY, startTestApp } from '../support/test-app.ts'
import { operatorCommand, spawnServer, stopProcess } from './process.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const testApp = await startTestApp()
afterAll(() => testApp[Symbol.asyncDispose]())
const REFUSED = 2
const LONGEST_MS = 5_000
/** Ends a program that waits instead of refusing. */
const KILLED_AFTER_MS = 60_000
/** What doutor ends with when it has found problems. */
const FOUND = 4

/** Starts a program that should refuse to; its exit code, null when it was killed, what it said, and how long that took. */
async function refusal(env: Record<string, string>, [name, ...args]: [Program, ...string[]] = ['server']) {
  const started = performance.now()
  const child = spawn(process.execPath, [programFile(ROOT, name, process.env), ...args], {
    env: {
      ...process.env,
      DATABASE_URL: testApp.url,
      DATA_DIR: testApp.dir,
      SIGNING_KEY,
      DOSSIER_KEY,
      PORT: '0',
      LOG_LEVEL: 'fatal',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  for (const stream of [child.stderr, child.stdout])
    stream.on('data', (text) => {
      said += text
    })
  const late = setTimeout(() => child.kill('SIGKILL'), KILLED_AFTER_MS)
  const [code] = (await once(child, 'close')) as [number | null]
  clearTimeout(late)
  return { code, said: said.trim(), ms: performance.now() - started }
}

const withDatabase = (change: (url: URL) => void, url = testApp.url) => {
  const changed = overLoopback(url)
  change(changed)
  return changed.href
}

test('what the operator can mend ends a start within seconds by one sentence and exit code 2, and is named by doutor', async () => {
  const damaged = join(testApp.dir, 'danificado')
  mkdirSync(damaged)
  writeFileSync(join(damaged, 'secrets.json'), '{"signing_key": ')
  const readOnly = withDatabase((url) =>
    url.searchParams.set('options', '-c default_transaction_read_only=on'),
  )
  const rows: {
    env: Record<string, string>
    said: RegExp
    named?: RegExp
    program?: [Program, ...string[]]
  }[] = [
    {
      env: { DATABASE_URL: 'garantia' },
      said: /^DATABASE_URL não é o endereço de um PostgreSQL: escreva-o como /,
      named: /problema {2}banco: DATABASE_URL não é o endereço de um PostgreSQL/,
    },
    { env: { DATABASE_URL: 'garantia' }, said: /^DATABASE_URL não é o endereço/, program: ['worker'] },
    { env: { DATABASE_URL: 'garantia' }, said: /^DATABASE_URL não é o endereço/, program: ['migrate'] },
    {
      env: { DATABASE_URL: withDatabase((url) => (url.password = 'errada')) },
      said: /^O PostgreSQL recusou a senha: corrija /,
      named: /problema {2}banco: O PostgreSQL recusou a senha: corrija /,
    },
    {
      env: { DATABASE_URL: withDatabase((url) => (url.pathname = '/nenhum')) },
      said: /^O PostgreSQL não tem esse banco: crie-o /,
      named: /problema {2}banco: O PostgreSQL não tem esse banco/,
    },
    {
      env: { DATABASE_URL: readOnly },
      said: /^O PostgreSQL de DATABASE_URL só aceita leituras: aponte /,
      named: /problema {2}banco: só aceita leituras/,
    },
    // It may connect, and neither owns nor makes anything.
    {
      env: { DATABASE_URL: withDatabase((url) => (url.pathname = '/postgres')) },
      said: /^O PostgreSQL não deixa esta conta migrar o banco: ponha o dono /,
      named: /problema {2}esquema: este banco nunca foi migrado\n {10}→ .*MIGRATION_DATABASE_URL/,
    },
    {
      env: {
        S3_BUCKET: 'nenhum',
        S3_ENDPOINT: 'http://127.0.0.1:9',
        S3_ACCESS_KEY_ID: 'a',
        S3_SECRET_ACCESS_KEY: 'b',
      },
      said: /^S3_BUCKET: o bucket «nenhum» em http:\/\/127.0.0.1:9 não responde\. Corrija-o /,
      named: /problema {2}início: S3_BUCKET: o bucket «nenhum»/,
    },
    {
      env: { DATA_DIR: join(damaged, 'secrets.json') },
      said: /^Não é possível usar .*secrets\.json.*: no caminho há um arquivo/,
      named: /problema {2}início: Não é possível usar .*: no caminho há um arquivo/,
    },
    // doutor needs the keys too, and says the same.
    {
      env: { DATA_DIR: damaged },
      said: /secrets\.json está danificado: restaure-o de um backup/,
      program: ['standalone', 'server'],
    },
    {
      env: { DATA_DIR: damaged },
      said: /secrets\.json está danificado: restaure-o de um backup/,
      program: ['standalone', 'worker', 'doutor'],
    },
    {
      env: { DATABASE_URL: '' },
      said: /^Falta DATABASE_URL, o endereço do PostgreSQL/,
      program: ['standalone', 'migrate'],
    },
  ]
  for (const { env, said, program, named } of rows) {
    const answer = await refusal(env, program)
    const about = JSON.stringify([env, program, answer])
    expect(answer.said, about).toMatch(said)
    expect(answer.said.split('\n'), about).toHaveLength(1)
    expect(answer.code, about).toBe(REFUSED)
    // The least of three: what else runs on the machine only adds.
    let { ms } = answer
    const longest_ms = LONGEST_MS * slowness()
    for (let again = 0; again < 2 && ms >= longest_ms; again++)
      ms = Math.min(ms, (await refusal(env, program)).ms)
    expect(ms, about).toBeLessThan(longest_ms)
    if (!named) continue
    const examined = await operatorCommand(testApp, ['doutor'], env)
    expect(examined.out, about).toMatch(named)
    expect(examined.code, about).toBe(FOUND)
  }
})

test('a PostgreSQL that ends during a start ends it by a sentence and exit code 1, after which it is started again', async () => {
  let answered = 0
  const ending = createServer((connection) => {
    connection.on('error', () => {})
    if (answered-- <= 0) return connection.resume().end()
    const { hostname, port } = overLoopback(testApp.url)
    const database = connect(Number(port), hostname).on('error', () => connection.destroy())
    connection.pipe(database).pipe(connection)
  }).listen(0, '127.0.0.1')
  await once(ending, 'listening')
  const { port } = ending.address() as AddressInfo
  const DATABASE_URL = withDatabase((url) => (url.port = String(port)))
  for (const [connections, sentence] of [
    [0, /^O PostgreSQL de DATABASE_URL não aceitou a conexão: Connection terminated/],
    [1, /^O PostgreSQL deixou de responder durante o início \(Connection terminated.*\): inicie de novo /],
  ] as const)
    for (const program of ['server', 'worker', 'migrate'] as const) {
      answered = connections
      const { code, said } = await refusal({ DATABASE_URL }, [program])
      expect(said).toMatch(sentence)
      expect(said.split('\n')).toHaveLength(1)
      expect(code).toBe(1)
    }
  ending.close()
})

test('a database of a newer version is refused, unless that one still accepts this one (expand, then contract)', async () => {
  const { db } = testApp.owner
  await sql`insert into kysely_migration (name, timestamp) values ('9999_later', now()::text)`.execute(db)
  const accepted = await spawnServer(testApp)
  expect((await fetch(`${accepted.url}/api/v1/utils/health-check/`)).status).toBe(200)
  await stopProcess(accepted.process, 'SIGTERM')
  await sql`update schema_compatibility set needs = '9999_later'`.execute(db)
  for (const program of ['server', 'migrate', 'worker'] as const) {
    const { code, said } = await refusal({}, [program])
    expect([code, said]).toEqual([
      REFUSED,
      'O banco é de uma versão mais nova do Garantia (9999_later), que já não aceita esta: inicie a versão que migrou o banco, ou uma mais nova.',
    ])
  }
  await sql`update schema_compatibility set needs = '0064_operations'`.execute(db)
  await sql`delete from kysely_migration where name = '9999_later'`.execute(db)
})
