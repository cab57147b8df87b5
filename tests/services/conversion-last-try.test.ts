import { INTERRUPTED, requestAllConversions } from '@garantia/server/features/evidence/conversion'
import { inProcess } from '@garantia/worker/decoder/decoders'
import type { MediaTools } from '@garantia/worker/media/media'
import { ParserFailure } from '@garantia/worker/media/refusal'
import { afterAll, expect, test } from 'vitest'
import { type Jobs, taskList } from '../../worker/src/task.ts'
import { convertEvidence } from '../../worker/src/tasks/convert-evidence.ts'
import { startTestApp } from '../support/test-app.ts'

const testApp = await startTestApp()
afterAll(() => testApp[Symbol.asyncDispose]())
const { ctx } = testApp.kernel

const FAULT = new Error('the tools broke down')
const jobsThatFail = (error: Error): Partial<Jobs> => {
  const broken = { inspect: () => Promise.reject(error), convert: () => Promise.reject(error) }
  return { 'convert-evidence': convertEvidence(inProcess(broken as unknown as MediaTools)) }
}

/** One try of the job, as the queue would run it. */
async function attempt(evidence_id: number, attempts: number, error: Error = FAULT) {
  const helpers = { job: { id: '1', attempts, max_attempts: 15 }, abortSignal: new AbortController().signal }
  await taskList(ctx, jobsThatFail(error) as Jobs, ['convert-evidence'], () => false)['convert-evidence']?.(
    { evidence_id },
    helpers as never,
  )
}
const fileOf = (id: number) =>
  ctx.db
    .selectFrom('evidence_files')
    .innerJoin('service_orders', 'service_orders.id', 'evidence_files.order_id')
    .where('evidence_files.id', '=', id)
    .select(['evidence_files.status', 'error', 'service_orders.conversion_status'])
    .executeTakeFirstOrThrow()

test('a conversion that fails for no fault of the file is tried again, and its last try fails visibly', async () => {
  const { id, order_id } = await testApp.make.evidence()
  await requestAllConversions(ctx, order_id)
  for (const attempts of [1, 14]) {
    await expect(attempt(id, attempts)).rejects.toBe(FAULT)
    expect(await fileOf(id)).toEqual({ status: 'converting', error: null, conversion_status: 'in_progress' })
  }
  await expect(attempt(id, 15)).rejects.toBe(FAULT)
  expect(await fileOf(id)).toEqual({ status: 'failed', error: INTERRUPTED, conversion_status: 'failed' })
})

test('a file over which a library fails unforeseen is answered after the third try', async () => {
  const { id, order_id } = await testApp.make.evidence()
  await requestAllConversions(ctx, order_id)
  const failure = new ParserFailure('pdf.catalog.lookup is not a function')
  for (const attempts of [1, 2]) {
    await expect(attempt(id, attempts, failure)).rejects.toBe(failure)
    expect(await fileOf(id)).toMatchObject({ status: 'converting', error: null })
  }
  await attempt(id, 3, failure)
  expect(await fileOf(id)).toEqual({
    status: 'failed',
    error: expect.stringContaining('O arquivo não pôde ser lido: o conteúdo está danificado'),
    conversion_status: 'failed',
  })
})

test('a job that ends after its process has lost it to another is not reported as done, which would remove it', async () => {
  const helpers = {
    job: { id: '1', attempts: 1, max_attempts: 15 },
    abortSignal: new AbortController().signal,
  }
  const jobs: Partial<Jobs> = { 'note-due-of-order': async () => undefined }
  const run = (isLost: boolean) =>
    taskList(ctx, jobs as Jobs, ['note-due-of-order'], () => isLost)['note-due-of-order']?.(
      { order_id: 1 },
      helpers as never,
    )
  await expect(run(true)).rejects.toThrow('outro worker pode ter este trabalho')
  await expect(run(false)).resolves.toBeUndefined()
})
