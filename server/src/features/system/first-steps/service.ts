import type { FirstSteps } from '@garantia/shared/first-steps/schema'
import { authorize } from '@garantia/shared/policy'
import type { Ctx } from '../../../kernel/context.ts'
import { SAMPLE_TAX_IDS } from '../../catalogue/brands/service.ts'

/**
 * What stands of a new installation, for the guide. It counts nothing and names nobody, so whoever is
 * signed in may know it.
 */
export async function readFirstSteps(ctx: Ctx): Promise<FirstSteps> {
  authorize(ctx.actor, 'account.read')
  const { db } = ctx
  const found = await db
    .selectNoFrom((eb) => [
      eb.exists(db.selectFrom('brands').select('id').where('is_active', '=', true)).as('brands'),
      // The two of the samples are not the house's own.
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
