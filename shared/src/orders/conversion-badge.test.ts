import { expect, test } from 'vitest'
import { conversionBadge, missingFiles, neededOf, needsFiles, type OrderFiles } from './conversion-badge.ts'
import { CONVERSION_STATUSES, conversionStatusOf, ORDER_STATUSES, pipelineStatus } from './status.ts'

const none: OrderFiles = { pending: 0, converting: 0, converted: 0, failed: 0, missing: 0 }
/** What is said of an order that has these files, with the statuses that follow from them. */
const wordsOf = (files: Partial<OrderFiles>, isValid = true) => {
  const counts = { ...none, ...files }
  const order = {
    status: pipelineStatus(counts, isValid && counts.missing === 0),
    conversion_status: conversionStatusOf(counts, true),
    files: counts,
  }
  return [conversionBadge(order).label, neededOf(order)]
}

test.each([
  [{}, 'Realizar Upload', null],
  [{ missing: 2 }, 'Realizar Upload', null],
  [{ pending: 7 }, 'Pronta para converter', null],
  [{ pending: 7, missing: 1 }, 'Pronta para converter', 'Falta 1 evidência'],
  [{ converted: 7, missing: 2 }, 'Disponível', 'Faltam 2 evidências'],
  [{ converting: 4, converted: 3 }, 'Convertendo 3/7', null],
  [{ converting: 1, failed: 1, missing: 1 }, 'Convertendo 0/2', 'Falta 1 evidência'],
  [{ converted: 6, failed: 1 }, 'Falhou', null],
  [{ converted: 6, pending: 1 }, 'Falta converter 1/7', null],
  [{ converted: 7 }, 'Disponível', null],
] as const)('an order with %j says «%s», and needs: %s', (files, label, needed) =>
  expect(wordsOf(files)).toEqual([label, needed]),
)

test('converted files that make no valid package leave something to do', () =>
  expect(wordsOf({ converted: 3 }, false)).toEqual(['Disponível', 'Há pendências']))

test('an order that has files is never asked for an upload that is not needed (D-07)', () => {
  for (const status of ORDER_STATUSES)
    for (const conversion_status of CONVERSION_STATUSES) {
      const files = { ...none, pending: 2 }
      if (needsFiles({ status, conversion_status }))
        expect(conversionBadge({ status, conversion_status, files }).label).not.toBe('Realizar Upload')
    }
})

test('a closed order says what was converted, and not what is missing', () => {
  const closed = { status: 'cancelled', conversion_status: 'in_progress' } as const
  const files = { ...none, pending: 1, converted: 2, missing: 3 }
  expect(conversionBadge({ ...closed, files }).label).toBe('Convertidos 2/3')
  expect(neededOf({ ...closed, files })).toBeNull()
  expect(conversionBadge({ ...closed, conversion_status: 'available', files: null }).label).toBe('Disponível')
  expect(conversionBadge({ ...closed, conversion_status: 'not_started', files: none }).label).toBe(
    'Sem arquivos',
  )
})

test('a file too many in one category does not stand for another', () => {
  const have: Record<string, number> = { odometro: 5, placa: 1 }
  const required = [
    { category: 'odometro', min: 1 },
    { category: 'placa', min: 2 },
    { category: 'chassi', min: 1 },
  ] as const
  expect(missingFiles(required, (category) => have[category] ?? 0)).toBe(2)
})
