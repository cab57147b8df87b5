import { randomUUID } from 'node:crypto'
import type { EventSubject } from '@garantia/migrations/schema'
import { sql } from 'kysely'
import { accountStates, recordedParts } from './account-state.ts'
import { type Ctx, inTransaction } from './context.ts'
import { CHAIN_START, contentHash, linkText, sha256, valueHash } from './event-hashes.ts'
import { authenticationCode, eventKey } from './event-keys.ts'
import type { Origin } from './origin.ts'

export interface EventInput {
  subject: EventSubject
  subject_id: number
  /** Dotted lower case, as «opened» or «evidence.uploaded». */
  kind: string
  changes?: Record<string, unknown>
  /** Network address and browser of the caller, for sign-ins and exports. */
  origin?: Origin
}
/**
 * Adds one event to the audit trail, in the caller's transaction: it is written only if the change commits.
 */
export const recordEvent = (ctx: Ctx, change: EventInput) => recordEvents(ctx, [change])

/**
 * Adds several events at once, with the actor and the clock of the context, each with its authentication code. One that
 * changes a person's rights or credentials is to be added after they have changed: it records them.
 */
export const recordEvents = (ctx: Ctx, changes: readonly EventInput[]) =>
  inTransaction(ctx, async (ctx) => {
    if (changes.length === 0) return
    const events = (await withAccounts(ctx, changes)).map((change) => contentOf(ctx, change))
    const taken = await append(ctx, events)
    // The chains are locked by now, so that their places are known.
    if (taken.length > 0 && (await append(ctx, taken)).length > 0)
      throw new Error('An event could not be added to its chain')
  })

/** The events, with what those of people record of their accounts. */
async function withAccounts(ctx: Ctx, events: readonly EventInput[]): Promise<readonly EventInput[]> {
  const partsOf = ({ subject, kind, changes = {} }: EventInput) =>
    subject === 'user' ? recordedParts(kind, changes) : []
  const recording = events.filter((event) => partsOf(event).length > 0)
  if (recording.length === 0) return events
  const states = await accountStates(
    ctx,
    recording.map(({ subject_id }) => subject_id),
  )
  return events.map((event) => {
    const state = states.get(event.subject_id)
    const parts = partsOf(event)
    if (!state || parts.length === 0) return event
    const recorded = Object.fromEntries(parts.map((part) => [part, state[part]]))
    return { ...event, changes: { ...event.changes, recorded } }
  })
}

type Head = { seq: number; hash: string }
/**
 * Where the chains were left, by this process: whoever knows it adds an event with one statement. What is wrong here
 * (another process was faster, a transaction was rolled back) costs a second one, since the database has the last word.
 */
const heads = new Map<string, Head>()
const MOST_HEADS = 10_000

function keep(chain: string, head: Head) {
  heads.delete(chain)
  heads.set(chain, head)
  const [oldest] = heads.size > MOST_HEADS ? heads.keys() : []
  if (oldest !== undefined) heads.delete(oldest)
}
const chainOf = ({ subject, subject_id }: { subject: string; subject_id: number }) =>
  `${subject} ${subject_id}`

type Content = ReturnType<typeof contentOf>

/** Everything but the place in the chain. Each value has a salt, so that it can be removed (DECISIONS.md, 162). */
function contentOf({ actor, clock }: Ctx, { subject, subject_id, kind, changes, origin }: EventInput) {
  const given: Record<string, unknown> = JSON.parse(JSON.stringify(changes ?? {}))
  const salts = Object.fromEntries(Object.keys(given).map((key) => [key, randomUUID()]))
  return {
    subject,
    subject_id,
    kind,
    moment: clock().toISOString().replace('Z', '000Z'),
    actor_id: actor.kind === 'user' ? actor.id : null,
    actor_name: actor.kind === 'user' ? actor.name : 'Sistema',
    ip: origin?.ip ?? null,
    user_agent: origin?.user_agent ?? null,
    changes: given,
    salts,
    content_hash: contentHash(Object.entries(given).map(([key, value]) => valueHash(key, value, salts[key]))),
  }
}

/**
 * Adds the events to their chains, after the head that this process knows of each. Returns those whose chain has
 * another head; then nothing of that chain was written, it is locked, and its head is known.
 */
async function append(ctx: Ctx, events: readonly Content[]): Promise<Content[]> {
  const key = eventKey(ctx.config)
  const planned = new Map<string, Head>()
  const rows = events.map((event) => {
    const chain = chainOf(event)
    const before = planned.get(chain) ?? heads.get(chain) ?? CHAIN_START
    const placed = { ...event, seq: before.seq + 1, previous_hash: before.hash }
    const hash = sha256(linkText(3, placed))
    planned.set(chain, { seq: placed.seq, hash })
    return { ...placed, hash, mac: authenticationCode(key, hash) }
  })
  const { rows: answers } = await sql<{ found: [string, number, number, string][] | null }>`
    select append_events(${JSON.stringify(rows)}::jsonb, ${key.id}, ${events[0]?.actor_id ?? null}) as found`.execute(
    ctx.db,
  )
  const stale = new Set<string>()
  for (const [subject, subject_id, seq, hash] of answers[0]?.found ?? []) {
    const chain = chainOf({ subject, subject_id })
    if (planned.get(chain)?.hash === hash) continue
    stale.add(chain)
    planned.set(chain, { seq, hash })
  }
  for (const [chain, head] of planned) keep(chain, head)
  return events.filter((event) => stale.has(chainOf(event)))
}

/**
 * The fields whose value differs, as `[before, after]`; null when none does. Undefined fields of `after` are
 * ignored.
 */
export function differences<T extends object>(before: T, after: Partial<T>): Record<string, unknown> | null {
  const changed = (Object.keys(after) as (keyof T & string)[]).filter(
    (field) => after[field] !== undefined && JSON.stringify(before[field]) !== JSON.stringify(after[field]),
  )
  if (changed.length === 0) return null
  return Object.fromEntries(changed.map((field) => [field, [before[field], after[field]]]))
}
