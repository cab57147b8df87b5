import { expect, test } from 'vitest'
import { eventLabel, factLabel, factsOf, groupOf, valueText } from './order-labels.ts'

test.each([
  ['parts_value', 1200.5, 'R$ 1.200,50'],
  ['vehicle_mileage', 45_210, '45.210 km'],
  ['vehicle_year', 2024, '2024'],
  ['status', 'in_analysis', 'Em Análise'],
  ['opened_at', '2026-11-20T15:30:00.000Z', '20/11/2026, 12:30'],
  ['customer_phone', '11987654321', '(11) 98765-4321'],
  ['customer_document', '52998224725', '529.982.247-25'],
  ['vehicle_plate', 'ABC1234', 'ABC-1234'],
  ['category', 'odometro', 'Odômetro'],
  ['size', 1_536_000, '1,5 MB'],
  ['rotation', 90, '90°'],
  ['marks', [{ kind: 'cover' }, { kind: 'arrow' }, { kind: 'cover' }], '1 seta, 2 partes encobertas'],
  ['marks', [], 'nenhuma'],
  ['evidence_ids', [4, 5, 6], '3'],
  ['files', [{ id: 4 }, { id: 5 }], '2'],
  ['n', 2, '2'],
  ['diagnosis', null, '—'],
])('%s %j reads «%s»', (name, value, text) => expect(valueText(name, value)).toBe(text))

test('events and fields have labels; internal data have none', () => {
  expect(eventLabel('evidence.uploaded')).toBe('Evidência enviada')
  expect(eventLabel('dossier.sealed')).toBe('Dossiê selado')
  expect(eventLabel('something.new')).toBe('Outro evento')
  expect(factLabel('parts_value')).toBe('Valor das peças')
  expect(factLabel('sha256')).toBeNull()
  expect(factLabel('technician_user_id')).toBeNull()
  expect(['status', 'held', 'conversion.requested', 'dossier.sealed'].map(groupOf)).toEqual([
    'status',
    'data',
    'evidence',
    'evidence',
  ])
})

test('fields are in form order, without unlabelled ones', () =>
  expect(
    factsOf({
      sha256: 'f00',
      vehicle_color: ['a', 'b'],
      reason: 'x',
      diagnosis: [null, 'c'],
      status: 'ready',
    }),
  ).toEqual([
    ['status', 'ready'],
    ['diagnosis', [null, 'c']],
    ['vehicle_color', ['a', 'b']],
    ['reason', 'x'],
  ]))
