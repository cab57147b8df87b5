import { INTERRUPTED, requestAllConversions } from '@garantia/server/features/evidence/conversion'
import { inProcess } from '@garantia/worker/decoder/decoders'
import type { MediaTools } from '@garantia/worker/media/media'
import { afterAll, expect, test } from 'vitest'
import { type Jobs, taskList } from '../../worker/src/task.ts'
import { convertEvidence } from '../../worker/src/tasks/convert-evidence.ts'
import { startTestApp } from '../support/test-app.ts'

const w = await startTestApp()
afterAll(() => w[Symbol.asyncDispose]())
const { ctx } = w.kernel

const FAULT = new Error('the tools broke down')
const broken = { inspect: () => Promise.reject(FAULT), convert: () => Promise.reject(FAULT) }
const jobs: Partial<Jobs> = {
  'convert-evidence': convertEvidence(inProcess(broken as unknown as MediaTools)),
}

/** One try of the job, as the queue would run it. */
async function attempt(evidence_id: number, job: { attempts: number; max_attempts: number }) {
  const helpers = { job: { id: '1', ...job }, abortSignal: new AbortController().signal }
  await taskList(ctx, jobs as Jobs)['convert-evidence']?.({ evidence_id }, helpers as never)
}
const fileOf = (id: number) =>
  ctx.db
    .selectFrom('evidence_files')
    .innerJoin('service_orders', 'service_orders.id', 'evidence_files.order_id')
    .where('evidence_files.id', '=', id)
    .select(['evidence_files.status', 'error', 'service_orders.conversion_status'])
    .executeTakeFirstOrThrow()

test('a conversion that fails for no fault of the file is tried again, and its last try fails visibly', async () => {
  const { id, order_id } = await w.make.evidence()
  await requestAllConversions(ctx, order_id)
  for (const attempts of [1, 14]) {
    await expect(attempt(id, { attempts, max_attempts: 15 })).rejects.toBe(FAULT)
    expect(await fileOf(id)).toEqual({ status: 'converting', error: null, conversion_status: 'in_progress' })
  }
  await expect(attempt(id, { attempts: 15, max_attempts: 15 })).rejects.toBe(FAULT)
  expect(await fileOf(id)).toEqual({ status: 'failed', error: INTERRUPTED, conversion_status: 'failed' })
})
