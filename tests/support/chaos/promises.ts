import { createHash } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { Client } from 'pg'
import { type Installation, operatorCommand } from '../../jobs/process.ts'
import type { Acknowledged, Load, Target } from './load.ts'

/** What is tried again and again advances for ever. */
const MOST_PATIENCES = 5

interface Loaded {
  target: Target
  load: Load
  database_url: string
  /** With which operator commands look at database and files. */
  installation: Installation
  /** How long nothing may advance, in seconds. */
  patience: number
}

export interface Outcome {
  /** Files in the database: those whose answer was lost are more than were acknowledged. */
  stored: number
  converted: number
  /** Seconds until nothing waited any more. */
  settled_after: number
  /** What is not as it was promised; empty when all is well. */
  broken: string[]
}

/**
 * Has everything converted, and compares an installation that nothing disturbs any more with what its servers have
 * acknowledged: every file is there once and whole, nothing is stuck, storage and trail verify.
 */
export async function checkPromises({
  target,
  load,
  database_url,
  installation,
  patience,
}: Loaded): Promise<Outcome> {
  const broken: string[] = []
  const started = Date.now()
  broken.push(...load.unexplained)
  const database = new Client({ connectionString: database_url })
  await database.connect()
  try {
    const count = async (sql: string) => Number((await database.query(sql)).rows[0]?.n)
    const complain = async (what: string, sql: string) => {
      const n = await count(sql)
      if (n > 0) broken.push(`${what}: ${n}`)
    }
    const open = `select count(*) as n from evidence_files where deleted_at is null and status in ('pending', 'converting')`
    // On a slow machine a single conversion takes longer than others: its percentage and its tries are progress too.
    const state = `select (select string_agg(concat_ws(' ', id, status, attempt, progress), ',' order by id)
        from evidence_files where deleted_at is null) as files,
      (select string_agg(concat_ws(' ', id, attempts, locked_by), ',' order by id) from graphile_worker.jobs) as jobs`
    let [last, until] = ['', 0]
    do {
      // Again, since a request whose client has given up may have stored a file meanwhile.
      await convertAll(target, load.acknowledged)
      await wait(2_000)
      const seen = JSON.stringify((await database.query(state)).rows)
      if (seen !== last) [last, until] = [seen, Date.now() + patience * 1_000]
    } while (
      (await count(open)) > 0 &&
      Date.now() < Math.min(until, started + MOST_PATIENCES * patience * 1_000)
    )
    const settled_after = Math.round((Date.now() - started) / 1_000)
    await complain('arquivos que ainda esperam conversão', open)
    const { rows: failed } = await database.query<{ error: string; n: number }>(
      `select error, count(*) as n from evidence_files where status = 'failed' group by error`,
    )
    for (const { error, n } of failed) broken.push(`arquivos com erro: ${n}: ${error}`)
    const { rows: given_up } = await database.query<{ job: string; last_error: string | null }>(
      `select task_identifier as job, last_error from graphile_worker.jobs
        where attempts >= max_attempts and locked_at is null`,
    )
    for (const { job, last_error } of given_up) broken.push(`trabalho sem tentativas: ${job}: ${last_error}`)
    for (const { id, order_id, sha256, size } of load.acknowledged) {
      const { rows } = await database.query<{ id: number }>(
        'select id from evidence_files where sha256 = $1 and file_size = $2 and order_id = $3 and deleted_at is null',
        [sha256, size, order_id],
      )
      if (rows.length !== 1 || Number(rows[0]?.id) !== id)
        broken.push(`arquivo ${id}, confirmado, está ${rows.length} vezes no banco`)
    }
    broken.push(...(await unreadable(target, load.acknowledged)))
    const trail = await operatorCommand(installation, ['verificar-cadeia'])
    if (trail.code !== 0) broken.push(`verificar-cadeia: ${trail.out}${trail.err}`)
    const { out, err } = await operatorCommand(installation, ['verificar', '--json'])
    if (err) broken.push(`verificar: ${err}`)
    // Uploads that were not completed wait in the folder of their server.
    for (const { kind, key } of JSON.parse(out).faults as { kind: string; key: string }[])
      if (!key.startsWith('tmp/uploads/')) broken.push(`verificar: ${kind} ${key}`)
    return {
      stored: await count('select count(*) as n from evidence_files where deleted_at is null'),
      converted: await count(`select count(*) as n from evidence_files where status = 'converted'`),
      settled_after,
      broken,
    }
  } finally {
    await database.end()
  }
}

async function signIn({ urls, password }: Target) {
  const [url = ''] = urls()
  for (const end = Date.now() + 60_000; ; await wait(500)) {
    const answer = await fetch(`${url}/api/v1/login/access-token`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: 'admin', password }),
    }).catch(() => undefined)
    if (answer?.ok) return { url, headers: { authorization: `Bearer ${(await answer.json()).access_token}` } }
    if (Date.now() > end) throw new Error(`no server answers: ${answer?.status}`)
  }
}

async function convertAll(target: Target, files: readonly Acknowledged[]) {
  const { url, headers } = await signIn(target)
  for (const order_id of new Set(files.map((file) => file.order_id)))
    await fetch(`${url}/api/v1/evidence-conversion/${order_id}/convert-all`, { method: 'POST', headers })
}

/** Acknowledged files whose original a server does not send byte by byte. */
async function unreadable(target: Target, files: readonly Acknowledged[]) {
  const { url, headers } = await signIn(target)
  const broken: string[] = []
  for (const { id, sha256 } of files) {
    const answer = await fetch(`${url}/api/v1/evidence/${id}/download?original=true`, { headers })
    const bytes = new Uint8Array(await answer.arrayBuffer())
    if (!answer.ok || createHash('sha256').update(bytes).digest('hex') !== sha256)
      broken.push(`arquivo ${id}, confirmado, não volta como foi (${answer.status})`)
  }
  return broken
}
