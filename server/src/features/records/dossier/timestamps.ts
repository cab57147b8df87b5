import { createHash, randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { STAMP } from '@garantia/shared/dossier/proof'
import type { DossierView } from '@garantia/shared/dossier/schema'
import { type Ctx, enqueue, inTransaction } from '../../../kernel/context.ts'
import { judgeStamp, type ReceivedStamp, requestStamp } from '../../../kernel/time-authority.ts'

const DAY_MS = 86_400_000
/** An authority that has not answered for so long is not asked again. */
const PATIENCE_DAYS = 30
const AT_ONCE = 100

/** Notes that a sealed dossier waits for its stamp, where an authority is configured; in the caller's transaction. */
export async function awaitStamp(ctx: Ctx, dossier_id: number) {
  if (!ctx.config.TSA_URL) return
  await ctx.db
    .insertInto('dossier_timestamps')
    .values({ dossier_id, requested_at: ctx.clock() })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await enqueue(ctx, 'request-timestamps', {}, { key: 'request-timestamps', max_attempts: 1 })
}

const patienceEnds = (ctx: Ctx) => new Date(ctx.clock().getTime() - PATIENCE_DAYS * DAY_MS)

/**
 * Asks for the stamps of sealed dossiers that wait for one, oldest first. Ends at the first that the authority does not
 * give, with the reason in its row: the next run asks again. Returns how many came.
 */
export async function stampDossiers(ctx: Ctx): Promise<{ stamped: number; error: string | null }> {
  if (!ctx.config.TSA_URL) return { stamped: 0, error: null }
  const waiting = await ctx.db
    .selectFrom('dossier_timestamps as t')
    .innerJoin('dossiers as d', 'd.id', 't.dossier_id')
    .where('t.answer', 'is', null)
    .where('t.requested_at', '>', patienceEnds(ctx))
    .select(['d.id', 'd.order_id', 'd.manifest'])
    .orderBy('t.tries')
    .orderBy('t.requested_at')
    .limit(AT_ONCE)
    .execute()
  let stamped = 0
  for (const { id, order_id, manifest } of waiting) {
    try {
      const sha256 = createHash('sha256')
        .update(manifest ?? '')
        .digest()
      await store(ctx, { id, order_id }, await requestStamp(ctx, sha256))
      stamped++
    } catch (cause) {
      const error = cause instanceof Error ? cause.message : String(cause)
      await ctx.db
        .updateTable('dossier_timestamps')
        .set((eb) => ({ error, tries: eb('tries', '+', 1) }))
        .where('dossier_id', '=', id)
        .where('answer', 'is', null)
        .execute()
      return { stamped, error }
    }
  }
  return { stamped, error: null }
}

/** Beside the files of the dossier and in its row. A second worker that has stamped it meanwhile was first. */
async function store(ctx: Ctx, dossier: { id: number; order_id: number }, { answer, stamp }: ReceivedStamp) {
  const key = `os/${dossier.order_id}/${randomUUID()}/${STAMP}`
  await ctx.scratch.within('stamp', async (dir) => {
    const path = join(dir, STAMP)
    await writeFile(path, answer)
    await ctx.storage.moveIn(key, path)
  })
  const isFirst = await inTransaction(ctx, async (ctx) => {
    const { id: dossier_id } = dossier
    const { numUpdatedRows } = await ctx.db
      .updateTable('dossier_timestamps')
      .set({ answer, stamped_at: stamp.at, authority: stamp.authority, error: null })
      .where('dossier_id', '=', dossier_id)
      .where('answer', 'is', null)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return false
    const { purged_at } = await ctx.db
      .selectFrom('dossiers')
      .where('id', '=', dossier_id)
      .select('purged_at')
      .forUpdate()
      .executeTakeFirstOrThrow()
    // Its other files are gone: the stamp stays in the row only.
    if (purged_at) return false
    const sha256 = createHash('sha256').update(answer).digest('hex')
    await ctx.db
      .insertInto('dossier_files')
      .values({ dossier_id, part: 'tsr', key, size: answer.length, sha256 })
      .execute()
    return true
  }).catch(async (error: unknown) => {
    await ctx.storage.remove(key)
    throw error
  })
  if (!isFirst) await ctx.storage.remove(key)
}

/** What the screen says of the stamps of these dossiers, by their ids. */
export async function timestampsOf(ctx: Ctx, ids: readonly number[]) {
  const rows =
    ids.length === 0
      ? []
      : await ctx.db
          .selectFrom('dossier_timestamps')
          .where('dossier_id', 'in', ids)
          .select(['dossier_id', 'requested_at', 'stamped_at', 'authority', 'error'])
          .execute()
  const end = patienceEnds(ctx)
  return new Map(
    rows.map(({ dossier_id, requested_at, stamped_at, authority, error }) => {
      const status = stamped_at ? 'stamped' : requested_at > end ? 'pending' : 'given_up'
      const view: NonNullable<DossierView['timestamp']> = {
        ...{ status, authority, error },
        stamped_at: stamped_at?.toISOString() ?? null,
      }
      return [dossier_id, view] as const
    }),
  )
}

export interface StampFault {
  order_id: number
  n: number
  problem: string
}
/** Verifies the stored stamps of sealed dossiers, or of one order's, without a network: what is wrong, in words. */
export async function verifyStamps(
  ctx: Ctx,
  only?: number,
): Promise<{ stamps: number; faults: StampFault[] }> {
  let query = ctx.db
    .selectFrom('dossier_timestamps as t')
    .innerJoin('dossiers as d', 'd.id', 't.dossier_id')
    .where('t.answer', 'is not', null)
    .select(['d.order_id', 'd.n', 'd.manifest', 't.answer'])
    .orderBy('d.id')
  if (only !== undefined) query = query.where('d.order_id', '=', only)
  const report = { stamps: 0, faults: [] as StampFault[] }
  for await (const { order_id, n, manifest, answer } of query.stream(AT_ONCE)) {
    report.stamps++
    const sha256 = createHash('sha256')
      .update(manifest ?? '')
      .digest()
    const stamp = await judgeStamp(ctx, answer ?? new Uint8Array(), sha256)
    if (!stamp.is_valid) report.faults.push({ order_id, n, problem: `dossiê ${n}: ${stamp.text}` })
  }
  return report
}
