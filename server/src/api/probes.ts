import { can } from '@garantia/shared/policy'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Problem, problemsOf, proveStorage, readWork } from '../features/system/work-state/service.ts'
import { contextOf } from '../http/session.ts'
import type { Ctx } from '../kernel/context.ts'
import { isDraining } from '../kernel/stopping.ts'

/** Answers are kept for so long: anybody may ask. */
const KEPT_MS = 2_000
const LONGEST_MS = 4_000

interface Readiness {
  ready: boolean
  /** Why this server takes no requests; empty when it does. */
  faults: string[]
  /** What does not work behind it: another server would do no better, so it stays ready. */
  problems: Problem[]
}

/**
 * Serves `/livez` (the process answers) and `/readyz` (200 when this server can do its work, 503 with the reasons when
 * a proxy should ask another one). Superusers get the reasons, and workers, queue and disk under `problems`, which
 * change no status; everybody else, as the probes of proxies, gets the status alone.
 */
export function serveProbes(app: FastifyInstance, ctx: Ctx) {
  let kept: { at: number; answer: Promise<Readiness> } | undefined
  app.get('/livez', () => ({ live: true }))
  const mayRead = async (request: FastifyRequest) =>
    request.headers.authorization !== undefined &&
    contextOf(ctx, request).then(
      ({ actor }) => can(actor, 'installation.read'),
      // Sessions are in the database, which may be what fails.
      () => false,
    )
  app.get('/readyz', async (request, reply) => {
    if (isDraining()) return reply.code(503).send({ ready: false })
    const now = performance.now()
    if (!kept || now - kept.at > KEPT_MS) kept = { at: now, answer: readiness(ctx) }
    const answer = await kept.answer
    return reply
      .code(answer.ready ? 200 : 503)
      .send((await mayRead(request)) ? answer : { ready: answer.ready })
  })
}

async function readiness(ctx: Ctx): Promise<Readiness> {
  const [work, storage] = await Promise.allSettled([inTime(readWork(ctx)), inTime(proveStorage(ctx))])
  const faults: string[] = []
  if (work.status === 'rejected') {
    ctx.log.warn({ err: work.reason }, 'o banco não atende')
    faults.push('O banco de dados não atende.')
  } else if (work.value.missing_migrations.length > 0) faults.push('O banco não está migrado.')
  if (storage.status === 'rejected') {
    ctx.log.warn({ err: storage.reason }, 'o armazenamento não grava')
    faults.push('O armazenamento de arquivos não grava.')
  }
  const problems = work.status === 'fulfilled' ? problemsOf(work.value, ctx.clock()) : []
  return { ready: faults.length === 0, faults, problems }
}

async function inTime<T>(work: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Error('no answer in time')), LONGEST_MS)
  return Promise.race([work, late.promise]).finally(() => clearTimeout(timer))
}
