import { authorize } from '@garantia/shared/policy'
import type { BrandUsage, QuotaUsage } from '@garantia/shared/quota/schema'
import { sql } from 'kysely'
import { type Ctx, inTransaction } from '../../../kernel/context.ts'
import { hitsOf } from '../../../kernel/throttle.ts'
import { callerId, DAY_MS, dossierLimits, limitOf, readSpace } from './limits.ts'
import { bytesOfBrands, largestCompanies, personSums } from './queries.ts'

export { type AnnouncedForm, announceForm } from './form.ts'
export {
  announce,
  archiveLimit,
  callerId,
  dossierLimits,
  readSpace,
  refuseFullCompany,
  refuseFullDisk,
} from './limits.ts'

/** What is used of the disk, by the caller and by the companies in scope. 403 unless administrator. */
export async function readUsage(ctx: Ctx): Promise<QuotaUsage> {
  authorize(ctx.actor, 'quota.read')
  const { UPLOAD_OPEN_GB, UPLOAD_DAY_GB, COMPANY_STORAGE_GB, DOSSIER_LIMIT } = ctx.config
  const { open, sent, announced } = await personSums(
    ctx,
    callerId(ctx),
    new Date(ctx.clock().getTime() - DAY_MS),
  )
  const { companies, count } = await largestCompanies(ctx)
  const [ofPerson] = dossierLimits(ctx, 0)
  const { total: _, ...disk } = await readSpace(ctx, announced)
  return {
    disk,
    own: {
      open: { used: open, limit: limitOf(UPLOAD_OPEN_GB) },
      day: { used: sent + open, limit: limitOf(UPLOAD_DAY_GB) },
      dossiers: { used: ofPerson ? await hitsOf(ctx, ofPerson) : 0, limit: DOSSIER_LIMIT || null },
    },
    companies: companies.map(({ id, trading_name, bytes }) => ({
      id,
      trading_name,
      kept: { used: bytes, limit: limitOf(COMPANY_STORAGE_GB) },
    })),
    company_count: count,
  }
}

/** What the files of each brand keep in the companies in scope, the largest first. 403 unless administrator. */
export async function readBrandUsage(ctx: Ctx): Promise<BrandUsage[]> {
  authorize(ctx.actor, 'quota.read')
  return bytesOfBrands(ctx)
}

/** Corrects the companies' sums by their files; returns by how many bytes they were wrong altogether. */
export const recountStorage = (ctx: Ctx): Promise<number> =>
  inTransaction(ctx, async (ctx) => {
    const { rows } = await sql<{ bytes: number }>`select recount_storage() as bytes`.execute(ctx.db)
    await sql`select fold_storage()`.execute(ctx.db)
    return rows[0]?.bytes ?? 0
  })
