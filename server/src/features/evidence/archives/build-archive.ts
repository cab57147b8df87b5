import { randomUUID } from 'node:crypto'
import { AppError, conflict, textOf } from '@garantia/shared/errors'
import type { LeftOutOrder } from '@garantia/shared/evidence/archive'
import { ARCHIVE_LIMITS } from '@garantia/shared/evidence/archive-status'
import { type Ctx, inTransaction } from '../../../kernel/context.ts'
import { findActivePerson } from '../../../kernel/person.ts'
import { notify } from '../../people/notifications/service.ts'
import { type ArchiveEntry, packageEntries } from '../package/service.ts'
import { refuseFullDisk } from '../quota/service.ts'
import { type ArchiveRow, findArchive, findStranded, notReady, ordersWithFiles } from './queries.ts'

const NO_PERSON = 'Quem pediu os pacotes não tem mais acesso.'
const NONE_LEFT = 'Nenhuma das OS pode mais ser baixada.'
const TOO_LARGE = 'Os pacotes cresceram e não cabem mais em um arquivo. Peça-os de novo com menos OS.'
const INTERRUPTED = 'A montagem dos pacotes foi interrompida várias vezes. Peça-os de novo.'
/** Between two notes of the progress, each of which is told to open pages. */
const NOTE_EVERY_MS = 500

export interface ArchiveBuild {
  archive_id: number
  /** Where the ZIP will be stored. */
  key: string
  /** The entries of each order, read when the order before is written; an order that fails is left out. */
  entries: AsyncIterable<ArchiveEntry>
  left_out: LeftOutOrder[]
}

/**
 * Begins an archive for the person who asked for it, with the rights they have now, and removes what a killed
 * worker has left of it. Null when there is nothing to build. 409 when the person has no access any more; 507
 * without space.
 */
export async function beginArchive(ctx: Ctx, id: number): Promise<ArchiveBuild | null> {
  const row = await findArchive(ctx, id)
  if (!row || row.status === 'ready' || row.status === 'failed') return null
  const actor = await findActivePerson(ctx.db, row.user_id)
  if (!actor) throw conflict(NO_PERSON)
  await refuseFullDisk(ctx, row.bytes)
  if (row.key) await ctx.storage.remove(row.key)
  const key = `pacotes/${id}/${randomUUID()}/pacotes.zip`
  await ctx.db
    .updateTable('package_archives')
    .set({ status: 'building', progress: 0, key })
    .where('id', '=', id)
    .execute()
  const left_out = [...row.left_out]
  return { archive_id: id, key, left_out, entries: entriesOf({ ...ctx, actor }, row, left_out) }
}

async function* entriesOf(ctx: Ctx, { id, orders, bytes }: ArchiveRow, left_out: LeftOutOrder[]) {
  const note = progressOf(ctx, id, bytes)
  let written = 0
  let included = 0
  for (const order of orders) {
    const entries = await entriesIn(ctx, order.id).catch((error: unknown) => {
      if (!(error instanceof AppError)) throw error
      left_out.push({ id: order.id, os_number: order.os_number, detail: textOf(error.detail) })
      return []
    })
    if (entries.length > 0) included++
    for (const { size, ...entry } of entries) {
      yield { ...entry, name: `${order.folder}/${entry.name}` }
      written += size
      if (written > 2 * ARCHIVE_LIMITS.bytes) throw conflict(TOO_LARGE)
      await note(written)
    }
  }
  if (included === 0) throw conflict(NONE_LEFT)
}

/** The package of an order, if it is still as ready as when it was asked for. */
async function entriesIn(ctx: Ctx, id: number) {
  const [order] = await ordersWithFiles(ctx, [id])
  const problem = notReady(ctx.actor, order)
  if (problem !== null) throw conflict(problem)
  return packageEntries(ctx, id)
}

/** Notes the progress of a build from the bytes written so far; 100 % is the stored file. */
function progressOf(ctx: Ctx, id: number, expected: number) {
  let noted_at = 0
  return async (written: number) => {
    const now = performance.now()
    if (now - noted_at < NOTE_EVERY_MS) return
    noted_at = now
    await ctx.db
      .updateTable('package_archives')
      .set({ progress: Math.min(99, Math.floor((100 * written) / expected)) })
      .where('id', '=', id)
      .where('status', '=', 'building')
      .execute()
  }
}

/**
 * Makes a stored ZIP the result. False when it has expired meanwhile, or another worker has begun it again: its
 * bytes are then removed.
 */
export async function finishArchive(
  ctx: Ctx,
  { archive_id, key, left_out }: ArchiveBuild,
  { size, sha256 }: { size: number; sha256: string },
) {
  const isFinished = await inTransaction(ctx, async (ctx) => {
    const row = await ctx.db
      .updateTable('package_archives')
      .set({
        status: 'ready',
        progress: 100,
        error: null,
        size,
        sha256,
        left_out: JSON.stringify(left_out),
        orders: await included(ctx, archive_id, left_out),
      })
      .where('id', '=', archive_id)
      .where('key', '=', key)
      .where('status', '=', 'building')
      .returning(['user_id', 'orders'])
      .$castTo<Told>()
      .executeTakeFirst()
    if (row) await tellOf(ctx, 'packages.ready', row)
    return row !== undefined
  })
  if (!isFinished) await ctx.storage.remove(key)
  return isFinished
}

/** The orders of the archive without those that were left out while it was built. */
async function included(ctx: Ctx, id: number, left_out: readonly LeftOutOrder[]) {
  const orders = (await findArchive(ctx, id))?.orders ?? []
  return JSON.stringify(orders.filter((order) => left_out.every((one) => one.id !== order.id)))
}

/** Records why an archive could not be made, and removes what was stored of it. */
export async function failArchive(ctx: Ctx, id: number, error: string) {
  const row = await findArchive(ctx, id)
  if (row?.key && row.status !== 'ready') await ctx.storage.remove(row.key)
  await inTransaction(ctx, async (ctx) => {
    const failed = await ctx.db
      .updateTable('package_archives')
      .set({ status: 'failed', error, key: null })
      .where('id', '=', id)
      .where('status', 'in', ['queued', 'building'])
      .returning(['user_id', 'orders'])
      .$castTo<Told>()
      .executeTakeFirst()
    if (failed) await tellOf(ctx, 'packages.failed', failed, error)
  })
}

type Told = Pick<ArchiveRow, 'user_id' | 'orders'>
/** Tells who asked for the packages, who may have closed the dialog; with a reason, or the orders' numbers. */
async function tellOf(
  ctx: Ctx,
  kind: 'packages.ready' | 'packages.failed',
  { user_id, orders }: Told,
  reason?: string,
) {
  const text = reason ?? orders.map(({ os_number }) => os_number).join(', ')
  const first = await ctx.db
    .selectFrom('service_orders')
    .where(
      'id',
      'in',
      orders.map(({ id }) => id),
    )
    .where('deleted_at', 'is', null)
    .select('id')
    .limit(1)
    .executeTakeFirst()
  if (first)
    await notify({ ...ctx, actor: { kind: 'system' } }, [user_id], { kind, order_id: first.id, text })
}

/** Fails the archives whose job no longer exists, so that none stays in preparation for ever. */
export async function failStrandedArchives(ctx: Ctx) {
  for (const { id } of await findStranded(ctx)) await failArchive(ctx, id, INTERRUPTED)
}

/** Removes the archives that have expired, their files first; returns how many. */
export async function removeOldArchives(ctx: Ctx) {
  const rows = await ctx.db
    .selectFrom('package_archives')
    .where('expires_at', '<=', ctx.clock())
    .select(['id', 'key'])
    .execute()
  for (const { id, key } of rows) {
    if (key) await ctx.storage.remove(key)
    await ctx.db.deleteFrom('package_archives').where('id', '=', id).execute()
  }
  return rows.length
}

/** Storage keys that an archive names, ready or in preparation. */
export async function keptArchives(ctx: Ctx): Promise<Set<string>> {
  const rows = await ctx.db
    .selectFrom('package_archives')
    .where('key', 'is not', null)
    .select('key')
    .execute()
  return new Set(rows.flatMap(({ key }) => key ?? []))
}
