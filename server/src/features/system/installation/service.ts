import { conflict, notFound } from '@garantia/shared/errors'
import { JOBS_LISTED } from '@garantia/shared/installation/jobs'
import { authorize } from '@garantia/shared/policy'
import type { Ctx } from '../../../kernel/context.ts'
import {
  isQueuePaused,
  pauseQueue,
  queuedJobs,
  resumeQueue,
  retryJob,
} from '../../evidence/conversion/service.ts'
import { diagnose } from '../diagnosis/service.ts'

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
