import { expect, test } from 'vitest'
import { authorsOf, clashesOf } from './conflict.ts'
import { fieldsOf } from './order-form-schema.ts'

const before = fieldsOf({ diagnosis: 'Bucha gasta', customer_name: 'José', parts_value: 10 })

test("only fields changed by somebody else are reported, with this user's own value (D-49)", () => {
  const theirs = { ...before, diagnosis: 'Amortecedor vazando', vehicle_color: 'Prata' }
  const mine = { ...before, diagnosis: 'Batente quebrado', customer_name: 'José da Silva' }
  expect(clashesOf(before, mine, theirs)).toEqual([
    { name: 'diagnosis', theirs: 'Amortecedor vazando', mine: 'Batente quebrado' },
    { name: 'vehicle_color', theirs: 'Prata', mine: null },
  ])
})

test('the same change by two users is not a conflict', () => {
  const both = { ...before, diagnosis: 'Batente quebrado' }
  expect(clashesOf(before, both, both)).toEqual([
    { name: 'diagnosis', theirs: 'Batente quebrado', mine: null },
  ])
  expect(clashesOf(before, both, before)).toEqual([])
})

test('the latest event on a field gives its author', () => {
  const event = (id: number, actor_name: string, changes: Record<string, unknown>) => ({
    id,
    kind: 'changed',
    at: '2026-11-21T12:00:00.000Z',
    actor_name,
    changes,
  })
  const authors = authorsOf([
    event(3, 'Gil', { diagnosis: ['b', 'c'] }),
    event(2, 'Ana', { diagnosis: ['a', 'b'], vehicle_color: [null, 'Prata'] }),
  ])
  expect(authors.get('diagnosis')?.actor_name).toBe('Gil')
  expect(authors.get('vehicle_color')?.actor_name).toBe('Ana')
})
