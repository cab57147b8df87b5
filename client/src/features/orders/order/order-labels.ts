import { formatPhone } from '@garantia/shared/br/phone'
import { formatTaxId } from '@garantia/shared/br/tax-id'
import { formatPlate } from '@garantia/shared/br/vehicle'
import { EVIDENCE_CATEGORY, type EvidenceCategory } from '@garantia/shared/evidence/category'
import { brl, bytes, dateTime, integer } from '@garantia/shared/format'
import { CONVERSION_STATUS, ORDER_STATUS } from '@garantia/shared/orders/status'
import type { OrderFields } from '../form/order-form-schema.ts'

/** Label of each order field, in forms, validation messages, conflicts and the history. */
export const FIELD_LABEL = {
  os_number: 'Número da OS',
  brand_id: 'Marca',
  company_id: 'Empresa',
  status: 'Status',
  opened_at: 'Data de abertura',
  problem_description: 'Descrição do problema',
  diagnosis: 'Diagnóstico',
  solution_applied: 'Solução aplicada',
  parts_replaced: 'Peças substituídas',
  technician_name: 'Técnico',
  technician_user_id: 'Usuário do técnico',
  service_value: 'Valor do serviço',
  parts_value: 'Valor das peças',
  customer_name: 'Nome do cliente',
  customer_phone: 'Telefone',
  customer_email: 'Email',
  customer_document: 'CPF ou CNPJ',
  vehicle_model: 'Modelo',
  vehicle_year: 'Ano',
  vehicle_color: 'Cor',
  vehicle_plate: 'Placa',
  vehicle_mileage: 'Quilometragem',
  vehicle_chassis: 'Chassi',
  vehicle_value: 'Valor do veículo',
} as const satisfies Record<keyof OrderFields, string>

/** Data of events that is not a field of the form. */
const FACT_LABEL: Record<string, string> = {
  ...FIELD_LABEL,
  reason: 'Motivo',
  problems: 'Pendências aceitas',
  conversion_status: 'Conversão',
  completed_at: 'Conclusão',
  cancelled_at: 'Cancelamento',
  filename: 'Arquivo',
  category: 'Categoria',
  evidence_category: 'Categoria',
  description: 'Descrição',
  error: 'Erro',
  size: 'Tamanho',
  rotation: 'Giro',
  evidence_ids: 'Arquivos',
  files: 'Arquivos',
  n: 'Versão',
  legal_hold_reason: 'Motivo da retenção judicial',
  retention_months: 'Prazo de guarda, em meses',
}
/** Null for data that is not shown: keys, hashes, and ids whose name is shown beside them. */
export const factLabel = (name: string) => (name === 'technician_user_id' ? null : (FACT_LABEL[name] ?? null))

const READING_ORDER = Object.keys(FACT_LABEL)
/** Labelled data of an event in the order of the form, as the database keeps no key order. */
export const factsOf = (changes: Record<string, unknown>) =>
  Object.entries(changes)
    .filter(([name, value]) => factLabel(name) !== null && value !== null)
    .sort(([a], [b]) => READING_ORDER.indexOf(a) - READING_ORDER.indexOf(b))

const EVENT_LABEL: Record<string, string> = {
  opened: 'OS aberta',
  changed: 'Dados alterados',
  status: 'Status alterado',
  removed: 'OS excluída',
  restored: 'OS restaurada',
  'evidence.uploaded': 'Evidência enviada',
  'evidence.changed': 'Evidência alterada',
  'evidence.turned': 'Foto girada',
  'evidence.deleted': 'Evidência excluída',
  'evidence.restored': 'Evidência restaurada',
  'evidence.converted': 'Evidência convertida',
  'evidence.failed': 'Conversão falhou',
  'evidence.purged': 'Evidências excluídas eliminadas da lixeira',
  'evidence.expired': 'Evidências eliminadas ao fim do prazo de guarda',
  'conversion.requested': 'Conversão solicitada',
  'conversion.repeated': 'Nova conversão com o espaço que sobrou',
  'dossier.requested': 'Dossiê solicitado',
  'dossier.sealed': 'Dossiê selado',
  held: 'OS posta em retenção judicial',
  released: 'Retenção judicial encerrada',
  purged: 'OS eliminada da lixeira',
}
export const eventLabel = (kind: string) => EVENT_LABEL[kind] ?? 'Outro evento'

const MONEY = ['service_value', 'parts_value', 'vehicle_value', 'total_value']
const TIMESTAMP_FIELDS = ['opened_at', 'completed_at', 'cancelled_at']
const WRITTEN: Record<string, (text: string) => string> = {
  customer_phone: formatPhone,
  customer_document: formatTaxId,
  vehicle_plate: formatPlate,
  status: (text) => ORDER_STATUS[text as keyof typeof ORDER_STATUS]?.label ?? text,
  conversion_status: (text) => CONVERSION_STATUS[text as keyof typeof CONVERSION_STATUS]?.label ?? text,
  category: (text) => EVIDENCE_CATEGORY[text as EvidenceCategory] ?? text,
  evidence_category: (text) => EVIDENCE_CATEGORY[text as EvidenceCategory] ?? text,
}

/** Lists of files are shown as a count. */
export const isCounted = (name: string) => name === 'evidence_ids' || name === 'files'

/** Display text of a stored value. */
export function valueText(name: string, value: unknown): string {
  if (value === null || value === undefined || value === '') return '—'
  if (isCounted(name) && Array.isArray(value)) return integer(value.length)
  if (Array.isArray(value)) return value.map((one) => valueText(name, one)).join(' · ')
  if (typeof value === 'number') {
    if (MONEY.includes(name)) return brl(value)
    if (name === 'vehicle_mileage') return `${integer(value)} km`
    if (name === 'rotation') return `${value}°`
    return name === 'size' ? bytes(value) : String(value)
  }
  if (typeof value === 'boolean') return value ? 'Sim' : 'Não'
  if (typeof value === 'object') return JSON.stringify(value)
  const text = String(value)
  return TIMESTAMP_FIELDS.includes(name) ? dateTime(text) : (WRITTEN[name]?.(text) ?? text)
}

/** Filter groups of the history. */
export const EVENT_GROUPS = {
  all: 'Tudo',
  data: 'Dados',
  status: 'Status',
  evidence: 'Evidências',
} as const
export type EventGroup = keyof typeof EVENT_GROUPS
export function groupOf(kind: string): EventGroup {
  if (kind === 'status') return 'status'
  return /^(evidence|conversion|dossier)\./.test(kind) ? 'evidence' : 'data'
}
