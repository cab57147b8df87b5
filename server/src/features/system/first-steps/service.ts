import type { FirstSteps } from '@garantia/shared/first-steps/schema'
import { authorize } from '@garantia/shared/policy'
import type { Ctx } from '../../../kernel/context.ts'
import { SAMPLE_TAX_IDS } from '../../catalogue/brands/service.ts'

/**
 * Which steps of setting up an installation are done, for the guide. It contains neither counts nor names, so
 * every signed-in person may read it. 401 when anonymous.
 */
export async function readFirstSteps(ctx: Ctx): Promise<FirstSteps> {
  authorize(ctx.actor, 'account.read')
  const { db } = ctx
  const found = await db
    .selectNoFrom((eb) => [
      eb.exists(db.selectFrom('brands').select('id').where('is_active', '=', true)).as('brands'),
      // The two sample companies do not count.
      eb
        .exists(
          db
            .selectFrom('companies')
            .select('id')
            .where('is_active', '=', true)
            .where('tax_id', 'not in', SAMPLE_TAX_IDS),
        )
        .as('company'),
      eb
        .exists(
          db.selectFrom('users').select('id').where('is_active', '=', true).where('role', '=', 'technician'),
        )
        .as('technician'),
      eb.exists(db.selectFrom('service_orders').select('id')).as('order'),
    ])
    .executeTakeFirstOrThrow()
  return {
    brands: Boolean(found.brands),
    company: Boolean(found.company),
    technician: Boolean(found.technician),
    order: Boolean(found.order),
  }
}
