import { enqueue } from '@garantia/server/kernel'
import { conversionJobKey } from '@garantia/shared/jobs'
import { mediaJobsAtOnce } from '@garantia/worker'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { startTestApp } from '../support/test-app.ts'
import { spawnWorker, stopProcess } from './process.ts'

test('a job that decodes no file goes on while conversions wait in every place of theirs', async () => {
  await using testApp = await startTestApp()
  const { ctx } = testApp.kernel
  const most = mediaJobsAtOnce(ctx.config)
  const busy = await testApp.make.order()
  const files = await Promise.all(
    Array.from({ length: 2 * most }, () => testApp.make.evidence({ order_id: busy.id })),
  )
  const other = await testApp.make.order()
  const conversions = async () => {
    const { rows } = await sql<{ n: number }>`select count(*)::int as n from graphile_worker.jobs
      where task_identifier = 'convert-evidence' and locked_at is not null`.execute(ctx.db)
    return rows[0]?.n
  }
  const worker = await spawnWorker(testApp)
  // Every conversion of this order waits for its lock.
  await testApp.owner.db.transaction().execute(async (db) => {
    await sql`select from service_orders where id = ${busy.id} for update`.execute(db)
    for (const { id } of files)
      await enqueue(ctx, 'convert-evidence', { evidence_id: id }, { key: conversionJobKey(id) })
    await expect.poll(conversions).toBe(most)
    await enqueue(ctx, 'note-due-of-order', { order_id: other.id }, { key: 'due' })
    await expect
      .poll(async () => (await sql`select from graphile_worker.jobs where key = 'due'`.execute(ctx.db)).rows)
      .toEqual([])
    expect(await conversions()).toBe(most)
  })
  expect(await stopProcess(worker, 'SIGTERM')).toBe(0)
})
