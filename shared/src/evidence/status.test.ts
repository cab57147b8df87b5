import { expect, test } from 'vitest'
import { canConvert, canDelete, EVIDENCE_STATUS, EVIDENCE_STATUSES } from './status.ts'

test.each([
  ['STA-19', 'pending', 'Pendente', 'yellow'],
  ['STA-20', 'converting', 'Processando', 'blue'],
  ['STA-21', 'converted', 'Pronto', 'green'],
  ['STA-22', 'failed', 'Erro', 'red'],
] as const)('%s: a file that is %s is «%s», %s', (_, status, label, colour) =>
  expect(EVIDENCE_STATUS[status]).toEqual({ label, colour }),
)

test('pending and failed files can be converted, converted ones only when forced (STA-23, EVI-13)', () => {
  expect(EVIDENCE_STATUSES.filter((status) => canConvert(status))).toEqual(['pending', 'failed'])
  expect(EVIDENCE_STATUSES.filter((status) => canConvert(status, true))).toEqual([
    'pending',
    'converted',
    'failed',
  ])
})

test('a file is not deleted while it is converted (D-08)', () =>
  expect(EVIDENCE_STATUSES.filter(canDelete)).toEqual(['pending', 'converted', 'failed']))
