import type { DossierFiles, Dossiers } from '@garantia/migrations/schema'
import { DOSSIER_EVENTS, type OrderEvent } from '@garantia/shared/dossier/history'
import type { Selectable } from 'kysely'
import type { Ctx } from '../../../kernel/context.ts'
import { isStranded } from '../../../kernel/stranded.ts'

export type DossierRow = Selectable<Dossiers>
export type DossierFileRow = Selectable<DossierFiles>

/** The files of these dossiers, by part. */
export const partsOf = (ctx: Ctx, ids: readonly number[]): Promise<DossierFileRow[]> =>
  ids.length === 0
    ? Promise.resolve([])
    : ctx.db.selectFrom('dossier_files').where('dossier_id', 'in', ids).selectAll().orderBy('part').execute()

/** Dossiers in preparation whose job is gone for good. */
export const findStranded = (ctx: Ctx) =>
  ctx.db
    .selectFrom('dossiers')
    .where('status', 'in', ['queued', 'building'])
    .where(isStranded({ id: 'dossiers.id', key: 'dossier:', since: 'dossiers.created_at' }))
    .select('id')
    .execute()

/** A dossier's row; no permission is checked. */
export const findDossier = (ctx: Ctx, id: number) =>
  ctx.db.selectFrom('dossiers').where('id', '=', id).selectAll().executeTakeFirst()

/** The dealership as it stands on a dossier. */
export const companyOf = (ctx: Ctx, id: number) =>
  ctx.db
    .selectFrom('companies')
    .where('id', '=', id)
    .select([
      'trading_name',
      'legal_name',
      'tax_id',
      'address',
      'city',
      'state',
      'zip_code',
      'phone',
      'email',
    ])
    .executeTakeFirstOrThrow()
export type DossierCompany = Awaited<ReturnType<typeof companyOf>>

/** Names of those who sent the files of an order, by their ids. */
export async function uploadersOf(ctx: Ctx, order_id: number): Promise<Map<number, string>> {
  const rows = await ctx.db
    .selectFrom('users')
    .where('id', 'in', (eb) =>
      eb.selectFrom('evidence_files').where('order_id', '=', order_id).select('uploaded_by'),
    )
    .select(['id', 'full_name'])
    .execute()
  return new Map(rows.map(({ id, full_name }) => [id, full_name]))
}

/** For whom the links for photos of an order were made, by their ids. */
export async function guestLinksOf(ctx: Ctx, order_id: number): Promise<Map<number, string>> {
  const rows = await ctx.db
    .selectFrom('guest_links')
    .where('order_id', '=', order_id)
    .select(['id', 'label'])
    .execute()
  return new Map(rows.map(({ id, label }) => [id, label]))
}

/** The events of an order that a dossier tells of, oldest first. */
export async function eventsOf(ctx: Ctx, order_id: number): Promise<OrderEvent[]> {
  const rows = await ctx.db
    .selectFrom('events')
    .where('subject', '=', 'order')
    .where('subject_id', '=', order_id)
    .where('kind', 'in', DOSSIER_EVENTS)
    .select(['at', 'kind', 'actor_name', 'changes'])
    .orderBy('id')
    .execute()
  return rows.map((row) => ({ ...row, changes: row.changes as Record<string, unknown> }))
}

/** The newest sealed version of an order, if there is one. */
export const lastSealed = (ctx: Ctx, order_id: number) =>
  ctx.db
    .selectFrom('dossiers')
    .where('order_id', '=', order_id)
    .where('status', '=', 'sealed')
    .select(['n', 'sealed_at', 'manifest', 'manifest_sha256'])
    .orderBy('n', 'desc')
    .limit(1)
    .executeTakeFirst()

/** The sealed dossier whose manifest, or whose contents, have this SHA-256. */
export const findByFingerprint = (ctx: Ctx, sha256: string) =>
  ctx.db
    .selectFrom('dossiers')
    .where('status', '=', 'sealed')
    .where((where) =>
      where.or([where('manifest_sha256', '=', sha256), where('contents_sha256', '=', sha256)]),
    )
    .select(['sealed_at', 'key_id', 'manifest_sha256'])
    .executeTakeFirst()
