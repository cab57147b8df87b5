import type { ClientBase } from 'pg'
import type { ChainHeads } from './manifest.ts'

/** Same text for the same values, on every server and in every session. */
export const SAME_TEXT = `
  set datestyle = 'ISO, YMD'; set timezone = 'UTC'; set intervalstyle = 'postgres'; set extra_float_digits = 1;
  set bytea_output = 'hex'; set synchronize_seqscans = off; set client_encoding = 'UTF8';
  set statement_timeout = 0; set idle_in_transaction_session_timeout = 0`

/** Made by the migrations themselves. */
const OF_MIGRATIONS = ['kysely_migration', 'kysely_migration_lock']

/** Every table of ours whose rows outlive a crash, with the columns that are stored; the generated ones are computed again. */
export async function copiedTables(client: ClientBase) {
  const { rows } = await client.query<{ name: string; columns: string[] }>(
    `select relname as name, (select array_agg(attname::text order by attnum) from pg_attribute
        where attrelid = pg_class.oid and attnum > 0 and not attisdropped and attgenerated = '') as columns
      from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' and relpersistence = 'p' and relname <> all ($1)
      order by relname collate "C"`,
    [OF_MIGRATIONS],
  )
  return rows
}

/** Tables of which one at least has a row wherever somebody works. */
const OF_WORK = ['users', 'companies', 'service_orders', 'events']

/** Whether the database has accounts, companies, orders or events; the tables may be there without. */
export async function hasData(query: (text: string) => Promise<{ rows: unknown[] }>) {
  for (const table of OF_WORK) {
    const { rows: tables } = await query(`select where to_regclass('public.${table}') is not null`)
    if (tables.length > 0 && (await query(`select from ${table} limit 1`)).rows.length > 0) return true
  }
  return false
}

export async function migrationsRun(client: ClientBase) {
  const { rows } = await client.query<{ name: string }>(
    'select name from kysely_migration order by name collate "C"',
  )
  return rows.map(({ name }) => name)
}

export async function sequenceValues(client: ClientBase) {
  const { rows } = await client.query<{ name: string; value: string | null }>(
    `select sequencename as name, last_value::text as value from pg_sequences
      where schemaname = 'public' order by sequencename collate "C"`,
  )
  return rows
}

/**
 * Jobs that wait or run, one JSON value each. Those that the clock makes are left out: the restored product makes its
 * own.
 */
export const JOBS = `
  select json_build_object('name', tasks.identifier, 'payload', jobs.payload, 'queue', queues.queue_name,
    'run_at', jobs.run_at, 'max_attempts', jobs.max_attempts, 'key', jobs.key, 'priority', jobs.priority)
  from graphile_worker._private_jobs jobs
  join graphile_worker._private_tasks tasks on tasks.id = jobs.task_id
  left join graphile_worker._private_job_queues queues on queues.id = jobs.job_queue_id
  where jobs.attempts < jobs.max_attempts and jobs.payload -> '_cron' is null
  order by jobs.id`

export async function chainHeads(client: ClientBase): Promise<ChainHeads> {
  const { rows: events } = await client.query<{ chains: number; sha256: string }>(`
    select count(*)::int as chains, encode(sha256(convert_to(coalesce(string_agg(
      concat_ws(':', subject, subject_id, seq, hash), E'\\n' order by subject, subject_id), ''), 'UTF8')), 'hex') as sha256
    from (select distinct on (subject, subject_id) subject, subject_id, seq, hash from events
      order by subject, subject_id, seq desc) heads`)
  const { rows: log } = await client.query<{ batches: number; head: string | null }>(
    `select count(*)::int as batches, (array_agg(hash order by n desc))[1] as head from security_batches`,
  )
  const [event_chains, security_log] = [events[0], log[0]]
  if (!event_chains || !security_log) throw new Error('an aggregate without a row')
  return { events: event_chains, security_log }
}
