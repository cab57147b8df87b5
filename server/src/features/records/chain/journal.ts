import { createHash, type Hash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { pipeline } from 'node:stream/promises'
import { keyIdFrom } from '@garantia/shared/dossier/proof'
import { sql } from 'kysely'
import { z } from 'zod'
import { type Ctx, inTransaction } from '../../../kernel/context.ts'
import { isSignedBy, publicKeyHash, publicKeyOf, signBytes } from '../../../kernel/ed25519.ts'
import { authenticationCode, eventKey, eventKeys, JOURNAL } from '../../../kernel/event-keys.ts'
import { START } from './faults.ts'
import { type SecurityHead, securityHead } from './security-queries.ts'

/**
 * The journal: beside the stored files, and so outside of the database, stands which event each chain had reached. An
 * entry is a file of JSON lines: what it is, the chains that have grown since, and an authentication code and the house's
 * signature over both.
 */
const FORMAT = 'garantia-trilha/1'
const LOCK = 7201014
/** No transaction is open that long: an event that was written before, but is not in an entry, will be in the next. */
const OVERLAP_MS = 3_600_000
const PAGE = 2_000

const header = z.object({
  format: z.literal(FORMAT),
  n: z.number(),
  at: z.iso.datetime(),
  /** SHA-256 of the entry before; zeros for the first. */
  previous: z.string(),
  /** The newest event when the entry was made. */
  last_id: z.number(),
  /** The newest batch of the security log; entries of the first releases say nothing of it. */
  security: z.number().optional(),
  /** Id of the key of the house that has signed it; entries of the first releases are not signed. */
  signer: z.string().optional(),
})
export type JournalHeader = z.infer<typeof header>
const head = z.tuple([
  z.enum(['order', 'user', 'company', 'brand', 'security']),
  z.number(),
  z.number(),
  z.string(),
])
export type JournalHead = z.infer<typeof head>
const code = z.object({
  heads: z.number(),
  key: z.string(),
  mac: z.string(),
  /** Ed25519 (RFC 8032), in Base64. */
  signature: z.string().optional(),
})
type Code = z.infer<typeof code>

/** What is authenticated and signed of an entry; `text` is what stands before the last line. */
const provenText = (heads: number, text: Hash) => `${FORMAT} ${heads} ${text.copy().digest('hex')}`
const signerOf = (public_key: string) => keyIdFrom(publicKeyHash(public_key))

function codeOf({ config }: Ctx, heads: number, text: Hash): Code {
  const [key, proven] = [eventKey(config), provenText(heads, text)]
  return {
    heads,
    key: key.id,
    mac: authenticationCode(key, proven),
    signature: signBytes(config.DOSSIER_KEY, Buffer.from(proven)).toString('base64'),
  }
}
/** Whether the authentication code is one of this house, over this text. */
export function isAuthentic({ config }: Ctx, { heads, key: id, mac }: Code, text: Hash) {
  const key = eventKeys(config).get(id)
  return key !== undefined && authenticationCode(key, provenText(heads, text)) === mac
}
/** Whether the key of the house that the header names has signed this text. */
export function isSigned({ config }: Ctx, signer: string, { heads, signature = '' }: Code, text: Hash) {
  const key = [publicKeyOf(config.DOSSIER_KEY), ...config.DOSSIER_KEY_PREVIOUS].find(
    (one) => signerOf(one) === signer,
  )
  const proven = Buffer.from(provenText(heads, text))
  return key !== undefined && isSignedBy(key, Buffer.from(signature, 'base64'), proven)
}

/** Numbers of the entries, oldest first. */
export async function journalNumbers(ctx: Ctx): Promise<number[]> {
  const numbers: number[] = []
  for await (const { key } of ctx.storage.list(JOURNAL)) {
    const n = /\/(\d+)\.jsonl$/.exec(key)?.[1]
    if (n !== undefined) numbers.push(Number(n))
  }
  return numbers.sort((one, other) => one - other)
}
export const journalKey = (n: number) => `${JOURNAL}/${String(n).padStart(8, '0')}.jsonl`

export type JournalLine =
  | { kind: 'header'; header: JournalHeader }
  | { kind: 'head'; head: JournalHead }
  /** `text` is what stands before it, `whole` the entry itself. */
  | { kind: 'code'; code: Code; text: Hash; whole: Hash }

/** An entry, line by line. Throws when a line is not what it must be. */
export async function* journalLines(ctx: Ctx, n: number): AsyncGenerator<JournalLine> {
  const whole = createHash('sha256')
  const input = await ctx.storage.read(journalKey(n))
  let isFirst = true
  try {
    for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
      const value: unknown = JSON.parse(line)
      const text = whole.copy()
      whole.update(`${line}\n`)
      if (isFirst) yield { kind: 'header', header: header.parse(value) }
      else if (Array.isArray(value)) yield { kind: 'head', head: head.parse(value) }
      else yield { kind: 'code', code: code.parse(value), text, whole }
      isFirst = false
    }
  } finally {
    input.destroy()
  }
}

/** What an entry says of itself; null when there is none of this number, or it says something else. */
export async function journalHeader(ctx: Ctx, n: number | undefined): Promise<JournalHeader | null> {
  if (n === undefined || (await ctx.storage.size(journalKey(n))) === null) return null
  try {
    for await (const line of journalLines(ctx, n)) return line.kind === 'header' ? line.header : null
  } catch {
    // The verification names it.
  }
  return null
}

/**
 * Writes the next entry of the journal: the heads of all chains that have grown since the one before. Returns its
 * number and that of the heads; null when nothing has happened since.
 */
export const anchorTrail = (ctx: Ctx) =>
  inTransaction(ctx, async (ctx) => {
    await sql`select pg_advisory_xact_lock(${LOCK})`.execute(ctx.db)
    const numbers = await journalNumbers(ctx)
    const newest = await journalHeader(ctx, numbers.at(-1))
    const { id: last_id } = await ctx.db
      .selectFrom('events')
      .select((eb) => eb.fn.coalesce(eb.fn.max('id'), sql<number>`0`).as('id'))
      .executeTakeFirstOrThrow()
    const security = await securityHead(ctx)
    if (last_id === (newest?.last_id ?? 0) && security.n === (newest?.security ?? 0)) return null
    const n = (numbers.at(-1) ?? 0) + 1
    const about: JournalHeader = {
      format: FORMAT,
      n,
      at: ctx.clock().toISOString(),
      previous: await sumOf(ctx, numbers.at(-1)),
      last_id,
      security: security.n,
      signer: signerOf(publicKeyOf(ctx.config.DOSSIER_KEY)),
    }
    const after = await firstUnsettled(ctx, numbers)
    return ctx.scratch.within('trilha', async (dir) => {
      const path = join(dir, 'entry.jsonl')
      const counted = { heads: 0 }
      await pipeline(
        entryText(ctx, { about, after, security }, counted),
        createWriteStream(path, { mode: 0o600 }),
      )
      await ctx.storage.moveIn(journalKey(n), path)
      return { n, ...counted }
    })
  })

interface EntryContents {
  about: JournalHeader
  /** Events up to this one are in an entry already. */
  after: number
  security: SecurityHead
}
async function* entryText(ctx: Ctx, { about, after, security }: EntryContents, counted: { heads: number }) {
  const text = createHash('sha256')
  const line = (value: unknown) => {
    const one = `${JSON.stringify(value)}\n`
    text.update(one)
    return one
  }
  yield line(about)
  const heads = ctx.db
    .selectFrom('events')
    .distinctOn(['subject', 'subject_id'])
    .where('id', '>', after)
    .select(['subject', 'subject_id', 'seq', 'hash'])
    .orderBy('subject')
    .orderBy('subject_id')
    .orderBy('seq', 'desc')
    .stream(PAGE)
  for await (const { subject, subject_id, seq, hash } of heads) {
    counted.heads++
    yield line([subject, subject_id, seq, hash])
  }
  if (security.n > 0) {
    counted.heads++
    yield line(['security', 0, security.n, security.hash] satisfies JournalHead)
  }
  yield `${JSON.stringify(codeOf(ctx, counted.heads, text))}\n`
}

/** Events up to this one are in an entry for sure. */
async function firstUnsettled(ctx: Ctx, numbers: readonly number[]) {
  const settled = ctx.clock().getTime() - OVERLAP_MS
  for (const n of numbers.toReversed()) {
    const found = await journalHeader(ctx, n)
    if (found && new Date(found.at).getTime() <= settled) return found.last_id
  }
  return 0
}

/** The newest entry: its number, when it was written, and its SHA-256; null when there is none that can be read. */
export async function newestAnchor(ctx: Ctx) {
  const n = (await journalNumbers(ctx)).at(-1)
  const about = await journalHeader(ctx, n)
  return about && { n: about.n, at: about.at, sha256: await sumOf(ctx, n) }
}

/** SHA-256 of an entry; zeros when there is none. */
export async function sumOf(ctx: Ctx, n: number | undefined) {
  if (n === undefined) return START
  const sum = createHash('sha256')
  for await (const chunk of await ctx.storage.read(journalKey(n))) sum.update(chunk)
  return sum.digest('hex')
}
