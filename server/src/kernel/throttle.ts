import { tooMany } from '@garantia/shared/errors'
import { sql } from 'kysely'
import type { Ctx } from './context.ts'

export interface Limit {
  bucket: string
  /** Hits allowed in a window (one at least); 0 means no limit. */
  hits: number
  window_seconds: number
}

const secondsUntil = (at: Date, now: Date) => Math.max(1, Math.ceil((at.getTime() - now.getTime()) / 1000))

/** Refuses while the bucket is blocked. Never inside a transaction: what it counts must outlive a refusal. */
export async function refuseWhileBlocked(ctx: Ctx, { bucket, hits }: Limit) {
  if (hits === 0) return
  const now = ctx.clock()
  const row = await ctx.db
    .selectFrom('attempts')
    .where('bucket', '=', bucket)
    .where('blocked_until', '>', now)
    .select('blocked_until')
    .executeTakeFirst()
  if (row?.blocked_until) throw tooMany(secondsUntil(row.blocked_until, now))
}

const FIRST_BLOCK_SECONDS = 30

/** Counts one failure. From the last allowed one on, each blocks the bucket twice as long, up to its window. */
export async function countFailure(ctx: Ctx, limit: Limit) {
  if (limit.hits === 0) return
  const { hits } = await countHit(ctx, limit)
  if (hits < limit.hits) return
  const seconds = Math.min(limit.window_seconds, FIRST_BLOCK_SECONDS * 2 ** Math.min(20, hits - limit.hits))
  const blocked_until = new Date(ctx.clock().getTime() + seconds * 1000)
  await ctx.db
    .updateTable('attempts')
    .set((eb) => ({ blocked_until: eb.fn('greatest', ['blocked_until', eb.val(blocked_until)]) }))
    .where('bucket', '=', limit.bucket)
    .execute()
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
