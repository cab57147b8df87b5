import { expect, test } from 'vitest'
import { gainsRights, losesRole } from './rights.ts'

const before = { role: 'manager', is_superuser: true, company_id: 1 } as const

test.each([
  [{}, false, false],
  [{ role: 'admin' }, true, false],
  [{ role: 'technician' }, false, true],
  [{ is_superuser: false }, false, true],
  [{ company_id: 2 }, true, false],
  [{ company_id: null }, false, false],
] as const)('%j gives rights: %s, takes a role: %s', (change, gains, loses) => {
  const after = { ...before, ...change }
  expect([gainsRights(before, after), losesRole(before, after)]).toEqual([gains, loses])
})
