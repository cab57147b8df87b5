import { DatabaseError } from 'pg'
import type { Ctx } from '../../../kernel/context.ts'
import type { Contents } from './manifest.ts'

const UNDEFINED_TABLE = '42P01'
const LONGEST_ERROR = 500
const KEPT_DAYS = 400

/** Does a backup or a trial of one, and notes how it ended, unless it was aborted. Throws what it throws. */
export async function noteRun<T extends { contents: Contents }>(
  ctx: Ctx,
  { signal, ...run }: { kind: 'backup' | 'trial'; place: string; signal?: AbortSignal | undefined },
  work: () => Promise<T>,
): Promise<T> {
  const started_at = ctx.clock()
  const note = async (end: { contents: Contents } | { error: string }) => {
    const { contents, error } = { contents: undefined, error: undefined, ...end }
    await ctx.db
      .insertInto('backup_runs')
      .values({
        ...run,
        ...{ started_at, finished_at: ctx.clock(), error },
        backup_id: contents?.id,
        rows: contents?.tables.reduce((sum, { rows }) => sum + rows, 0),
        files: contents?.files.count,
        bytes: contents?.files.bytes,
      })
      .execute()
    await ctx.db
      .deleteFrom('backup_runs')
      .where('finished_at', '<', new Date(started_at.getTime() - KEPT_DAYS * 86_400_000))
      .execute()
  }
  try {
    const done = await work()
    await note(done).catch(ignoreMissingTable)
    return done
  } catch (error) {
    if (signal?.aborted) throw error
    const text = error instanceof Error ? error.message : String(error)
    // The database may be the reason; then there is nothing to note it in.
    await note({ error: text.slice(0, LONGEST_ERROR) || 'sem mensagem' }).catch((err: unknown) =>
      ctx.log.warn({ err }, 'o fim do backup não foi anotado'),
    )
    throw error
  }
}

/** Before a migration the table may not be there yet. */
function ignoreMissingTable(error: unknown) {
  if (!(error instanceof DatabaseError && error.code === UNDEFINED_TABLE)) throw error
}

/** The newest complete backup in this place; when it began is the moment whose data it has. */
export const lastBackupIn = (ctx: Ctx, place: string) =>
  ctx.db
    .selectFrom('backup_runs')
    .where('kind', '=', 'backup')
    .where('place', '=', place)
    .where('error', 'is', null)
    .select(['started_at', 'backup_id'])
    .orderBy('started_at', 'desc')
    .limit(1)
    .executeTakeFirst()

/** The last backup and why it failed, the newest complete one, wherever it is, and the newest trial. */
export async function readBackupRuns(ctx: Ctx) {
  const newest = (kind: 'backup' | 'trial') =>
    ctx.db
      .selectFrom('backup_runs')
      .where('kind', '=', kind)
      .select(['finished_at', 'place', 'backup_id', 'error'])
      .orderBy('finished_at', 'desc')
      .limit(1)
  return {
    last: (await newest('backup').executeTakeFirst()) ?? null,
    done: (await newest('backup').where('error', 'is', null).executeTakeFirst()) ?? null,
    trial: (await newest('trial').executeTakeFirst()) ?? null,
  }
}
