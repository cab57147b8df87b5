import type { DossierFiles, Dossiers } from '@garantia/migrations/schema'
import { type Selectable, sql } from 'kysely'
import type { Ctx } from '../../../kernel/context.ts'

export type DossierRow = Selectable<Dossiers>
export type DossierFileRow = Selectable<DossierFiles>

/** The files of these dossiers, by part. */
export const partsOf = (ctx: Ctx, ids: readonly number[]): Promise<DossierFileRow[]> =>
  ids.length === 0
    ? Promise.resolve([])
    : ctx.db.selectFrom('dossier_files').where('dossier_id', 'in', ids).selectAll().orderBy('part').execute()

/**
 * Dossiers in preparation without a job that will still run. The first 15 seconds are exempt, for a request
 * that is not committed yet.
 */
export async function findStranded(ctx: Ctx) {
  const { rows } = await sql<{ id: number }>`
    select d.id from dossiers d
    where d.status in ('queued', 'building') and d.created_at < now() - interval '15 seconds'
      and not exists (
        select 1 from graphile_worker.jobs j
        where j.key = 'dossier:' || d.id and (j.locked_at is not null or j.attempts < j.max_attempts))`.execute(
    ctx.db,
  )
  return rows
}

/** A dossier's row; no permission is checked. */
export const findDossier = (ctx: Ctx, id: number) =>
  ctx.db.selectFrom('dossiers').where('id', '=', id).selectAll().executeTakeFirst()
