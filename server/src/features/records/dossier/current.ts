import { CONTENT_EVENTS } from '@garantia/shared/dossier/history'
import { conflict } from '@garantia/shared/errors'
import { EXPIRED_FILE } from '@garantia/shared/retention/rules'
import type { Ctx } from '../../../kernel/context.ts'
import type { StoredObject } from '../../../kernel/storage/storage.ts'
import { liveFiles } from '../../evidence/files/service.ts'
import { manifestFile, packagedFiles } from '../../evidence/package/service.ts'
import { readOrder } from '../../orders/order/service.ts'
import { downloadOf } from './download.ts'
import { dossierOrder } from './manifest.ts'
import { differenceOf, filesIn } from './provenance.ts'
import { companyOf, type DossierRow, findDossier, partsOf } from './queries.ts'

/**
 * The newest sealed version, if its files are stored and nothing that it contains has changed since it was read; the
 * order is locked by the caller. Null when another version has to be sealed.
 */
export async function currentDossier(ctx: Ctx, order_id: number): Promise<DossierRow | null> {
  const newest = await ctx.db
    .selectFrom('dossiers')
    .where('order_id', '=', order_id)
    .where('status', '=', 'sealed')
    .selectAll()
    .select((eb) =>
      eb
        .exists(
          eb
            .selectFrom('events')
            .where('subject', '=', 'order')
            .whereRef('subject_id', '=', 'dossiers.order_id')
            .where('kind', 'in', CONTENT_EVENTS)
            .whereRef('seq', '>', 'dossiers.chain_seq')
            .select('events.id'),
        )
        .as('is_outdated'),
    )
    .orderBy('n', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!newest) return null
  const { is_outdated, ...dossier } = newest
  return is_outdated || dossier.purged_at ? null : dossier
}

/** The ZIP of a sealed dossier, for whom its order need not be visible; permission is checked by the caller. */
export async function dossierZip(ctx: Ctx, id: number, os_number: string): Promise<StoredObject | null> {
  const dossier = await findDossier(ctx, id)
  if (!dossier) return null
  if (dossier.purged_at) throw conflict(EXPIRED_FILE)
  const zip = (await partsOf(ctx, [id])).find(({ part }) => part === 'zip')
  return zip ? downloadOf(os_number, dossier.n, zip) : null
}

/** Fields that are the order's own course, not what a brand judges. */
const COURSE = ['id', 'status', 'completed_at']

/**
 * What of the order and its package differs from a sealed version: names of files, and of fields that a dossier has.
 * Null when the version does not exist; permission is checked by the caller.
 */
export async function differenceSinceDossier(ctx: Ctx, order_id: number, company_id: number, n: number) {
  const dossier = await ctx.db
    .selectFrom('dossiers')
    .where('order_id', '=', order_id)
    .where('n', '=', n)
    .where('status', '=', 'sealed')
    .select(['manifest', 'sealed_at'])
    .executeTakeFirst()
  if (!dossier?.manifest || !dossier.sealed_at) return null
  const { order = {} } = JSON.parse(dossier.manifest) as { order?: Record<string, unknown> }
  const now: Record<string, unknown> = dossierOrder(
    await readOrder(ctx, order_id),
    (await companyOf(ctx, company_id)).tax_id,
  )
  const files = packagedFiles(await liveFiles(ctx, order_id)).map((file) => manifestFile(file))
  return {
    dossier_n: n,
    sealed_at: dossier.sealed_at.toISOString(),
    ...differenceOf(filesIn(dossier.manifest), files),
    fields: Object.keys(now).filter(
      (name) =>
        name in order && !COURSE.includes(name) && JSON.stringify(order[name]) !== JSON.stringify(now[name]),
    ),
  }
}
