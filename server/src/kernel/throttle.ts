import { tooMany } from '@garantia/shared/errors'
import { type RawBuilder, sql } from 'kysely'
import type { Ctx } from './context.ts'

export interface Limit {
  bucket: string
  /** Hits allowed in a window; 0 means no limit. */
  hits: number
  window_seconds: number
  /** Begins the refusal, instead of «Muitas tentativas.». */
  reason?: string
}

const secondsUntil = (at: Date, now: Date) => Math.max(1, Math.ceil((at.getTime() - now.getTime()) / 1000))

const FIRST_BLOCK_SECONDS = 30

/**
 * Uses up one attempt before its result is known, in one statement, so that guesses sent in parallel gain
 * nothing over guesses sent one by one. The last allowed attempt blocks the bucket for 30 s; each attempt
 * after a block blocks it twice as long, up to the window. 429 with `Retry-After` while it is blocked;
 * `forgetHits` resets it after a success. Never call it inside a transaction: a rollback would undo the
 * count.
 */
export async function consumeAttempt(ctx: Ctx, { bucket, hits, window_seconds }: Limit) {
  if (hits === 0) return
  const now = ctx.clock()
  const isOver = sql<boolean>`a.first_at <= ${new Date(now.getTime() - window_seconds * 1000)}`
  const tries = sql<number>`case when ${isOver} then 1 else a.hits + 1 end`
  const blockAfter = (tries: RawBuilder<number>) => sql<Date | null>`
    case when ${tries} >= ${hits}::int then ${now}::timestamptz + make_interval(secs => least(
      ${window_seconds}::int, ${FIRST_BLOCK_SECONDS}::int * power(2, least(20, ${tries} - ${hits}::int)))) end`
  const { rows } = await sql`
    insert into attempts as a (bucket, hits, first_at, blocked_until)
      values (${bucket}, 1, ${now}, ${blockAfter(sql`1`)})
    on conflict (bucket) do update set
      hits = ${tries},
      first_at = case when ${isOver} then ${now} else a.first_at end,
      blocked_until = ${blockAfter(tries)}
    where a.blocked_until is null or a.blocked_until <= ${now}
    returning bucket`.execute(ctx.db)
  if (rows.length > 0) return
  const row = await ctx.db
    .selectFrom('attempts')
    .where('bucket', '=', bucket)
    .select('blocked_until')
    .executeTakeFirst()
  throw tooMany(secondsUntil(row?.blocked_until ?? now, now))
}

/**
 * Allows `hits` calls per fixed window, for calls that are expensive even when they succeed. 429 with
 * `Retry-After` until the window ends.
 */
export async function throttle(ctx: Ctx, limit: Limit) {
  if (limit.hits === 0) return
  const { hits, first_at } = await countHit(ctx, limit)
  if (hits > limit.hits)
    throw tooMany(
      secondsUntil(new Date(first_at.getTime() + limit.window_seconds * 1000), ctx.clock()),
      limit.reason,
    )
}

/** Hits of the current window of a bucket. */
export async function hitsOf(ctx: Ctx, { bucket, window_seconds }: Pick<Limit, 'bucket' | 'window_seconds'>) {
  const row = await ctx.db
    .selectFrom('attempts')
    .where('bucket', '=', bucket)
    .where('first_at', '>', new Date(ctx.clock().getTime() - window_seconds * 1000))
    .select('hits')
    .executeTakeFirst()
  return row?.hits ?? 0
}

/**
 * One statement, so that parallel hits on several servers are all counted. A window that has ended starts
 * again.
 */
async function countHit(ctx: Ctx, { bucket, window_seconds }: Limit) {
  const now = ctx.clock()
  const since = new Date(now.getTime() - window_seconds * 1000)
  const { rows } = await sql<{ hits: number; first_at: Date }>`
    insert into attempts as a (bucket, hits, first_at) values (${bucket}, 1, ${now})
    on conflict (bucket) do update set
      hits = case when a.first_at <= ${since} then 1 else a.hits + 1 end,
      first_at = case when a.first_at <= ${since} then ${now} else a.first_at end,
      blocked_until = case when a.first_at <= ${since} then null else a.blocked_until end
    returning hits, first_at`.execute(ctx.db)
  return rows[0] ?? { hits: 0, first_at: now }
}

/** Takes back one hit of a bucket that others share, after a success. */
export async function takeBackHit(ctx: Ctx, bucket: string) {
  await ctx.db
    .updateTable('attempts')
    .set({ hits: sql`greatest(0, hits - 1)` })
    .where('bucket', '=', bucket)
    .execute()
}

/** Resets a bucket, after a successful attempt. */
export async function forgetHits(ctx: Ctx, bucket: string) {
  await ctx.db.deleteFrom('attempts').where('bucket', '=', bucket).execute()
}

/** Removes buckets whose first hit is more than a day old. */
export async function sweepAttempts(ctx: Ctx) {
  await ctx.db
    .deleteFrom('attempts')
    .where('first_at', '<', new Date(ctx.clock().getTime() - 86_400_000))
    .execute()
}
