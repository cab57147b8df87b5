import { expect, test } from 'vitest'
import { nameOf } from './user-badges.tsx'

test('a blank name is shown as «Sem nome» (ADM-4)', () => {
  expect(nameOf({ full_name: ' ' })).toBe('Sem nome')
  expect(nameOf({ full_name: 'Ana' })).toBe('Ana')
})
