import { expect, test } from 'vitest'
import { detailLines } from './security-labels.ts'

test('details are shown with labels, an account by its name', () => {
  const token = { account_id: 7, account: 'Ana Lima', token_id: 3 }
  expect(detailLines({ details: token, names: { account_id: 'Ana Souza', token_id: 'ERP' } })).toEqual([
    'Conta: Ana Lima',
    'Token: ERP',
  ])
  expect(detailLines({ details: { reason: 'revoked', account_id: 7 }, names: {} })).toEqual([
    'Motivo: pessoa desativada',
    'Conta: nº 7',
  ])
  expect(detailLines({ details: { evidence_id: 5 }, names: { evidence_id: 'painel.jpg' } })).toEqual([
    'Evidência: painel.jpg',
  ])
  expect(detailLines({ details: { packages_id: 4 }, names: {} })).toEqual(['Pedido de pacotes: nº 4'])
  expect(detailLines({ details: { anything: 'new' }, names: {} })).toEqual(['anything: new'])
})
