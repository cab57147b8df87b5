import type { WindowEvent } from '@garantia/shared/claims/deadlines'
import type { PartState } from '@garantia/shared/claims/parts'
import { sql } from 'kysely'
import type { Ctx } from '../../../kernel/context.ts'
import { seenBy } from '../../../kernel/scope.ts'
import { visibleClaims } from '../claim/service.ts'

/** Replaced parts of visible claims; days come as text. */
export const visibleParts = (ctx: Ctx) =>
  visibleClaims(seenBy(ctx))
    .innerJoin('part_returns', 'part_returns.claim_id', 'claims.id')
    .innerJoin('claim_lines', 'claim_lines.id', 'part_returns.line_id')
    .innerJoin('service_orders', 'service_orders.id', 'claims.order_id')
    .innerJoin('brands', 'brands.id', 'claims.brand_id')
    .select(['part_returns.id', 'part_returns.claim_id', 'part_returns.line_id', 'claims.order_id'])
    .select(['service_orders.os_number', 'claims.n', 'claim_lines.part_number', 'claim_lines.description'])
    .select(['claim_lines.quantity', sql<PartState>`part_returns.state`.as('state'), 'part_returns.place'])
    .select(['attributed_value', 'certificate_number', 'invoice_number', 'invoice_key', 'carrier'])
    .select(['part_returns.note', 'part_returns.version', 'claims.company_id'])
    .select([
      sql<string | null>`part_returns.due_on::text`.as('due_on'),
      // Days without a date wait for their event.
      sql<WindowEvent | null>`case when part_returns.due_on is null and not is_due_typed
        and claim_part_days is not null then claim_part_from end`.as('due_awaits'),
      sql<string | null>`certificate_issued_on::text`.as('certificate_issued_on'),
      sql<string | null>`certificate_until::text`.as('certificate_until'),
      sql<string | null>`sent_on::text`.as('sent_on'),
      sql<string | null>`received_on::text`.as('received_on'),
    ])
export type PartRow = Awaited<ReturnType<ReturnType<typeof visibleParts>['execute']>>[number]
