import type { ClaimFilter } from '@garantia/shared/claims/criteria'
import type { ClaimPage } from '@garantia/shared/claims/schema'
import { DEFAULT_LIMIT } from '@garantia/shared/fields'
import { authorize } from '@garantia/shared/policy'
import type { Ctx } from '../../../kernel/context.ts'
import { presentRow } from '../claim/service.ts'
import { countedPage } from './counted-page.ts'
import { isCoveredByTotals } from './criteria.ts'
import { sortingOf } from './queries.ts'
import { searchedPage } from './searched-page.ts'

export { decideMany, runClaimBulk, submitMany } from './bulk.ts'
export { exportClaims } from './export.ts'

/**
 * A page of the claims that the caller may see, with their number, counted up to 1 000 where no totals are kept (D-55).
 * Refuses an anonymous caller with 401.
 */
export async function listClaims(ctx: Ctx, filter: ClaimFilter): Promise<ClaimPage> {
  authorize(ctx.actor, 'claim.list')
  const { skip = 0, limit = DEFAULT_LIMIT, sort, direction, ...criteria } = filter
  const readPage = isCoveredByTotals(criteria) ? countedPage : searchedPage
  const { rows, ...total } = await readPage(ctx, criteria, sortingOf({ sort, direction }), { skip, limit })
  const now = ctx.clock()
  return { items: rows.map((row) => presentRow(row, now)), ...total, skip, limit }
}
