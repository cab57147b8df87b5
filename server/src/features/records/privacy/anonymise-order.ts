import { MARK_TEXT_MAX, readMarks } from '@garantia/shared/evidence/marks'
import { isUnderLegalHold } from '@garantia/shared/orders/hold'
import { ANONYMISED_TEXTS } from '@garantia/shared/orders/recorded'
import { isClosed } from '@garantia/shared/orders/status'
import canonicalize from 'canonicalize'
import { sql } from 'kysely'
import { type Ctx, inTransaction } from '../../../kernel/context.ts'
import { recordEvent } from '../../../kernel/events.ts'
import { isMentioning, redactCustomer, redactTexts } from '../chain/service.ts'
import { dossierKeys, lockAnyOrder } from '../retention/service.ts'
import { inClaims, inKeptTextsOfClaims } from './anonymise-claims.ts'
import type { Finder } from './mentions.ts'

const REBUILD = 'O cliente foi anonimizado enquanto o dossiê era gerado. Gere o dossiê de novo.'

interface Anonymisation {
  request_id: number
  pseudonym: string
  reason: string | null
  is_retention: boolean
  finder: Finder
}

/**
 * Puts the pseudonym in the place of the customer of one order: in its row, files, dossiers, notifications and trail.
 * One transaction, after which the request has the order as done; done already, nothing happens. Objects are removed
 * first, so that a worker that is killed in between leaves rows that are done again.
 */
export function anonymiseOrder(ctx: Ctx, id: number, about: Anonymisation) {
  return inTransaction(ctx, async (ctx) => {
    const order = await lockAnyOrder(ctx, id)
    const { numUpdatedRows } = await ctx.db
      .updateTable('privacy_requests')
      .set({ done_orders: sql`array_append(done_orders, ${id}::bigint)` })
      .where('id', '=', about.request_id)
      .where(sql<boolean>`${id} <> all (done_orders)`)
      .executeTakeFirst()
    if (!order || numUpdatedRows === 0n) return
    // Held or reopened since the nightly run: it waits.
    if (about.is_retention && (isUnderLegalHold(order) || !isClosed(order.status))) return
    const { finder, pseudonym } = about
    const texts = Object.fromEntries(ANONYMISED_TEXTS.map((name) => [name, finder.without(order[name])]))
    await ctx.db
      .updateTable('service_orders')
      .set({
        ...texts,
        customer_name: pseudonym,
        customer_document: null,
        customer_email: null,
        customer_phone: null,
        version: order.version + 1,
        updated_at: ctx.clock(),
      })
      .where('id', '=', id)
      .execute()
    await inFiles(ctx, id, finder)
    await inNotifications(ctx, id, finder)
    await ctx.db.deleteFrom('opening_keys').where('order_id', '=', id).execute()
    await inPackages(ctx, id)
    await inClaims(ctx, id, finder)
    await inTrail(ctx, id, about)
    await inKeptTextsOfClaims(ctx, id, finder)
  })
}

async function inFiles(ctx: Ctx, order_id: number, finder: Finder) {
  const files = await ctx.db
    .selectFrom('evidence_files')
    .where('order_id', '=', order_id)
    .select(['id', 'original_filename', 'converted_filename', 'description', 'error', 'marks'])
    .execute()
  for (const { id, marks, ...file } of files)
    if (finder.isIn({ ...file, marks }))
      await ctx.db
        .updateTable('evidence_files')
        .set({ ...finder.without(file), marks: marks && JSON.stringify(marksWithout(finder, marks)) })
        .where('id', '=', id)
        .execute()
  const uploads = await ctx.db
    .selectFrom('uploads')
    .where('order_id', '=', order_id)
    .select(['id', 'filename', 'description'])
    .execute()
  for (const { id, ...upload } of uploads)
    if (finder.isIn(upload))
      await ctx.db.updateTable('uploads').set(finder.without(upload)).where('id', '=', id).execute()
}

/** A pseudonym may be longer than the name; marks with a longer text could not be read any more. */
const marksWithout = (finder: Finder, marks: unknown) =>
  readMarks(marks)?.map((mark) =>
    mark.kind === 'text' ? { ...mark, text: finder.without(mark.text).slice(0, MARK_TEXT_MAX) } : mark,
  ) ?? finder.without(marks)

async function inNotifications(ctx: Ctx, order_id: number, finder: Finder) {
  const rows = await ctx.db
    .selectFrom('notifications')
    .where('order_id', '=', order_id)
    .select(['id', 'details'])
    .execute()
  for (const { id, details } of rows)
    if (finder.isIn(details))
      await ctx.db
        .updateTable('notifications')
        .set({ details: JSON.stringify(finder.without(details)) })
        .where('id', '=', id)
        .execute()
}

/** Packages of several orders, which name files; they are kept for a day, and can be asked for again. */
async function inPackages(ctx: Ctx, order_id: number) {
  const { rows } = await sql<{ id: number; key: string | null }>`
    select id, key from package_archives where orders @> ${JSON.stringify([{ id: order_id }])}::jsonb`.execute(
    ctx.db,
  )
  for (const { id, key } of rows) {
    if (key) await ctx.storage.remove(key)
    await ctx.db.deleteFrom('package_archives').where('id', '=', id).execute()
  }
}

/** The event says so first: by its moment the removed values and the dossiers are known to belong to it. */
async function inTrail(ctx: Ctx, order_id: number, about: Anonymisation) {
  const { request_id, reason, finder, pseudonym } = about
  const at = ctx.clock()
  const events = await ctx.db
    .selectFrom('events')
    .where('subject', '=', 'order')
    .where('subject_id', '=', order_id)
    .select(['seq', 'changes'])
    .execute()
  const dossiers = await withoutDossiers(ctx, order_id, finder, at)
  await recordEvent(
    { ...ctx, clock: () => at },
    {
      subject: 'order',
      subject_id: order_id,
      kind: 'anonymised',
      changes: { request_id, pseudonym, ...(reason && { legal_basis: finder.without(reason) }), dossiers },
    },
  )
  await redactCustomer(ctx, order_id)
  const mentions = Object.fromEntries(
    events.flatMap(({ seq, changes }) => {
      const naming = Object.entries(changes as object).filter(
        ([key, value]) => isMentioning(key) && finder.isIn(value),
      )
      return naming.length === 0 ? [] : [[seq, naming.map(([key]) => key)]]
    }),
  )
  await redactTexts(ctx, order_id, mentions)
}

/**
 * Stored dossiers contain the customer's name in files that are signed: they are removed. Fingerprints, hashes and
 * signature of the manifest stay, so that one that was handed out still proves itself and is confirmed; the manifest
 * itself stays without the name, for the comparison with the next version.
 */
async function withoutDossiers(ctx: Ctx, order_id: number, finder: Finder, at: Date) {
  for (const key of await dossierKeys(ctx, order_id)) await ctx.storage.remove(key)
  // One that is being built has read the name: its worker finds it failed, and removes what it made.
  await ctx.db
    .updateTable('dossiers')
    .set({ status: 'failed', error: REBUILD })
    .where('order_id', '=', order_id)
    .where('status', 'in', ['queued', 'building'])
    .execute()
  const rows = await ctx.db
    .selectFrom('dossiers')
    .where('order_id', '=', order_id)
    .where('status', '=', 'sealed')
    .where('anonymised_at', 'is', null)
    .select(['id', 'n', 'manifest', 'manifest_sha256', 'purged_at'])
    .orderBy('n')
    .execute()
  for (const { id, manifest, purged_at } of rows)
    await ctx.db
      .updateTable('dossiers')
      .set({
        anonymised_at: at,
        purged_at: purged_at ?? at,
        manifest: canonicalize(finder.without(JSON.parse(manifest ?? '{}'))),
      })
      .where('id', '=', id)
      .execute()
  return rows.map(({ n, manifest_sha256 }) => ({ n, manifest_sha256 }))
}
