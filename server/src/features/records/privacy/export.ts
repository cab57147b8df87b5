import { randomUUID } from 'node:crypto'
import { conflict, notFound } from '@garantia/shared/errors'
import { authorize, can } from '@garantia/shared/policy'
import type { PrivacyRequest, Subject } from '@garantia/shared/privacy/subject'
import { sql } from 'kysely'
import { type Ctx, inTransaction } from '../../../kernel/context.ts'
import { findActivePerson } from '../../../kernel/person.ts'
import { sign, signerOf } from '../../../kernel/signing.ts'
import type { StoredObject } from '../../../kernel/storage/storage.ts'
import { callerId, refuseFullDisk } from '../../evidence/quota/service.ts'
import { failRequest, tellRequester } from './fail-request.ts'
import { countsOf, decryptedSubject, NOTHING, queueRequest, rowOf } from './requests.ts'
import { ordersOf } from './subject.ts'
import { openSubjectArchive, recordExport, type SubjectArchive } from './subject-archive.ts'

const HOURS = 24
const MISSING = 'Exportação não encontrada ou expirada'
const NO_PERSON = 'Quem pediu a exportação não tem mais acesso.'
const UNREADABLE = 'A chave com que o pedido foi guardado não existe mais. Faça o pedido de novo.'

/**
 * Queues one ZIP with everything the house has of a person. Rejects with 403 unless administrator with a recent sign-in, 409 when no order
 * has them, 429 over the requests of an hour, 507 without space for it.
 */
export async function requestExport(ctx: Ctx, subject: Subject): Promise<PrivacyRequest> {
  authorize(ctx.actor, 'privacy.export')
  const orders = await ordersOf(ctx, subject)
  if (orders.length === 0) throw conflict(NOTHING)
  const { bytes } = await countsOf(
    ctx,
    orders.map(({ id }) => id),
  )
  await refuseFullDisk(ctx, 2 * bytes)
  return queueRequest(ctx, 'export', subject, orders, null)
}

export interface ExportBuild extends SubjectArchive {
  request_id: number
  /** Where the ZIP will be stored. */
  key: string
}

/**
 * Begins an export anew, with the rights that who asked has now, and removes what a killed worker has left of it. Null
 * when there is nothing to do. 409 when the person has no access any more; 507 without space.
 */
export async function beginExport(ctx: Ctx, id: number): Promise<ExportBuild | null> {
  const row = await rowOf(ctx, id)
  if (row?.kind !== 'export' || row.status === 'done' || row.status === 'failed') return null
  const actor = row.user_id === null ? null : await findActivePerson(ctx.db, row.user_id)
  if (!actor || !can(actor, 'privacy.export')) throw conflict(NO_PERSON)
  const subject = decryptedSubject(ctx, row.encrypted_subject)
  if (!subject) throw conflict(UNREADABLE)
  const { bytes } = await countsOf(ctx, row.orders)
  await refuseFullDisk(ctx, 2 * bytes)
  if (row.key) await ctx.storage.remove(row.key)
  const key = `titulares/${id}/${randomUUID()}/titular.zip`
  await ctx.db
    .updateTable('privacy_requests')
    .set({ status: 'running', done_orders: [], key })
    .where('id', '=', id)
    .execute()
  const onOrder = async (order_id: number) => {
    await ctx.db
      .updateTable('privacy_requests')
      .set({ done_orders: sql`array_append(done_orders, ${order_id}::bigint)` })
      .where('id', '=', id)
      .where('key', '=', key)
      .execute()
  }
  return {
    request_id: id,
    key,
    ...(await openSubjectArchive({ ...ctx, actor }, subject, row.orders, onOrder)),
  }
}

/**
 * Makes a stored ZIP the answer, for a day. False when another worker has begun it again, or the person was anonymised
 * meanwhile: its bytes are then removed.
 */
export async function finishExport(
  ctx: Ctx,
  { request_id, key }: ExportBuild,
  { size, sha256 }: { size: number; sha256: string },
) {
  const now = ctx.clock()
  const isFinished = await inTransaction(ctx, async (ctx) => {
    const row = await ctx.db
      .updateTable('privacy_requests')
      .set({ status: 'done', finished_at: now, size, sha256, encrypted_subject: null, encrypted_forms: null })
      .set({ expires_at: new Date(now.getTime() + HOURS * 3_600_000) })
      .where('id', '=', request_id)
      .where('key', '=', key)
      .where('status', '=', 'running')
      .returningAll()
      .executeTakeFirst()
    if (!row) return false
    const actor = row.user_id === null ? null : await findActivePerson(ctx.db, row.user_id)
    await recordExport({ ...ctx, actor: actor ?? ctx.actor }, row.orders, { request_id })
    await tellRequester(ctx, 'subject.ready', row)
    return true
  })
  if (!isFinished) await ctx.storage.remove(key)
  return isFinished
}

/** What the signature of an export's address is of. */
const subjectOf = (id: number) => `subjects/${id}`

/**
 * Signs an address of the ZIP, valid for at most an hour, for the person who requested it. 403 unless an administrator
 * with a recent sign-in; 404 for anybody else or once it has expired; 409 until it is ready.
 */
export async function exportAddress(ctx: Ctx, id: number) {
  await readyExport(ctx, id)
  return {
    url: `/media/subjects/${id}/${sign(ctx.config.SIGNING_KEY, subjectOf(id), ctx.actor, ctx.clock())}`,
  }
}

async function readyExport(ctx: Ctx, id: number) {
  authorize(ctx.actor, 'privacy.export')
  const row = await rowOf(ctx, id)
  if (row?.kind !== 'export' || row.user_id !== callerId(ctx)) throw notFound(MISSING)
  const { status, error, key, size, sha256, expires_at } = row
  if (status === 'failed') throw conflict(error ?? MISSING)
  if (status !== 'done') throw conflict('A exportação ainda não está pronta.')
  if (!key || !size || !sha256 || !expires_at || expires_at <= ctx.clock()) throw notFound(MISSING)
  return { key, size, sha256, orders: row.orders }
}

/** The stored ZIP of a signed address; its download is noted for each order. 404 when the signature is wrong or expired. */
export async function openSignedExport(ctx: Ctx, id: number, signature: string): Promise<StoredObject> {
  const actor = await findActivePerson(ctx.db, await signerOf(ctx, subjectOf(id), signature))
  if (!actor || !can(actor, 'privacy.export')) throw notFound(MISSING)
  const { key, size, sha256, orders } = await readyExport({ ...ctx, actor }, id)
  for (const order_id of orders)
    ctx.securityLog.note(
      { ...ctx, actor },
      { kind: 'subject.downloaded', order_id, details: { request_id: id } },
    )
  return { key, filename: `titular_${id}.zip`, mime: 'application/zip', size, etag: `"${sha256}"` }
}

/** Removes the files of exports that have expired; that they were made stays. Returns how many. */
export async function removeOldExports(ctx: Ctx) {
  const rows = await ctx.db
    .selectFrom('privacy_requests')
    .where('expires_at', '<=', ctx.clock())
    .where('key', 'is not', null)
    .select(['id', 'key'])
    .execute()
  for (const row of rows) await removeFile(ctx, row)
  return rows.length
}

async function removeFile(ctx: Ctx, { id, key }: { id: number; key: string | null }) {
  if (key) await ctx.storage.remove(key)
  await ctx.db
    .updateTable('privacy_requests')
    .set({ key: null, size: null, sha256: null })
    .where('id', '=', id)
    .execute()
}

/** Removes the exports with one of these orders, whose customer is anonymised; those under way fail. */
export async function removeExportsOf(ctx: Ctx, ids: readonly number[]) {
  const { rows } = await sql<{ id: number; key: string | null }>`
    select id, key from privacy_requests where kind = 'export' and orders && ${[...ids]}::bigint[]
      and (key is not null or status in ('queued', 'running'))`.execute(ctx.db)
  for (const row of rows) {
    await failRequest(ctx, row.id, 'O titular foi anonimizado.')
    await removeFile(ctx, row)
  }
}

/** Storage keys that an export names, ready or in preparation. */
export async function keptExports(ctx: Ctx): Promise<Set<string>> {
  const rows = await ctx.db
    .selectFrom('privacy_requests')
    .where('key', 'is not', null)
    .select('key')
    .execute()
  return new Set(rows.flatMap(({ key }) => key ?? []))
}
