import { sql } from 'kysely'
import type { Ctx } from '../../../kernel/context.ts'

/** No worker takes jobs until `resumeQueue`; false when it is paused already. */
export async function pauseQueue({ db }: Ctx) {
  const { rows } =
    await sql`insert into queue_pause default values on conflict do nothing returning single`.execute(db)
  return rows.length > 0
}

/** False when the queue is not paused. */
export async function resumeQueue({ db }: Ctx) {
  const { numDeletedRows } = await db.deleteFrom('queue_pause').executeTakeFirst()
  return numDeletedRows > 0n
}

export const isQueuePaused = async ({ db }: Ctx) =>
  (await db.selectFrom('queue_pause').select('single').executeTakeFirst()) !== undefined

/** Runs a job at once, as if it had never failed; false when there is none of this id that waits. */
export async function retryJob({ db }: Ctx, id: number) {
  const { rows } = await sql`select from graphile_worker.reschedule_jobs(
    (select array_agg(j.id) from graphile_worker.jobs j where j.id = ${id} and j.locked_at is null),
    run_at => now(), attempts => 0)`.execute(db)
  return rows.length > 0
}
