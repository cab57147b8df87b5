import { invalid } from '@garantia/shared/errors'
import type { OrderChange, OrderInput } from '@garantia/shared/orders/schema'
import type { Ctx } from '../../../kernel/context.ts'
import { readCompany } from '../../catalogue/companies/service.ts'
import type { OrderRow } from './queries.ts'

/**
 * Active people of a company an order can be assigned to (D-16). 404 when the company is outside the caller's
 * scope.
 */
export async function listTechnicians(ctx: Ctx, company_id: number) {
  await readCompany(ctx, company_id)
  return activePeople(ctx, company_id)
    .select(['id', 'full_name'])
    .orderBy('full_name')
    .orderBy('id')
    .execute()
}

const activePeople = (ctx: Ctx, company_id: number) =>
  ctx.db.selectFrom('users').where('company_id', '=', company_id).where('is_active', '=', true)

type Assignment = Pick<OrderInput, 'technician_user_id' | 'technician_name' | 'company_id'>

/** Choosing a person of the order's company sets the name; free text stays possible (D-16). */
export async function technicianNameFor(
  ctx: Ctx,
  { technician_user_id, technician_name, company_id }: Assignment,
) {
  if (!technician_user_id) return technician_name
  const technician = await activePeople(ctx, company_id)
    .where('id', '=', technician_user_id)
    .select('full_name')
    .executeTakeFirst()
  if (!technician) throw invalid('Técnico não encontrado nesta empresa', 'technician_user_id')
  return technician_name ?? technician.full_name
}

/**
 * The technician's name after the change; the technician must belong to the order's company when either is
 * changed.
 */
export async function technicianOf(ctx: Ctx, order: OrderRow, fields: OrderChange) {
  const { company_id = order.company_id, technician_user_id = order.technician_user_id } = fields
  if (company_id === order.company_id && technician_user_id === order.technician_user_id) return {}
  const technician_name = await technicianNameFor(ctx, {
    company_id,
    technician_user_id,
    technician_name: fields.technician_name,
  })
  return technician_name === undefined ? {} : { technician_name }
}
