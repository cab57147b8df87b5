import { addFact, linkVisits } from '@garantia/server/features/claims/deadlines'
import { type Ctx, inTransaction } from '@garantia/server/kernel'
import { isoDay } from '@garantia/shared/format'
import type { PlannedOrder } from './plan.ts'
import type { DemoEntities } from './setup.ts'

/** Links the visits of one vehicle for one defect, once all of them are there; a part is awaited in the latest. */
export function linkVisitsOf(ctx: Ctx, planned: readonly PlannedOrder[], entities: DemoEntities) {
  return inTransaction(ctx, async (ctx) => {
    for (const { os_number, same_defect_as, manager, complaint } of planned) {
      if (same_defect_as === undefined) continue
      const [earlier, latest] = [await idOf(ctx, os_number), await idOf(ctx, same_defect_as)]
      if (earlier === null || latest === null || (await isLinked(ctx, earlier))) continue
      const by = { ...ctx, actor: entities.person(manager) }
      const isFirst = !(await isLinked(ctx, latest))
      await linkVisits(by, { order_id: earlier, with_order_id: latest, title: complaint.part.name })
      if (isFirst)
        await addFact(by, {
          order_id: latest,
          kind: 'awaiting_part',
          from_on: isoDay(ctx.clock()),
          note: complaint.part.number,
        })
    }
  })
}

const idOf = async ({ db }: Ctx, os_number: string) =>
  (await db.selectFrom('service_orders').where('os_number', '=', os_number).select('id').executeTakeFirst())
    ?.id ?? null
const isLinked = async ({ db }: Ctx, order_id: number) =>
  (await db
    .selectFrom('defect_visits')
    .where('order_id', '=', order_id)
    .select('order_id')
    .executeTakeFirst()) !== undefined
