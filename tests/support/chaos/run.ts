import { createHash } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { Client } from 'pg'
import { operatorCommand } from '../../jobs/process.ts'
import { faultsOf } from './faults.ts'
import { startInstallation } from './installation.ts'
import { startLoad } from './load.ts'
import { randomOf } from './random.ts'

export interface ChaosPlan {
  seconds: number
  servers: number
  workers: number
  /** Repeats faults and their order, not their moments. */
  seed: number
  /** How long everything that waits may take once nothing fails any more, in seconds. */
  patience: number
}
export interface ChaosReport {
  seed: number
  /** How often each fault struck. */
  faults: Record<string, number>
  answers: Record<string, Record<string, number>>
  acknowledged: number
  /** Files in the database: those whose answer was lost are more than were acknowledged. */
  stored: number
  converted: number
  /** Seconds from the last fault until nothing waited any more. */
  settled_after: number
  /** What is not as it was promised; empty when all is well. */
  broken: string[]
}

/**
 * Lets an installation work under load while it is being broken, repairs it, and compares it with what it has
 * acknowledged: every file is there once and whole, nothing is stuck, storage and trail verify.
 */
export async function runChaos({
  seconds,
  servers,
  workers,
  seed,
  patience,
}: ChaosPlan): Promise<ChaosReport> {
  const random = randomOf(seed)
  await using installation = await startInstallation({ servers, workers })
  const load = await startLoad(installation, 8, randomOf(seed + 1))
  const faults = faultsOf(installation, random)
  const struck: Record<string, number> = {}
  const ends = Date.now() + seconds * 1_000
  const running = new Set<Promise<void>>()
  // Each fault once before any is repeated.
  let left: typeof faults = []
  while (Date.now() < ends) {
    if (left.length === 0) left = [...faults]
    const [fault] = left.splice(Math.floor(random() * left.length), 1)
    if (!fault) continue
    struck[fault.name] = (struck[fault.name] ?? 0) + 1
    const strike = fault.strike().finally(() => running.delete(strike))
    running.add(strike)
    // Two at a time at most: the next comes while this one lasts.
    await wait(1_000 + random() * 2_000)
    if (running.size >= 2) await Promise.race(running)
  }
  await Promise.all(running)
  installation.heal()
  const healed = Date.now()
  await load.end()

  const broken: string[] = []
  for (const [name, { 500: bare = 0 }] of Object.entries(load.answers))
    if (bare > 0) broken.push(`${name}: ${bare} vezes 500, sem dizer o que falta`)
  const database = new Client({ connectionString: installation.database() })
  await database.connect()
  try {
    const count = async (sql: string) => Number((await database.query(sql)).rows[0]?.n)
    const open = `select count(*) as n from evidence_files where deleted_at is null and status in ('pending', 'converting')`
    const until = Date.now() + patience * 1_000
    do {
      // Again, since a request whose client has given up may have stored a file meanwhile.
      await convertAll(installation, load.acknowledged)
      await wait(2_000)
    } while ((await count(open)) > 0 && Date.now() < until)
    const settled_after = Math.round((Date.now() - healed) / 1_000)
    const complain = async (what: string, sql: string) => {
      const n = await count(sql)
      if (n > 0) broken.push(`${what}: ${n}`)
    }
    await complain('arquivos que ainda esperam conversão', open)
    const { rows: failed } = await database.query<{ error: string; n: number }>(
      `select error, count(*) as n from evidence_files where status = 'failed' group by error`,
    )
    for (const { error, n } of failed) broken.push(`arquivos com erro: ${n}: ${error}`)
    await complain(
      'trabalhos sem tentativas',
      'select count(*) as n from graphile_worker.jobs where attempts >= max_attempts and locked_at is null',
    )
    for (const { id, order_id, sha256, size } of load.acknowledged) {
      const { rows } = await database.query<{ id: number }>(
        'select id from evidence_files where sha256 = $1 and file_size = $2 and order_id = $3 and deleted_at is null',
        [sha256, size, order_id],
      )
      if (rows.length !== 1 || Number(rows[0]?.id) !== id)
        broken.push(`arquivo ${id}, confirmado, está ${rows.length} vezes no banco`)
    }
    broken.push(...(await unreadable(installation, load.acknowledged)))
    const trail = await operatorCommand(installation.direct(), ['verificar-cadeia'])
    if (trail.code !== 0) broken.push(`verificar-cadeia: ${trail.out}${trail.err}`)
    const { out, err } = await operatorCommand(installation.direct(), ['verificar', '--json'])
    if (err) broken.push(`verificar: ${err}`)
    // Uploads that were not completed wait in the folder of their server.
    for (const { kind, key } of JSON.parse(out).faults as { kind: string; key: string }[])
      if (!key.startsWith('tmp/uploads/')) broken.push(`verificar: ${kind} ${key}`)
    return {
      seed,
      faults: struck,
      answers: load.answers,
      acknowledged: load.acknowledged.length,
      stored: await count('select count(*) as n from evidence_files where deleted_at is null'),
      converted: await count(`select count(*) as n from evidence_files where status = 'converted'`),
      settled_after,
      broken,
    }
  } finally {
    await database.end()
  }
}

type Running = Awaited<ReturnType<typeof startInstallation>>
type Files = Awaited<ReturnType<typeof startLoad>>['acknowledged']

async function signIn({ urls, password }: Running) {
  const [url = ''] = urls()
  for (const end = Date.now() + 60_000; ; await wait(500)) {
    const answer = await fetch(`${url}/api/v1/login/access-token`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: 'admin', password }),
    }).catch(() => undefined)
    if (answer?.ok) return { url, headers: { authorization: `Bearer ${(await answer.json()).access_token}` } }
    if (Date.now() > end) throw new Error(`no server answers after all is repaired: ${answer?.status}`)
  }
}

async function convertAll(installation: Running, files: Files) {
  const { url, headers } = await signIn(installation)
  for (const order_id of new Set(files.map((file) => file.order_id)))
    await fetch(`${url}/api/v1/evidence-conversion/${order_id}/convert-all`, { method: 'POST', headers })
}

/** Acknowledged files whose original a server does not send byte by byte. */
async function unreadable(installation: Running, files: Files) {
  const { url, headers } = await signIn(installation)
  const broken: string[] = []
  for (const { id, sha256 } of files) {
    const answer = await fetch(`${url}/api/v1/evidence/${id}/download?original=true`, { headers })
    const bytes = new Uint8Array(await answer.arrayBuffer())
    if (!answer.ok || createHash('sha256').update(bytes).digest('hex') !== sha256)
      broken.push(`arquivo ${id}, confirmado, não volta como foi (${answer.status})`)
  }
  return broken
}
