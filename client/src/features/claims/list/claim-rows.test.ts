import type { ClaimRow } from '@garantia/shared/claims/schema'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test, vi } from 'vitest'

// The modules of the buttons listen for keys as soon as they are loaded.
vi.stubGlobal('document', { addEventListener: () => undefined })
const { claimColumns } = await import('./claim-rows.tsx')
vi.unstubAllGlobals()

const claim = {
  ...{ id: 1, order_id: 2, os_number: '000123', n: 2, type: 'appeal', state: 'credited', version: 1 },
  ...{ brand: { id: 3, display_name: 'Kia' }, company: { id: 4, trading_name: 'Auto Sul' } },
  ...{ brand_number: 'SG7', claimed: 100, authorised: 80, paid: 60, open_amount: 20, mail_failed_at: null },
  // Late in the evening it is the next day in UTC.
  ...{ sent_at: '2026-11-25T01:30:00.000Z', age_days: 1, due_kind: null, due_on: null },
} as ClaimRow

test('each column of the list of claims shows what its heading says', () => {
  const shown = claimColumns({ start: () => undefined }).flatMap(({ id, header, cell, ...column }) => {
    if (id === 'actions' || typeof cell !== 'function') return []
    const html = renderToStaticMarkup(cell({ row: { original: claim } } as never) as never)
    const texts = html
      .replaceAll(/<[^>]*>/g, ' ')
      .trim()
      .split(/ {2,}/)
    // By which the column is as wide as its amounts.
    if ('accessorFn' in column) expect([column.accessorFn(claim, 0)]).toEqual(texts)
    return [[header, texts]]
  })
  expect(shown).toEqual([
    ['SG', ['000123-2', 'Reconsideração']],
    ['Marca e empresa', ['Kia', 'Auto Sul']],
    ['Situação', ['Creditada']],
    ['Enviada', ['24/11/2026', '1 dia']],
    ['Nº na marca', ['SG7']],
    ['Solicitado', ['R$ 100,00']],
    ['Autorizado', ['R$ 80,00']],
    ['Pago', ['R$ 60,00']],
    ['Em aberto', ['R$ 20,00']],
    ['Próxima data', ['—']],
  ])
})
