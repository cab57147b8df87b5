import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { MIGRATIONS } from '@garantia/migrations'
import { bytes, counted, dateTime } from '@garantia/shared/format'
import type { JobName } from '@garantia/shared/jobs'
import { sql } from 'kysely'
import type { Ctx } from '../../../kernel/context.ts'
import { FROZEN_SECONDS, WORKER_LOCK_CLASS } from '../../../kernel/worker-lock.ts'
import { readSpace } from '../../evidence/quota/service.ts'
import { faultsText, lastVerifications, type Verification } from '../verification/service.ts'

/** A job that nobody takes for so long is no queue but a standstill. */
export const STUCK_SECONDS = 300
/** A backup is made every night; one that failed is tried again every hour. */
export const BACKUP_LATE_SECONDS = 30 * 3_600
/** Share of the disk below which it is said that it fills up. */
export const EARLY = 0.1

export interface WorkState {
  workers: number
  /** Hold their lock, and have not said for half a minute that they live. */
  frozen: number
  queued: number
  running: number
  given_up: number
  /** How long the job waits that should have run first. */
  oldest_seconds: number
  is_paused: boolean
  missing_migrations: string[]
  /** Whether one is made every night (BACKUP_TO). */
  is_backup_scheduled: boolean
  backed_up_at: Date | null
  /** Why the last backup failed; null when it did not. */
  backup_error: string | null
  /** The newest of each kind that found problems. */
  failed_verifications: Verification[]
  free: number
  total: number
  reserve: number
}

export type WorkProblem = 'workers' | 'frozen' | 'queue' | 'paused' | 'disk' | 'backup' | 'verification'
export interface Problem {
  kind: WorkProblem
  text: string
}

/** Photos are read one after the other when nothing else is to be done: they may wait for hours while a worker is well. */
const PATIENT: readonly JobName[] = ['read-evidence', 'read-vehicle-photo']

/** What runs, what waits, and what room is left. Throws when the database does not answer. */
export async function readWork(ctx: Ctx): Promise<WorkState> {
  const now = ctx.clock()
  const { rows } = await sql<
    Omit<
      WorkState,
      'missing_migrations' | 'is_backup_scheduled' | 'failed_verifications' | 'free' | 'total' | 'reserve'
    > & {
      run: string[]
    }
  >`
    with living as (
      select distinct lock_key, beat_at < now() - make_interval(secs => ${FROZEN_SECONDS}) as is_frozen
      from worker_processes where exists (select from pg_locks where locktype = 'advisory' and granted and objsubid = 2
        and classid::bigint = ${sql.lit(WORKER_LOCK_CLASS)} and objid::bigint = lock_key)),
    due as (select locked_at, attempts >= max_attempts as is_given_up, run_at, task_identifier
        from graphile_worker.jobs)
    select (select count(*)::int from living where is_frozen is not true) as workers,
      (select count(*)::int from living where is_frozen) as frozen,
      (select count(*)::int from due where locked_at is null and not is_given_up and run_at <= ${now}) as queued,
      (select count(*)::int from due where locked_at is not null) as running,
      (select count(*)::int from due where locked_at is null and is_given_up) as given_up,
      (select greatest(0, coalesce(extract(epoch from ${now} - min(run_at)), 0))::float8 from due
        where locked_at is null and not is_given_up and run_at <= ${now} and task_identifier <> all (${PATIENT})
        ) as oldest_seconds,
      exists (select from queue_pause) as is_paused,
      (select max(finished_at) from backup_runs where kind = 'backup' and error is null) as backed_up_at,
      (select error from backup_runs where kind = 'backup' order by finished_at desc limit 1) as backup_error,
      (select array_agg(name) from kysely_migration) as run`.execute(ctx.db)
  const [row] = rows
  if (!row) throw new Error('no state of work')
  const { run, ...work } = row
  const { free, total, reserve } = await readSpace(ctx, 0)
  return {
    ...work,
    is_backup_scheduled: ctx.config.BACKUP_TO !== undefined,
    failed_verifications: (await lastVerifications(ctx)).filter(({ faults }) => faults > 0),
    missing_migrations: Object.keys(MIGRATIONS).filter((name) => !run.includes(name)),
    free,
    total,
    reserve,
  }
}

/** What administrators have to know of it, in words; empty when all is well. */
export function problemsOf(state: WorkState, now: Date): Problem[] {
  const { workers, frozen, queued, oldest_seconds, is_paused, free, total, reserve } = state
  const found: Problem[] = []
  if (workers === 0)
    found.push({
      kind: 'workers',
      text: 'Nenhum worker em execução: nada é convertido, e nenhum dossiê ou e-mail sai.',
    })
  if (frozen > 0)
    found.push({
      kind: 'frozen',
      text: `${counted(frozen, 'worker não dá', 'workers não dão')} sinal de vida há mais de ${FROZEN_SECONDS} s.`,
    })
  if (is_paused) found.push({ kind: 'paused', text: 'A fila está pausada por um operador.' })
  else if (oldest_seconds > STUCK_SECONDS)
    found.push({
      kind: 'queue',
      text: `A fila está parada: ${counted(queued, 'trabalho espera', 'trabalhos esperam')}, o mais antigo há ${Math.round(oldest_seconds / 60)} min.`,
    })
  const backup = backupProblem(state, now)
  if (backup) found.push({ kind: 'backup', text: backup })
  for (const one of state.failed_verifications)
    found.push({
      kind: 'verification',
      text: `A verificação de ${dateTime(one.finished_at)} encontrou ${faultsText(one)}.`,
    })
  if (free < total * EARLY)
    found.push({
      kind: 'disk',
      text: `Pouco espaço em disco: ${bytes(free)} livres de ${bytes(total)}${free < reserve ? '; envios são recusados' : ''}.`,
    })
  return found
}

/** None was made yet: said once the first has failed. */
function backupProblem({ is_backup_scheduled, backed_up_at, backup_error }: WorkState, now: Date) {
  if (!is_backup_scheduled) return null
  const isLate = backed_up_at
    ? now.getTime() - backed_up_at.getTime() > BACKUP_LATE_SECONDS * 1_000
    : backup_error !== null
  if (!isLate) return null
  const last = backed_up_at
    ? `O último backup completo é de ${dateTime(backed_up_at)}`
    : 'Nenhum backup foi feito ainda'
  return backup_error ? `${last}; o mais recente falhou: ${backup_error}` : `${last}.`
}

/** Whether files can be written: throws when the data folder or the storage refuses. */
export async function proveStorage(ctx: Ctx) {
  await ctx.scratch.within('prontidao', (dir) => writeFile(join(dir, 'prova'), 'x'))
  await ctx.storage.size('doutor/prontidao')
}
