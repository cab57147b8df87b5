import { tooMany } from '@garantia/shared/errors'
import { type RawBuilder, sql } from 'kysely'
import type { Ctx } from './context.ts'

export interface Limit {
  bucket: string
  /** Hits allowed in a window (one at least); 0 means no limit. */
  hits: number
  window_seconds: number
}

const secondsUntil = (at: Date, now: Date) => Math.max(1, Math.ceil((at.getTime() - now.getTime()) / 1000))

const FIRST_BLOCK_SECONDS = 30

/**
 * Takes one of the tries that are left, before the answer is known: of guesses sent at once no more are judged
 * than of guesses sent one by one. The last one allowed blocks the bucket, and each one after a block blocks it
 * twice as long, up to its window; `forgetHits` gives all back. Never inside a transaction: a refusal must not
 * undo it.
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

/** For calls that cost something even when they succeed: so many in a window, then none until it ends. */
export async function throttle(ctx: Ctx, limit: Limit) {
  if (limit.hits === 0) return
  const { hits, first_at } = await countHit(ctx, limit)
  if (hits > limit.hits)
    throw tooMany(secondsUntil(new Date(first_at.getTime() + limit.window_seconds * 1000), ctx.clock()))
}

/** One statement, so that parallel hits on N servers are all counted. A window that is over starts anew. */
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

export async function forgetHits(ctx: Ctx, bucket: string) {
  await ctx.db.deleteFrom('attempts').where('bucket', '=', bucket).execute()
}

/** Removes buckets whose window is long over. */
export async function sweepAttempts(ctx: Ctx) {
  await ctx.db
    .deleteFrom('attempts')
    .where('first_at', '<', new Date(ctx.clock().getTime() - 86_400_000))
    .execute()
}

/** The network an address belongs to: /24 of IPv4, /64 of IPv6, since one person can hold many addresses of it. */
export function networkOf(ip: string | null) {
  if (!ip) return 'local'
  const v4 = /^(?:::ffff:)?(\d+\.\d+\.\d+)\.\d+$/i.exec(ip)
  if (v4?.[1]) return v4[1]
  const [head = '', tail] = (ip.split('%')[0] ?? '').toLowerCase().split('::')
  const [first, last] = [groupsOf(head), groupsOf(tail ?? '')]
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - first.length - last.length)
  return [...first, ...Array(zeros).fill('0'), ...last].slice(0, 4).join(':')
}
const groupsOf = (part: string) =>
  part
    .split(':')
    .filter(Boolean)
    .map((group) => group.replace(/^0+(?=.)/, ''))
