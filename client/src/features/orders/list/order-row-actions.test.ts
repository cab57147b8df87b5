import type { ListedOrder } from '@garantia/shared/orders/conversion-badge'
import type { Actor, Person } from '@garantia/shared/policy'
import { expect, test } from 'vitest'
import { unavailableReason } from './order-row-actions.ts'

const person = (fields: Partial<Person>): Actor => ({
  ...{
    kind: 'user',
    id: 1,
    name: 'Ana',
    role: 'technician',
    is_superuser: false,
    company_id: 10,
    scope: [10],
  },
  ...fields,
})
const technician = person({})
const manager = person({ role: 'manager' })
const admin = person({ role: 'admin', scope: 'all' })
const order = (fields: Partial<ListedOrder> = {}) =>
  ({
    ...{ company_id: 10, created_by: 2, technician_user_id: 3, status: 'created', is_held: false },
    conversion_status: 'not_started',
    ...fields,
  }) as ListedOrder
const own = order({ technician_user_id: 1 })
const OTHERS = 'Esta OS é de outro técnico.'
const CLOSED = 'OS concluída ou cancelada não pode ser editada.'

test('a technician works on their own orders, others on those of their companies, and nobody on a closed one', () => {
  for (const action of ['edit', 'assign', 'upload'] as const) {
    expect(unavailableReason[action](technician, own), action).toBeNull()
    expect(unavailableReason[action](technician, order()), action).toBe(OTHERS)
    expect(unavailableReason[action](manager, order()), action).toBeNull()
    for (const status of ['completed', 'cancelled'] as const)
      expect(unavailableReason[action](admin, order({ status })), action).toBe(CLOSED)
  }
})

test('only an administrator reopens', () => {
  const completed = { status: 'completed' } as const
  expect(unavailableReason.changeStatus(technician, own)).toBeNull()
  expect(unavailableReason.changeStatus(technician, order())).toBe(OTHERS)
  for (const actor of [technician, manager])
    expect(unavailableReason.changeStatus(actor, { ...own, ...completed })).toBe(
      'Somente administradores podem reabrir uma OS.',
    )
  expect(unavailableReason.changeStatus(admin, order(completed))).toBeNull()
})

test('who may delete is told what stands against it, and others who may', () => {
  const completed = order({ status: 'completed' })
  expect(unavailableReason.remove(technician, own)).toMatch(/^Somente gestores e administradores/)
  expect(unavailableReason.remove(technician, completed)).toMatch(/^Somente gestores e administradores/)
  expect(unavailableReason.remove(manager, order())).toBeNull()
  expect(unavailableReason.remove(manager, completed)).toMatch(/^Somente administradores/)
  expect(unavailableReason.remove(admin, completed)).toBeNull()
  expect(unavailableReason.remove(manager, order({ is_held: true }))).toMatch(/retenção judicial/)
})

test('a package is downloaded once it is there', () => {
  expect(unavailableReason.download(technician, order())).toMatch(/ainda não está disponível/)
  expect(unavailableReason.download(technician, order({ conversion_status: 'available' }))).toBeNull()
})
