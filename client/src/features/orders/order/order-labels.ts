import { formatAccessKey } from '@garantia/shared/br/access-key'
import { formatPhone } from '@garantia/shared/br/phone'
import { formatTaxId } from '@garantia/shared/br/tax-id'
import { formatPlate } from '@garantia/shared/br/vehicle'
import { SUBMISSION_CHANNEL, type SubmissionChannel } from '@garantia/shared/claims/answers'
import { ENTRY_KIND, type EntryKind } from '@garantia/shared/claims/entries'
import { CLAIM_EVENT } from '@garantia/shared/claims/events'
import { PART_STATE, type PartState } from '@garantia/shared/claims/parts'
import { CLAIM_STATE, CLAIM_TYPE, type ClaimState, type ClaimType } from '@garantia/shared/claims/state'
import { EVIDENCE_CATEGORY, type EvidenceCategory } from '@garantia/shared/evidence/category'
import { countsOf, countWords } from '@garantia/shared/evidence/marks'
import { brl, bytes, dateTime, integer } from '@garantia/shared/format'
import { FIELD_LABEL } from '@garantia/shared/orders/field-label'
import { CONVERSION_STATUS, ORDER_STATUS } from '@garantia/shared/orders/status'

/** Data of events that is not a field of the form. */
const FACT_LABEL: Record<string, string> = {
  ...FIELD_LABEL,
  responsible_name: 'Responsável',
  comment: 'Texto',
  reason: 'Motivo',
  problems: 'Pendências aceitas',
  conversion_status: 'Conversão',
  completed_at: 'Conclusão',
  cancelled_at: 'Cancelamento',
  imported_from: 'Importada de',
  import_line: 'Linha',
  filename: 'Arquivo',
  guest_link: 'Link para fotos',
  expires_at: 'Vencimento',
  category: 'Categoria',
  evidence_category: 'Categoria',
  description: 'Descrição',
  error: 'Erro',
  size: 'Tamanho',
  rotation: 'Giro',
  marks: 'Marcas',
  app_camera: 'Câmera do app',
  evidence_ids: 'Arquivos',
  files: 'Arquivos',
  n: 'Versão',
  claim: 'Solicitação',
  claim_type: 'Tipo',
  claimed: 'Solicitado',
  authorised: 'Autorizado',
  carried: 'Levado à reconsideração',
  appeal: 'Reconsideração',
  channel: 'Enviada por',
  dossier_n: 'Dossiê',
  brand_number: 'Número na marca',
  outcome: 'Resposta',
  linked_order: 'OS do mesmo defeito',
  arrived_at: 'Chegada do veículo',
  repaired_at: 'Reparo efetivo',
  visit_fact: 'Fato',
  from_on: 'Desde',
  until_on: 'Até',
  part: 'Peça',
  part_state: 'Situação da peça',
  place: 'Lugar',
  due_on: 'Prazo',
  attributed_value: 'Valor atribuído',
  certificate_number: 'Certificado de garantia',
  certificate_issued_on: 'Certificado emitido em',
  certificate_until: 'Certificado válido até',
  invoice_number: 'Número da NF',
  invoice_key: 'Chave da NF',
  carrier: 'Transportador',
  sent_on: 'Devolvida em',
  received_on: 'Recebida em',
  part_note: 'Observação',
  amount: 'Valor',
  paid: 'Pago',
  written_off: 'Baixado',
  booked_on: 'Data do lançamento',
  credit_note_on: 'Nota de crédito de',
  remittance: 'Demonstrativo',
  entry: 'Lançamento',
  legal_hold_reason: 'Motivo da retenção judicial',
  retention_months: 'Prazo de guarda, em meses',
}
/** Null for data that is not shown: keys, hashes, and ids whose name is shown beside them. */
export const factLabel = (name: string) => (SHOWN_BY_NAME.includes(name) ? null : (FACT_LABEL[name] ?? null))
const SHOWN_BY_NAME = ['technician_user_id', 'responsible_user_id']

const READING_ORDER = Object.keys(FACT_LABEL)
/** Labelled data of an event in the order of the form, as the database keeps no key order. */
export const factsOf = (changes: Record<string, unknown>) =>
  Object.entries(changes)
    .filter(([name, value]) => factLabel(name) !== null && value !== null)
    .sort(([a], [b]) => READING_ORDER.indexOf(a) - READING_ORDER.indexOf(b))

const EVENT_LABEL: Record<string, string> = {
  ...CLAIM_EVENT,
  opened: 'OS aberta',
  'values.recorded': 'Valores registrados na trilha',
  changed: 'Dados alterados',
  status: 'Status alterado',
  removed: 'OS excluída',
  restored: 'OS restaurada',
  'evidence.uploaded': 'Evidência enviada',
  'evidence.changed': 'Evidência alterada',
  'evidence.turned': 'Foto girada',
  'evidence.marked': 'Foto marcada',
  'evidence.deleted': 'Evidência excluída',
  'evidence.restored': 'Evidência restaurada',
  'evidence.converted': 'Evidência convertida',
  'evidence.failed': 'Conversão falhou',
  'evidence.purged': 'Evidências excluídas eliminadas da lixeira',
  'evidence.expired': 'Evidências eliminadas ao fim do prazo de guarda',
  'guest_link.made': 'Link para fotos criado',
  'guest_link.revoked': 'Link para fotos revogado',
  'conversion.requested': 'Conversão solicitada',
  'conversion.repeated': 'Nova conversão com o espaço que sobrou',
  comment: 'Comentário',
  'dossier.requested': 'Dossiê solicitado',
  'dossier.sealed': 'Dossiê selado',
  held: 'OS posta em retenção judicial',
  released: 'Retenção judicial encerrada',
  purged: 'OS eliminada da lixeira',
  anonymised: 'Cliente anonimizado',
  'privacy.exported': 'Dados do titular exportados',
}
export const eventLabel = (kind: string) => EVENT_LABEL[kind] ?? 'Outro evento'

const MONEY = [
  'service_value',
  'parts_value',
  'vehicle_value',
  'total_value',
  'claimed',
  'authorised',
  'carried',
  'attributed_value',
  'amount',
  'paid',
  'written_off',
]
const TIMESTAMP_FIELDS = [
  'opened_at',
  'completed_at',
  'cancelled_at',
  'arrived_at',
  'repaired_at',
  'expires_at',
]
const WRITTEN: Record<string, (text: string) => string> = {
  customer_phone: formatPhone,
  customer_document: formatTaxId,
  vehicle_plate: formatPlate,
  status: (text) => ORDER_STATUS[text as keyof typeof ORDER_STATUS]?.label ?? text,
  conversion_status: (text) => CONVERSION_STATUS[text as keyof typeof CONVERSION_STATUS]?.label ?? text,
  channel: (text) => SUBMISSION_CHANNEL[text as SubmissionChannel] ?? text,
  outcome: (text) => CLAIM_STATE[text as ClaimState]?.label ?? text,
  part_state: (text) => PART_STATE[text as PartState] ?? text,
  claim_type: (text) => CLAIM_TYPE[text as ClaimType]?.label ?? text,
  entry: (text) => ENTRY_KIND[text as EntryKind] ?? text,
  booked_on: (text) => text.split('-').reverse().join('/'),
  credit_note_on: (text) => text.split('-').reverse().join('/'),
  invoice_key: formatAccessKey,
  category: (text) => EVIDENCE_CATEGORY[text as EvidenceCategory] ?? text,
  evidence_category: (text) => EVIDENCE_CATEGORY[text as EvidenceCategory] ?? text,
}

/** Lists of files are shown as a count. */
export const isCounted = (name: string) => name === 'evidence_ids' || name === 'files'

/** Display text of a stored value. */
export function valueText(name: string, value: unknown): string {
  if (value === null || value === undefined || value === '') return '—'
  if (isCounted(name) && Array.isArray(value)) return integer(value.length)
  if (name === 'marks' && Array.isArray(value)) return countWords(countsOf(value)) || 'nenhuma'
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
  claim: 'Garantia',
  comment: 'Comentários',
} as const
export type EventGroup = keyof typeof EVENT_GROUPS
export function groupOf(kind: string): EventGroup {
  if (kind === 'status' || kind === 'comment') return kind
  if (/^(claim|defect|visit)\./.test(kind)) return 'claim'
  return /^(evidence|conversion|dossier|guest_link)\./.test(kind) ? 'evidence' : 'data'
}
