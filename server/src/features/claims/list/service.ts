import type { ClaimFilter } from '@garantia/shared/claims/criteria'
import type { ClaimPage } from '@garantia/shared/claims/schema'
import { DEFAULT_LIMIT } from '@garantia/shared/fields'
import { authorize } from '@garantia/shared/policy'
import { sql } from 'kysely'
import type { Ctx } from '../../../kernel/context.ts'
import { seenBy } from '../../../kernel/scope.ts'
import { listedClaims, presentRow } from '../claim/service.ts'
import { countClaims, pageOfIds } from './queries.ts'

export { firstAnswerOf, isInForce, refusedLines, startOfDay } from './answers.ts'

/** A page of the claims that the caller may see, with their number. Refuses an anonymous caller with 401. */
export async function listClaims(ctx: Ctx, filter: ClaimFilter): Promise<ClaimPage> {
  authorize(ctx.actor, 'claim.list')
  const { skip = 0, limit = DEFAULT_LIMIT, sort: _, direction: __, ...criteria } = filter
  const ids = await pageOfIds(ctx, filter, skip, limit)
  const rows = await listedClaims(seenBy(ctx))
    .where(sql<boolean>`claims.id = any(${ids}::bigint[])`)
    .execute()
  const byId = new Map(rows.map((row) => [row.id, row]))
  const now = ctx.clock()
  const items = ids.flatMap((id) => {
    const row = byId.get(id)
    return row ? [presentRow(row, now)] : []
  })
  return { items, ...(await countClaims(ctx, criteria)), skip, limit }
}
