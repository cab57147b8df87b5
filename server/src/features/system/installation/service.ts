import { conflict, notFound } from '@garantia/shared/errors'
import { JOBS_LISTED } from '@garantia/shared/installation/jobs'
import { authorize, can } from '@garantia/shared/policy'
import type { Ctx } from '../../../kernel/context.ts'
import {
  isQueuePaused,
  pauseQueue,
  queuedJobs,
  resumeQueue,
  retryJob,
} from '../../evidence/conversion/service.ts'
import { diagnose } from '../diagnosis/service.ts'
import { type Problem, problemsOf, readWork, type WorkProblem } from '../work-state/service.ts'

/** What `doutor` finds, the worst first. 403 but for superusers. */
export async function readFindings(ctx: Ctx) {
  authorize(ctx.actor, 'installation.read')
  const findings = await diagnose(ctx)
  const rank = { fault: 0, warning: 1, ok: 2 }
  return {
    at: ctx.clock().toISOString(),
    findings: findings.toSorted((a, b) => rank[a.level] - rank[b.level]),
  }
}

/** The jobs that run or wait, the first `JOBS_LISTED` of them, and whether the queue is paused. 403 but for superusers. */
export async function readQueue(ctx: Ctx) {
  authorize(ctx.actor, 'installation.read')
  const [is_paused, jobs] = await Promise.all([isQueuePaused(ctx), queuedJobs(ctx, JOBS_LISTED + 1)])
  return { is_paused, jobs: jobs.slice(0, JOBS_LISTED), has_more: jobs.length > JOBS_LISTED }
}

/** What only those see who can mend it. */
const OF_OPERATORS = new Set<WorkProblem>(['backup', 'verification'])
/** Servers look each minute: what was there at two looks is no restart. */
const LASTS_SECONDS = 60

/**
 * Problems of workers, queue and disk that last, in words. Those of backups and verifications are for superusers;
 * whoever is no administrator is told of none, as every screen asks.
 */
export async function readProblems(ctx: Ctx): Promise<Problem[]> {
  if (!can(ctx.actor, 'quota.read')) return []
  const lasting = await ctx.db
    .selectFrom('work_alarms')
    .where('since', '<=', new Date(ctx.clock().getTime() - LASTS_SECONDS * 1_000))
    .select('kind')
    .execute()
  if (lasting.length === 0) return []
  const kinds = new Set(lasting.map(({ kind }) => kind))
  const mayOperate = can(ctx.actor, 'installation.read')
  return problemsOf(await readWork(ctx), ctx.clock()).filter(
    ({ kind }) => kinds.has(kind) && (mayOperate || !OF_OPERATORS.has(kind)),
  )
}

/** No worker takes jobs until the queue is resumed. 403 but for superusers; 409 when it is paused already. */
export async function pauseJobs(ctx: Ctx) {
  authorize(ctx.actor, 'installation.operate')
  if (!(await pauseQueue(ctx))) throw conflict('A fila já está pausada.')
  note(ctx, 'fila pausada')
}

/** 403 but for superusers; 409 when the queue is not paused. */
export async function resumeJobs(ctx: Ctx) {
  authorize(ctx.actor, 'installation.operate')
  if (!(await resumeQueue(ctx))) throw conflict('A fila não está pausada.')
  note(ctx, 'fila retomada')
}

/** Runs a job that waits at once, with all its attempts. 403 but for superusers; 404 when none of this id waits. */
export async function retryJobNow(ctx: Ctx, job_id: number) {
  authorize(ctx.actor, 'installation.operate')
  if (!(await retryJob(ctx, job_id))) throw notFound('Este trabalho já não espera na fila.')
  note(ctx, 'trabalho repetido', { job_id })
}

const note = ({ actor, log }: Ctx, what: string, about: object = {}) =>
  log.info({ user_id: actor.kind === 'user' ? actor.id : null, ...about }, what)
