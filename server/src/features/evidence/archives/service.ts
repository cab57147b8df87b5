import { conflict, notFound } from '@garantia/shared/errors'
import type { LeftOutOrder, PackageArchive } from '@garantia/shared/evidence/archive'
import { ARCHIVE_LIMITS, type ArchiveStatus } from '@garantia/shared/evidence/archive-status'
import { bytes } from '@garantia/shared/format'
import { authorize, can } from '@garantia/shared/policy'
import { type Ctx, enqueue, inTransaction } from '../../../kernel/context.ts'
import { findActivePerson } from '../../../kernel/person.ts'
import { signerOf, signUntil } from '../../../kernel/signing.ts'
import type { StoredObject } from '../../../kernel/storage/storage.ts'
import { throttle } from '../../../kernel/throttle.ts'
import { archiveLimit, callerId, refuseFullDisk } from '../quota/service.ts'
import {
  type ArchivedOrder,
  type ArchiveRow,
  archivesOf,
  findArchive,
  notReady,
  ordersWithFiles,
} from './queries.ts'

export {
  type ArchiveBuild,
  beginArchive,
  failArchive,
  failStrandedArchives,
  finishArchive,
  keptArchives,
  removeOldArchives,
} from './build-archive.ts'

const MISSING = 'Pacotes não encontrados ou expirados'
const NO_LONGER_VISIBLE =
  'Uma das OS foi excluída ou não é mais visível para você. Peça os pacotes de novo, sem ela.'
/** Enough for a worker that is killed a few times. */
const MAX_TRIES = 8
/** Orders named in a refusal. */
const MOST_NAMED = 5

const subjectOf = (id: number) => `packages/${id}`

/**
 * Queues one ZIP with the packages of several orders, each in a folder of its own. Orders that cannot be
 * downloaded yet are left out, each with its reason. 409 when none is left, or over the bytes of one archive;
 * 429 over the requests of an hour; 507 without space for it.
 */
export async function requestArchive(ctx: Ctx, ids: readonly number[]): Promise<PackageArchive> {
  authorize(ctx.actor, 'package.build')
  const { orders, left_out, size } = await sorted(ctx, [...new Set(ids)])
  if (orders.length === 0) throw conflict(refusal(left_out))
  if (size > ARCHIVE_LIMITS.bytes)
    throw conflict(
      `Os pacotes somam ${bytes(size)}, e cabem ${bytes(ARCHIVE_LIMITS.bytes)} em um arquivo. Selecione menos OS.`,
    )
  await refuseFullDisk(ctx, size)
  return inTransaction(ctx, async (ctx) => {
    // Inside of the transaction, so that a request that is refused is not counted.
    await throttle(ctx, archiveLimit(ctx))
    const now = ctx.clock()
    const row = await ctx.db
      .insertInto('package_archives')
      .values({
        user_id: callerId(ctx),
        orders: JSON.stringify(orders),
        left_out: JSON.stringify(left_out),
        bytes: size,
        created_at: now,
        expires_at: new Date(now.getTime() + ARCHIVE_LIMITS.hours * 3_600_000),
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    await enqueue(
      ctx,
      'build-packages',
      { archive_id: row.id },
      { key: `packages:${row.id}`, max_attempts: MAX_TRIES },
    )
    return present(ctx, { ...row, orders, left_out })
  })
}

/** Which orders go into the archive, in the order of the request, and why the others do not. */
async function sorted(ctx: Ctx, ids: readonly number[]) {
  const found = new Map((await ordersWithFiles(ctx, ids)).map((order) => [order.id, order]))
  const left_out: LeftOutOrder[] = []
  const orders: Omit<ArchivedOrder, 'folder'>[] = []
  let size = 0
  for (const id of ids) {
    const order = found.get(id)
    const detail = notReady(ctx.actor, order)
    if (!order || detail !== null)
      left_out.push({ id, os_number: order?.os_number ?? null, detail: detail ?? '' })
    else {
      orders.push({ id, os_number: order.os_number })
      size += order.bytes
    }
  }
  return { orders: withFolders(orders), left_out, size }
}

/** Two companies may have the same number: then the folder has the order's id too. */
function withFolders(orders: readonly Omit<ArchivedOrder, 'folder'>[]): ArchivedOrder[] {
  return orders.map((order) => {
    const isAlone = orders.every(({ id, os_number }) => id === order.id || os_number !== order.os_number)
    return { ...order, folder: `os_${order.os_number}${isAlone ? '' : `_${order.id}`}_evidencias` }
  })
}

function refusal(left_out: readonly LeftOutOrder[]) {
  const named = left_out
    .slice(0, MOST_NAMED)
    .map(({ id, os_number, detail }) => `OS ${os_number ?? `nº ${id}`}: ${detail}`)
  const more = left_out.length - named.length
  return ['Nenhum pacote está pronto.', ...named, ...(more > 0 ? [`E mais ${more}.`] : [])].join(' ')
}

/** The archives that the caller has asked for and that have not expired, newest first. */
export async function listArchives(ctx: Ctx) {
  authorize(ctx.actor, 'order.list')
  const rows = await archivesOf(ctx, callerId(ctx))
  return { data: rows.map((row) => present(ctx, row)), count: rows.length }
}

const present = (ctx: Ctx, row: ArchiveRow): PackageArchive => ({
  id: row.id,
  status: row.status as ArchiveStatus,
  progress: row.progress,
  error: row.error,
  orders: row.orders.map(({ id, os_number }) => ({ id, os_number })),
  left_out: row.left_out,
  bytes: row.bytes,
  size: row.size,
  created_at: row.created_at.toISOString(),
  expires_at: row.expires_at.toISOString(),
  url:
    row.status === 'ready'
      ? `/media/packages/${row.id}/${signUntil(ctx.config.SIGNING_KEY, subjectOf(row.id), ctx.actor, row.expires_at)}`
      : null,
})

/**
 * The stored ZIP, for the person who asked for it; its download is noted for each order. 404 for anybody else,
 * and when it has expired; 409 until it is ready, or when one of its orders is not visible any more.
 */
export async function chooseArchive(ctx: Ctx, id: number): Promise<StoredObject> {
  authorize(ctx.actor, 'order.list')
  const row = await findArchive(ctx, id)
  if (!row || row.user_id !== callerId(ctx) || row.expires_at <= ctx.clock()) throw notFound(MISSING)
  const { status, error, key, size, sha256 } = row
  if (status === 'failed') throw conflict(error ?? MISSING)
  if (status !== 'ready' || !key || !size || !sha256) throw conflict('Os pacotes ainda não estão prontos.')
  const seen = await ordersWithFiles(
    ctx,
    row.orders.map((order) => order.id),
  )
  if (seen.filter((order) => can(ctx.actor, 'evidence.read', order)).length < row.orders.length)
    throw conflict(NO_LONGER_VISIBLE)
  for (const order of row.orders)
    ctx.securityLog.note(ctx, {
      kind: 'package.downloaded',
      order_id: order.id,
      details: { packages_id: id },
    })
  return { key, filename: `pacotes_${id}.zip`, mime: 'application/zip', size, etag: `"${sha256}"` }
}

/**
 * The same for a signed address, which replaces the session. 404 when the signature is wrong or expired, or its
 * person was deactivated.
 */
export async function openSignedArchive(ctx: Ctx, id: number, signature: string): Promise<StoredObject> {
  const actor = await findActivePerson(ctx.db, await signerOf(ctx, subjectOf(id), signature))
  if (!actor) throw notFound(MISSING)
  return chooseArchive({ ...ctx, actor }, id)
}
