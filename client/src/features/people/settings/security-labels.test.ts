import { expect, test } from 'vitest'
import { detailLines } from './security-labels.ts'

test('details are shown with labels, an account by its name', () => {
  expect(detailLines({ details: { account_id: 7, account: 'Ana Lima', token_id: 3 } })).toEqual([
    'Conta: Ana Lima',
    'Token de id: 3',
  ])
  expect(detailLines({ details: { reason: 'revoked', account_id: 7 } })).toEqual([
    'Motivo: pessoa desativada',
    'Conta de id: 7',
  ])
  expect(detailLines({ details: { anything: 'new' } })).toEqual(['anything: new'])
})
