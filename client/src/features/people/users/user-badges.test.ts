import { expect, test } from 'vitest'
import { nameOf } from './user-badges.tsx'

test('who has no name is «Sem nome» (ADM-4)', () => {
  expect(nameOf({ full_name: ' ' })).toBe('Sem nome')
  expect(nameOf({ full_name: 'Ana' })).toBe('Ana')
})
