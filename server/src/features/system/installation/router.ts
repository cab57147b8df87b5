import { jobToRetry } from '@garantia/shared/installation/jobs'
import { router, signedIn } from '../../../http/trpc.ts'
import { pauseJobs, readFindings, readProblems, readQueue, resumeJobs, retryJobNow } from './service.ts'

export const installationRouter = router({
  problems: signedIn.query(({ ctx: { ctx } }) => readProblems(ctx)),
  findings: signedIn.query(({ ctx: { ctx } }) => readFindings(ctx)),
  queue: signedIn.query(({ ctx: { ctx } }) => readQueue(ctx)),
  pause: signedIn.mutation(({ ctx: { ctx } }) => pauseJobs(ctx)),
  resume: signedIn.mutation(({ ctx: { ctx } }) => resumeJobs(ctx)),
  retry: signedIn.input(jobToRetry).mutation(({ ctx: { ctx }, input }) => retryJobNow(ctx, input.job_id)),
})
