import { expect, test } from 'vitest'
import { changeLines, kindLabel } from './audit-labels.ts'

const changed = (changes: Record<string, unknown>) => changeLines({ kind: 'changed', changes })

test('a change is shown as before → after, with labels', () => {
  expect(changed({ department: [null, 'Oficina'], role: ['technician', 'manager'] })).toEqual([
    'Departamento: — → Oficina',
    'Função: Técnico → Gestor',
  ])
  expect(changed({ is_active: [true, false], brand_ids: [[], [1, 2]], password: 'nova' })).toEqual([
    'Ativo: sim → não',
    'Marcas atendidas: — → 1, 2',
    'Senha: nova',
  ])
  expect(
    changed({ max_video_count: [2, 3], required_categories: [[], [{ category: 'odometro', min: 1 }]] }),
  ).toEqual(['Máximo de vídeos: 2 → 3', 'Evidências exigidas: — → Odômetro (1)'])
  expect(changeLines({ kind: 'created', changes: { tax_id: '11222333000181' } })).toEqual([
    'CNPJ: 11222333000181',
  ])
})

test('an event without a label is shown by its kind', () => {
  expect(kindLabel('sign_in.failed')).toBe('Entrada recusada')
  expect(kindLabel('anything.new')).toBe('anything.new')
})
