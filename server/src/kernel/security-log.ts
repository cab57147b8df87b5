import { isRefusal, type SecurityKind } from '@garantia/shared/audit/security'
import type { Actor } from '@garantia/shared/policy'
import type { Config } from './config.ts'
import type { Logger } from './log.ts'
import { networkOf, type Origin } from './origin.ts'
import { createSecurityBatches } from './security-batches.ts'
import type { Db } from './strict-writes.ts'

/** What is noted within a second is written as one batch of the chain. */
const GATHER_MS = 1_000
/** The same person on the same order is one entry in this time. */
const READ_WINDOW_MS = 10 * 60_000
/** The same refusal of the same caller is one entry, with its number, in this time. */
const REFUSAL_WINDOW_MS = 60_000
const EXPORTS: readonly SecurityKind[] = ['orders.exported', 'claims.exported', 'security_log.exported']
const RETRY_MS = 5_000
const MOST_KEPT = 10_000
const MOST_AT_ONCE = 1_000

export interface Noted {
  kind: SecurityKind
  order_id?: number
  /** Data of few values, since each combination is an entry of its own. */
  details?: Record<string, string | number>
}

/** Each export counts. */
const windowOf = (kind: SecurityKind) =>
  EXPORTS.includes(kind) ? 0 : isRefusal(kind) ? REFUSAL_WINDOW_MS : READ_WINDOW_MS

interface Caller {
  actor: Actor
  origin?: Origin
  clock: () => Date
}

/** Who read personal data, and what was refused (table `security_log`). */
export interface SecurityLog {
  /**
   * Notes what the caller of this context did or was refused. Costs no query: entries are gathered for a second,
   * and what repeats is not written again, or only its number. What the system itself does is not noted.
   */
  note(ctx: Caller, noted: Noted): void
  /** Writes everything that waits. */
  flush(): Promise<void>
  /** Writes everything that waits, and nothing after that. */
  close(): Promise<void>
}

type Row = ReturnType<typeof rowOf>
interface Kept {
  row: Row
  /** Occurrences that are not written yet. */
  times: number
  /** When these may be written; without any, when the next one is an entry of its own. */
  due: number
}

/** `now` in milliseconds. What is lost at most, when the process is killed, is a second. */
export function openSecurityLog(
  { db, log, config }: { db: Db; log: Logger; config: Config },
  now: () => number = Date.now,
): SecurityLog {
  const append = createSecurityBatches(db, config)
  const kept = new Map<string, Kept>()
  let timer: NodeJS.Timeout | undefined
  let timerDue = Number.POSITIVE_INFINITY
  let writing: Promise<void> = Promise.resolve()
  let isClosed = false

  function flushAt(due: number) {
    if (isClosed || due >= timerDue) return
    clearTimeout(timer)
    timerDue = due
    timer = setTimeout(
      () => {
        timerDue = Number.POSITIVE_INFINITY
        void write((entry) => entry.due <= now())
      },
      Math.max(0, due - now()),
    ).unref()
  }

  const write = (isDue: (entry: Kept) => boolean) => {
    writing = writing.then(() => writeDue(isDue))
    return writing
  }
  async function writeDue(isDue: (entry: Kept) => boolean) {
    for (const [key, entry] of kept) if (entry.times === 0 && entry.due <= now()) kept.delete(key)
    const due = [...kept.values()].filter((entry) => entry.times > 0 && isDue(entry))
    for (let at = 0; at < due.length; at += MOST_AT_ONCE) await insert(due.slice(at, at + MOST_AT_ONCE))
    for (const { times, due } of kept.values()) if (times > 0) flushAt(due)
  }
  async function insert(entries: Kept[]) {
    const rows = entries.map(({ row, times }) => ({ ...row, times }))
    for (const entry of entries) {
      entry.times = 0
      entry.due = now() + windowOf(entry.row.kind)
    }
    try {
      await append(rows)
    } catch (err) {
      log.warn({ err, entries: rows.length }, 'registro de segurança espera pelo banco')
      for (const [index, entry] of entries.entries()) {
        entry.times += rows[index]?.times ?? 0
        entry.due = now() + RETRY_MS
      }
    }
  }

  return {
    note(ctx, noted) {
      if (ctx.actor.kind === 'system') return
      const row = rowOf(ctx, noted)
      const key = [
        noted.kind,
        row.user_id ?? networkOf(row.ip),
        noted.order_id,
        JSON.stringify(row.details),
      ].join('|')
      const known = kept.get(key)
      if (known && (known.times > 0 || known.due > now())) {
        if (windowOf(noted.kind) === READ_WINDOW_MS) return
        if (known.times === 0) {
          known.row = row
          // In the order in which they will be written.
          kept.delete(key)
          kept.set(key, known)
        }
        known.times++
        flushAt(known.due)
        return
      }
      if (kept.size >= MOST_KEPT) forgetOne()
      kept.delete(key)
      const due = now() + GATHER_MS
      kept.set(key, { row, times: 1, due })
      flushAt(due)
    },
    flush: () => write(() => true),
    async close() {
      await write(() => true)
      isClosed = true
      clearTimeout(timer)
    },
  }

  /** The oldest that is written; when none is, the oldest of all, so that an attack does not fill the memory. */
  function forgetOne() {
    for (const [key, { times }] of kept) if (times === 0) return kept.delete(key)
    const [oldest] = kept.keys()
    log.warn('registro de segurança cheio: uma entrada se perdeu')
    return oldest !== undefined && kept.delete(oldest)
  }
}

const rowOf = ({ actor, origin, clock }: Caller, noted: Noted) => ({
  moment: clock().toISOString().replace('Z', '000Z'),
  kind: noted.kind,
  user_id: actor.kind === 'user' ? actor.id : null,
  actor_name: actor.kind === 'user' ? actor.name : null,
  order_id: noted.order_id ?? null,
  details: noted.details ?? {},
  ip: origin?.ip ?? null,
  user_agent: origin?.user_agent ?? null,
})
