import { claimCriteria } from '@garantia/shared/claims/criteria'
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
  ).toEqual(['CNPJ: 11.222.333/0001-81', 'Empresa: Auto Sul'])
})

test('what was made of a remittance is shown in words and reais', () => {
  const changes = {
    remittance: 'novembro',
    line: 2,
    resolution: 'ignored',
    amount: 200.5,
    reason: 'Repetida',
  }
  expect(changeLines({ kind: 'remittance.resolved', changes })).toEqual([
    'Demonstrativo: novembro',
    'Linha: 2',
    'Decisão: Ignorar a linha',
    'Valor: R$ 200,50',
    'Motivo: Repetida',
  ])
})

test('an export of claims is shown in the words of its filter, whatever it filters by', () => {
  const changes = {
    format: 'xlsx',
    state: ['sent', 'rejected'],
    type: ['appeal'],
    technician: ['none', 4],
    refusal_reason: ['wrong_part_price'],
    refused_category: ['odometro'],
    refused_from: '2026-11-03',
  }
  expect(changeLines({ kind: 'claims.exported', changes }, { 'user:4': 'Gil Gestor' })).toEqual([
    'Formato: xlsx',
    'Estado: Enviada, Recusada',
    'Tipo: Reconsideração',
    'Técnico: sem técnico, Gil Gestor',
    'Motivo da recusa: Preço de peça divergente',
    'Evidência da recusa: Odômetro',
    'Recusada desde: 03/11/2026',
  ])
  for (const name of Object.keys(claimCriteria.shape))
    expect(changeLines({ kind: 'claims.exported', changes: { [name]: true } })[0]).not.toMatch(/^[a-z_]+:/)
})

test('an export of the list is shown in the words of its filter, and a brand by the one it was copied from', () => {
  const names = { ...NAMES, 'user:4': 'Gil Gestor' }
  const exported = {
    format: 'csv',
    ids: Array.from({ length: 12 }, (_, index) => index + 1),
    brand_id: [1],
    company_id: [7, 8],
    responsible: ['me', 'none', '4'],
    status: ['ready', 'pending'],
    conversion_status: ['failed'],
    start_date: '2026-11-03',
    sort: 'total_value',
    direction: 'desc',
  }
  expect(changeLines({ kind: 'orders.exported', changes: exported }, names)).toEqual([
    'Formato: csv',
    'Seleção: 12 OS escolhidas',
    'Marca: Fiat',
    'Empresa: Auto Sul, nº 8',
    'Responsável: quem exportou, sem responsável, Gil Gestor',
    'Status: Pronta, Pendente',
    'Conversão: Falhou',
    'Aberta desde: 03/11/2026',
    'Ordenação: valor total',
    'Sentido: decrescente',
  ])
  expect(changeLines({ kind: 'created', changes: { copy_from: 1 } }, names)).toEqual([
    'Regras copiadas da marca: Fiat',
  ])
})

test('an event without a label is shown by its kind', () => {
  expect(kindLabel('sign_in.failed')).toBe('Entrada recusada')
  expect(kindLabel('anything.new')).toBe('anything.new')
})

test('what other systems are told of is said in words', () =>
  expect(
    changeLines(
      { kind: 'webhook.created', changes: { webhook: 'https://dms.example', topics: ['order', 'claim'] } },
      {},
    ),
  ).toEqual(['Sistema avisado: https://dms.example', 'Assuntos: OS, Solicitações']))
