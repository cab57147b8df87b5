import { changeOrder, readHistory, setStatus } from '@garantia/server/features/orders/order'
import { type OrderChange, orderChange, type StatusChange } from '@garantia/shared/orders/schema'
import type { OrderStatus } from '@garantia/shared/orders/status'
import { type Caller, startTestApp } from '../support/test-app.ts'

/** Every field an order needs to be completed without a problem, except its files. */
export const COMPLETE_ORDER = {
  problem_description: 'Ruído ao frear',
  customer_name: 'Maria',
  customer_phone: '11987654321',
  vehicle_model: 'Modelo X',
  vehicle_chassis: '9BGRD08X04G117974',
  vehicle_mileage: 1200,
  diagnosis: 'Pastilha gasta',
  solution_applied: 'Troca da pastilha',
}

/** One company with a filial, its users, and their actions on orders. */
export async function createOrderFixture() {
  const testApp = await startTestApp()
  const { db } = testApp.kernel.ctx
  const company = await testApp.make.company()
  const filial = await testApp.make.company({ parent_id: company.id })
  const brand = await testApp.make.brand()
  const clerk = await testApp.make.user({ company_id: company.id, full_name: 'Tina Técnica' })
  const technician = await testApp.as(clerk)
  const manager = await testApp.as(
    await testApp.make.user({ role: 'manager', company_id: company.id, full_name: 'Gil Gestor' }),
  )
  const admin = await testApp.as(
    await testApp.make.user({ role: 'admin', company_id: null, full_name: 'Ada Admin' }),
  )

  const order = (fields: object = {}) =>
    testApp.make.order({ company_id: company.id, brand_id: brand.id, ...fields })
  const trailOf = async (id: number, kind: string) => {
    const { events } = await readHistory(testApp.kernel.ctx, { id, limit: 100 })
    return events.filter((event) => event.kind === kind).reverse()
  }
  return {
    testApp,
    db,
    company,
    filial,
    brand,
    clerk,
    technician,
    manager,
    admin,
    order,
    orderAs: async (status: OrderStatus = 'created', fields: object = {}) =>
      (await order({ status, ...fields })).id,
    edit: (who: Caller, id: number, change: OrderChange, version?: number) =>
      changeOrder(who.ctx, { id, version, change: orderChange.parse(change) }),
    move: (who: Caller, id: number, status: OrderStatus, more: Partial<StatusChange> = {}) =>
      setStatus(who.ctx, id, { status, ...more }),
    rowOf: (id: number) =>
      db.selectFrom('service_orders').where('id', '=', id).selectAll().executeTakeFirstOrThrow(),
    /** The changes of the events of a kind, oldest first. */
    eventsOf: async (id: number, kind: string) => (await trailOf(id, kind)).map(({ changes }) => changes),
    movesOf: async (id: number) =>
      (await trailOf(id, 'status')).map(({ actor_name, changes }) => ({ actor_name, changes })),
  }
}
