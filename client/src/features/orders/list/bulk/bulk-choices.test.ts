import type { OrderRow } from '@garantia/shared/orders/schema'
import type { OrderStatus } from '@garantia/shared/orders/status'
import type { Actor } from '@garantia/shared/policy'
import { expect, test } from 'vitest'
import { bulkChoices, proposedStatus } from './bulk-choices.ts'

const person = (role: 'technician' | 'manager' | 'admin'): Actor => ({
  kind: 'user',
  id: 1,
  name: 'Pessoa',
  role,
  is_superuser: false,
  company_id: 10,
  scope: [10],
})
const order = (status: OrderStatus, created_by = 1) =>
  ({ id: 5, status, company_id: 10, created_by, technician_user_id: 2 }) as OrderRow
const offered = (role: 'technician' | 'manager' | 'admin', ...orders: OrderRow[]) =>
  bulkChoices(person(role), orders).map(({ status }) => status)

test('transitions allowed for at least one selected order are offered, others are not', () => {
  expect(offered('manager', order('created'))).toEqual([
    'pending_upload',
    'pending',
    'in_analysis',
    'completed',
    'cancelled',
  ])
  expect(offered('manager', order('ready'), order('pending'))).toEqual([
    'pending',
    'in_analysis',
    'completed',
    'cancelled',
  ])
  expect(offered('technician', order('ready'))).toEqual(['pending', 'in_analysis'])
  expect(offered('technician', order('ready', 3))).toEqual([])
  expect(offered('manager', order('completed'))).toEqual([])
})

test('a reason is asked for when one order needs it: cancelling, or reopening', () => {
  const reopened = bulkChoices(person('admin'), [order('completed'), order('ready')])
  expect(reopened.find(({ status }) => status === 'in_analysis')?.asks_reason).toBe(true)
  const choices = bulkChoices(person('admin'), [order('ready')])
  expect(choices.filter(({ asks_reason }) => asks_reason).map(({ status }) => status)).toEqual(['cancelled'])
})

test('only orders that are all ready are proposed to be completed', () => {
  expect(proposedStatus([order('ready'), order('ready')])).toBe('completed')
  expect(proposedStatus([order('ready'), order('pending')])).toBeUndefined()
})
