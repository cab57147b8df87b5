import { expect, test } from 'vitest'
import { LABELS_MAX, replacedParts } from './sheet.ts'

test('each line of the replaced parts is a label, and an order without any has a blank one', () => {
  expect(replacedParts('Amortecedor dianteiro LE\n- Coxim; • Bieleta 5-A\n\n')).toEqual([
    'Amortecedor dianteiro LE',
    'Coxim',
    'Bieleta 5-A',
  ])
  expect(replacedParts(null)).toEqual([''])
  expect(replacedParts(' \n ; ')).toEqual([''])
  expect(replacedParts('peça\n'.repeat(LABELS_MAX + 1))).toHaveLength(LABELS_MAX)
})
