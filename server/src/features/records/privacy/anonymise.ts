import { sql } from 'kysely'
import { type Ctx, inTransaction } from '../../../kernel/context.ts'
import { encrypt } from '../../../kernel/encryption.ts'
import { redactSearches } from '../chain/service.ts'
import { anonymiseOrder } from './anonymise-order.ts'
import { removeExportsOf } from './export.ts'
import { failRequest } from './fail-request.ts'
import { certain, type Finder, type Forms, finderOf } from './mentions.ts'
import { decrypted, decryptedSubject, ENCRYPTION_PURPOSE, rowOf } from './requests.ts'
import { formsOf, ordersOf, tracesOf } from './subject.ts'

const UNREADABLE = 'A chave com que o pedido foi guardado não existe mais. Faça o pedido de novo.'

/**
 * Anonymises the customer of a request in each of its orders, and then in mails, saved views, imports, remittances and
 * searches.
 * Done again after it was interrupted, it goes on with the orders that are left. Nothing happens once it is done.
 */
export async function anonymise(ctx: Ctx, request_id: number, signal?: AbortSignal) {
  const row = await rowOf(ctx, request_id)
  if (row?.kind !== 'anonymise' || row.status === 'done' || row.status === 'failed') return
  const forms = await keptForms(ctx, row)
  if (!forms) return failRequest(ctx, request_id, UNREADABLE)
  const { pseudonym, reason, is_retention } = row
  const finder = finderOf(forms, pseudonym)
  for (const id of row.orders.filter((id) => !row.done_orders.includes(id))) {
    signal?.throwIfAborted()
    await anonymiseOrder(ctx, id, { request_id, pseudonym, reason, is_retention, finder })
  }
  const subject = decryptedSubject(ctx, row.encrypted_subject)
  // Mails and imports are also of the orders that a customer has within the time.
  const isGone = !row.is_retention || !subject || (await ordersOf(ctx, subject)).length === 0
  if (isGone) await elsewhere(ctx, forms, finderOf(certain(forms), pseudonym))
  await removeExportsOf(ctx, row.orders)
  await inTransaction(ctx, async (ctx) => {
    // The sums of customers still name what was not folded.
    await sql`select fold_orders()`.execute(ctx.db)
    await ctx.db
      .updateTable('privacy_requests')
      .set({ status: 'done', finished_at: ctx.clock(), encrypted_subject: null, encrypted_forms: null })
      .set({ reason: reason === null ? null : finder.without(reason) })
      .where('id', '=', request_id)
      .execute()
  })
}

/** What is searched for, gathered before the first order is changed and kept, encrypted, until the last is. */
async function keptForms(
  ctx: Ctx,
  row: NonNullable<Awaited<ReturnType<typeof rowOf>>>,
): Promise<Forms | null> {
  const kept = row.encrypted_forms === null ? null : decrypted(ctx, row.encrypted_forms)
  if (kept !== null) return JSON.parse(kept) as Forms
  const subject = decryptedSubject(ctx, row.encrypted_subject)
  if (!subject || row.encrypted_forms !== null) return null
  const forms = await formsOf(ctx, subject, row.orders)
  await ctx.db
    .updateTable('privacy_requests')
    .set({
      status: 'running',
      encrypted_forms: encrypt(ctx.config.SIGNING_KEY, ENCRYPTION_PURPOSE, JSON.stringify(forms)),
    })
    .where('id', '=', row.id)
    .execute()
  return forms
}

async function elsewhere(ctx: Ctx, forms: Forms, finder: Finder) {
  const { mails, views, imports, remittances, remittance_lines, searches } = await tracesOf(ctx, forms)
  if (mails.length > 0) await ctx.db.deleteFrom('mails').where('id', 'in', mails).execute()
  for (const id of views) await withoutView(ctx, id, finder)
  for (const id of imports) await withoutImport(ctx, id, finder)
  for (const id of remittances) await withoutRemittance(ctx, id, finder)
  for (const id of remittance_lines) await withoutRemittanceLine(ctx, id, finder)
  await redactSearches(ctx, searches, ctx.clock())
}

async function withoutView(ctx: Ctx, id: number, finder: Finder) {
  const view = await ctx.db
    .selectFrom('order_views')
    .where('id', '=', id)
    .select(['name', 'criteria'])
    .executeTakeFirst()
  if (!view) return
  const { name, criteria } = finder.without(view)
  await ctx.db
    .updateTable('order_views')
    .set({ name: name.slice(0, 60), criteria: JSON.stringify(criteria) })
    .where('id', '=', id)
    .execute()
}

/** The lines of an import are kept for its report alone: they go whole, and what it created stays. */
async function withoutImport(ctx: Ctx, id: number, finder: Finder) {
  const found = await ctx.db
    .selectFrom('order_imports')
    .where('id', '=', id)
    .select(['filename', 'error', 'headings'])
    .executeTakeFirst()
  if (!found) return
  await ctx.db
    .updateTable('order_imports')
    .set({ ...finder.without(found), rows: null, content: null, sample: '[]' })
    .where('id', '=', id)
    .execute()
}

/** The sheet of a remittance goes whole, as that of an import; what it pays stays, in its lines. */
async function withoutRemittance(ctx: Ctx, id: number, finder: Finder) {
  const found = await ctx.db
    .selectFrom('remittances')
    .where('id', '=', id)
    .select(['filename', 'number', 'error', 'headings', 'undo_reason'])
    .executeTakeFirst()
  if (!found) return
  const { number, filename, ...texts } = finder.without(found)
  await ctx.db
    .updateTable('remittances')
    .set({ number: number?.slice(0, 60) ?? null, filename: filename?.slice(0, 255) ?? null })
    .set({ ...texts, rows: null, content: null, sample: '[]' })
    .where('id', '=', id)
    .execute()
}

async function withoutRemittanceLine(ctx: Ctx, id: number, finder: Finder) {
  const found = await ctx.db
    .selectFrom('remittance_lines')
    .where('id', '=', id)
    .select(['brand_number', 'document', 'resolution_note'])
    .executeTakeFirst()
  if (!found) return
  await ctx.db.updateTable('remittance_lines').set(finder.without(found)).where('id', '=', id).execute()
}
