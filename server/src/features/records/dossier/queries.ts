import type { DossierFiles, Dossiers } from '@garantia/migrations/schema'
import { type Selectable, sql } from 'kysely'
import type { Ctx } from '../../../kernel/context.ts'

export type DossierRow = Selectable<Dossiers>
export type DossierFileRow = Selectable<DossierFiles>

export const partsOf = (ctx: Ctx, ids: readonly number[]): Promise<DossierFileRow[]> =>
  ids.length === 0
    ? Promise.resolve([])
    : ctx.db.selectFrom('dossier_files').where('dossier_id', 'in', ids).selectAll().orderBy('part').execute()

/** Under way, but without a job that will still run. A moment of grace covers an enqueue under way. */
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

export const findDossier = (ctx: Ctx, id: number) =>
  ctx.db.selectFrom('dossiers').where('id', '=', id).selectAll().executeTakeFirst()
