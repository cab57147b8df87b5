import { expect, test } from 'vitest'
import { changeLines, kindLabel } from './audit-labels.ts'

const NAMES = { 'brand:1': 'Fiat', 'company:7': 'Auto Sul' }
const changed = (changes: Record<string, unknown>) => changeLines({ kind: 'changed', changes }, NAMES)

test('a change is shown as before → after, with labels', () => {
  expect(changed({ department: [null, 'Oficina'], role: ['technician', 'manager'] })).toEqual([
    'Departamento: — → Oficina',
    'Função: Técnico → Gestor',
  ])
  expect(changed({ is_active: [true, false], brand_ids: [[], [1, 2]], password: 'nova' })).toEqual([
    'Ativo: sim → não',
    'Marcas atendidas: — → Fiat, nº 2',
    'Senha: nova',
  ])
  expect(
    changed({ max_video_count: [2, 3], required_categories: [[], [{ category: 'odometro', min: 1 }]] }),
  ).toEqual(['Máximo de vídeos: 2 → 3', 'Evidências exigidas: — → Odômetro (1)'])
  expect(
    changeLines({ kind: 'created', changes: { tax_id: '11222333000181', company_id: 7 } }, NAMES),
  ).toEqual(['CNPJ: 11222333000181', 'Empresa: Auto Sul'])
})

test('an event without a label is shown by its kind', () => {
  expect(kindLabel('sign_in.failed')).toBe('Entrada recusada')
  expect(kindLabel('anything.new')).toBe('anything.new')
})
