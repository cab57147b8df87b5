import { type RetentionVerdict, retentionVerdict } from '@garantia/shared/retention/rules'
import { sql } from 'kysely'
import type { Ctx } from '../../../kernel/context.ts'

/** Any order, including deleted ones, locked until the transaction ends. No scope is applied. */
export const lockAnyOrder = (ctx: Ctx, id: number) =>
  ctx.db.selectFrom('service_orders').where('id', '=', id).selectAll().forUpdate().executeTakeFirst()

export interface Binned {
  order_id: number
  os_number: string
  is_held: boolean
  /** The order itself is due, not only some of its files. */
  is_whole: boolean
  files: number
  bytes: number
}
/** Orders deleted by that time, and orders with files deleted by then, with what would be purged. */
export async function binnedBefore(ctx: Ctx, before: Date): Promise<Binned[]> {
  const { rows } = await sql<Binned>`
    select o.id as order_id, o.os_number, o.legal_hold_at is not null as is_held,
      o.deleted_at <= ${before} is true as is_whole,
      count(e.id)::int as files, coalesce(sum(e.file_size + coalesce(e.converted_size, 0)), 0)::bigint as bytes
    from service_orders o
    left join evidence_files e on e.order_id = o.id and (o.deleted_at <= ${before} or e.deleted_at <= ${before})
    where o.deleted_at <= ${before}
      or o.id in (select order_id from evidence_files where deleted_at <= ${before})
    group by o.id order by o.id`.execute(ctx.db)
  return rows
}

export interface ExpiredOrder {
  order_id: number
  os_number: string
  company: string
  brand: string
  completed_at: Date
  months: number
  files: number
  bytes: number
  verdict: RetentionVerdict
}
/**
 * Completed orders whose retention period is over and that still have files, with whether they may be deleted
 * or what prevents it.
 */
export async function expiredOrders(ctx: Ctx, now: Date, only?: number): Promise<ExpiredOrder[]> {
  const { rows } = await sql<
    Omit<ExpiredOrder, 'verdict'> & { is_held: boolean; retention_since: Date | null }
  >`
    select o.id as order_id, o.os_number, c.trading_name as company, b.display_name as brand, o.completed_at,
      b.storage_retention_months as months, b.retention_since, o.legal_hold_at is not null as is_held,
      f.files, f.bytes
    from service_orders o
    join brands b on b.id = o.brand_id
    join companies c on c.id = o.company_id
    cross join lateral (
      select count(*)::int as files, coalesce(sum(file_size + coalesce(converted_size, 0)), 0)::bigint as bytes
      from evidence_files where order_id = o.id and deleted_at is null and purged_at is null) f
    where o.status = 'completed' and o.deleted_at is null and b.storage_retention_months is not null
      and o.completed_at + make_interval(months => b.storage_retention_months) <= ${now}
      and (f.files > 0 or exists (
        select from dossiers d where d.order_id = o.id and d.status = 'sealed' and d.purged_at is null))
      and (${only ?? null}::bigint is null or o.id = ${only ?? null})
    order by o.completed_at, o.id`.execute(ctx.db)
  return rows.map(({ is_held, retention_since, ...row }) => ({
    ...row,
    verdict: retentionVerdict({ is_held, retention_since }, now),
  }))
}

interface StoredFile {
  id: number
  original_key: string
  converted_key: string | null
  preview_key: string | null
}
/** Storage keys of files: originals, converted copies, previews, and copies from before marks. */
export async function keysOf(ctx: Ctx, files: readonly StoredFile[]) {
  if (files.length === 0) return []
  const kept = await ctx.db
    .selectFrom('unmarked_copies')
    .where(
      'evidence_id',
      'in',
      files.map(({ id }) => id),
    )
    .select('key')
    .execute()
  return [
    ...files.flatMap((file) => [file.original_key, file.converted_key, file.preview_key]),
    ...kept.map(({ key }) => key),
  ].filter((key) => key !== null)
}

/** Storage keys of an order's dossiers that are not purged. */
export async function dossierKeys(ctx: Ctx, order_id: number) {
  const rows = await ctx.db
    .selectFrom('dossier_files')
    .innerJoin('dossiers', 'dossiers.id', 'dossier_files.dossier_id')
    .where('dossiers.order_id', '=', order_id)
    .where('dossiers.purged_at', 'is', null)
    .select('key')
    .execute()
  return rows.map(({ key }) => key)
}
