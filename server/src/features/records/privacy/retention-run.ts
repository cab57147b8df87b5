import type { Subject } from '@garantia/shared/privacy/subject'
import type { Ctx } from '../../../kernel/context.ts'
import { ordersOverTime } from '../compliance/service.ts'
import { queueRequest } from './requests.ts'

/**
 * Queues the anonymisation of customers whose time is over, one request for each customer with all of their orders that
 * are due; nothing while no superuser has switched it on. Orders of a request under way are left to it. Returns how many.
 */
export async function applyCustomerRetention(ctx: Ctx) {
  const { months, orders } = await ordersOverTime(ctx)
  const customers = new Map<string, { subject: Subject; orders: { id: number }[] }>()
  for (const { id, customer_document, customer_email, customer_phone } of orders) {
    const subject: Subject = customer_document
      ? { by: 'document', value: customer_document }
      : customer_email
        ? { by: 'email', value: customer_email.toLowerCase() }
        : { by: 'phone', value: customer_phone ?? '' }
    const key = `${subject.by}|${subject.value}`
    const customer = customers.get(key) ?? { subject, orders: [] }
    customer.orders.push({ id })
    customers.set(key, customer)
  }
  const reason = `Prazo de guarda de ${months} meses encerrado`
  for (const { subject, orders } of customers.values())
    await queueRequest(ctx, 'anonymise', subject, orders, reason, true)
  return { customers: customers.size, orders: orders.length }
}
