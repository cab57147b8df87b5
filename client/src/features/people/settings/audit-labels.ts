import {
  AUDIT_REFERENCE,
  type AuditEvent,
  type AuditNames,
  type AuditSubject,
  idIn,
} from '@garantia/shared/audit/schema'
import { SESSION_METHOD_LABEL } from '@garantia/shared/auth/second-factor'
import { formatCnpj, formatCpf } from '@garantia/shared/br/tax-id'
import { requiredCategory } from '@garantia/shared/brands/schema'
import {
  WINDOW_BEGINNING_LABEL,
  WINDOW_EVENT,
  WINDOW_LABEL,
  type WindowEvent,
} from '@garantia/shared/claims/deadlines'
import { REASONS, type RefusalReason } from '@garantia/shared/claims/reasons'
import type { Resolution } from '@garantia/shared/claims/remittance'
import { CLAIM_STATE, CLAIM_TYPE, type ClaimState, type ClaimType } from '@garantia/shared/claims/state'
import { EVIDENCE_CATEGORY, type EvidenceCategory } from '@garantia/shared/evidence/category'
import { brl, counted } from '@garantia/shared/format'
import { MINE, NOBODY, type OrderSort } from '@garantia/shared/orders/criteria'
import {
  CONVERSION_STATUS,
  type ConversionStatus,
  ORDER_STATUS,
  type OrderStatus,
} from '@garantia/shared/orders/status'
import { TOKEN_SCOPE_LABEL } from '@garantia/shared/tokens/scope'
import { ROLE_LABEL } from '@garantia/shared/users/role'
import { TOPIC_LABEL, type WebhookTopic } from '@garantia/shared/webhooks'
import { RESOLUTION_LABEL } from '../../claims/remittances/difference.ts'

export const SUBJECT_LABEL: Record<AuditSubject, string> = {
  user: 'Usuário',
  company: 'Empresa',
  brand: 'Marca',
}

const KIND_LABEL: Record<string, string> = {
  created: 'Criação',
  changed: 'Alteração',
  deleted: 'Exclusão',
  initialized: 'Inicialização',
  signed_in: 'Entrada',
  'sign_in.failed': 'Entrada recusada',
  signed_up: 'Cadastro',
  left: 'Saída da conta',
  'recovery.requested': 'Pedido de recuperação de senha',
  'password.reset': 'Senha redefinida',
  'account.recorded': 'Direitos e credenciais registrados na trilha',
  'password.changed': 'Senha alterada',
  'token.created': 'Token de API criado',
  'token.revoked': 'Token de API revogado',
  'webhook.created': 'Webhook criado',
  'webhook.removed': 'Webhook removido',
  'calendar.opened': 'Endereço do calendário criado',
  'calendar.revoked': 'Endereço do calendário revogado',
  'factor.added': 'Verificação em duas etapas ativada',
  'factor.removed': 'Verificação em duas etapas desativada',
  'factor.codes_renewed': 'Códigos de recuperação trocados',
  'factor.code_spent': 'Código de recuperação usado',
  'passkey.added': 'Chave de acesso cadastrada',
  'passkey.removed': 'Chave de acesso removida',
  'sessions.ended': 'Todas as sessões encerradas',
  'login.restored': 'Login devolvido ao dono anterior',
  'orders.imported': 'OS importadas de um arquivo',
  'remittance.booked': 'Demonstrativo de pagamento importado',
  'remittance.undone': 'Demonstrativo de pagamento desfeito',
  'remittance.resolved': 'Diferença de pagamento resolvida',
  'orders.exported': 'Lista de OS exportada',
  'orders.printed': 'Lista de OS impressa',
  'claims.exported': 'Lista de solicitações exportada',
  'report.exported': 'Relatório exportado',
  'directory.linked': 'Conta ligada ao diretório',
}
export const kindLabel = (kind: string) => KIND_LABEL[kind] ?? kind

const FIELD_LABEL: Record<string, string> = {
  full_name: 'Nome completo',
  email: 'Email ou nome de usuário',
  cpf: 'CPF',
  role: 'Função',
  company_id: 'Empresa',
  manager_id: 'Gestor responsável',
  phone: 'Telefone',
  department: 'Departamento',
  position: 'Cargo',
  password: 'Senha',
  is_active: 'Ativo',
  is_superuser: 'Super Administrador',
  trading_name: 'Nome Fantasia',
  legal_name: 'Razão Social',
  tax_id: 'CNPJ',
  type: 'Tipo',
  parent_id: 'Empresa Matriz',
  address: 'Endereço',
  city: 'Cidade',
  state: 'Estado',
  zip_code: 'CEP',
  brand_ids: 'Marcas atendidas',
  logo: 'Logotipo',
  is_sample: 'Exemplo',
  slug: 'Código',
  filename: 'Arquivo',
  format: 'Formato',
  from: 'De',
  until: 'Até',
  sha256: 'SHA-256',
  created: 'OS criadas',
  existing: 'Já existentes',
  refused: 'Linhas recusadas',
  copy_from: 'Regras copiadas da marca',
  ids: 'Seleção',
  page: 'Página',
  search: 'Busca',
  status: 'Status',
  conversion_status: 'Conversão',
  brand_id: 'Marca',
  responsible: 'Responsável',
  start_date: 'Aberta desde',
  end_date: 'Aberta até',
  min_days_open: 'Dias em aberto, no mínimo',
  max_days_open: 'Dias em aberto, no máximo',
  sent_from: 'Enviada desde',
  sent_until: 'Enviada até',
  due_until: 'Prazo até',
  is_open: 'Com valor em aberto',
  is_unappealed: 'Sem reconsideração',
  is_overpaid: 'Pagas a mais',
  technician: 'Técnico',
  is_refused: 'Recusadas',
  refused_from: 'Recusada desde',
  refused_until: 'Recusada até',
  refusal_reason: 'Motivo da recusa',
  refused_category: 'Evidência da recusa',
  first_answered_from: 'Primeira resposta desde',
  first_answered_until: 'Primeira resposta até',
  is_first_accepted: 'Aceitas na primeira vez',
  credited_from: 'Creditada desde',
  credited_until: 'Creditada até',
  sort: 'Ordenação',
  direction: 'Sentido',
  display_name: 'Nome da marca',
  max_file_size_mb: 'Tamanho total (MB)',
  max_evidence_count: 'Máximo de arquivos',
  max_video_count: 'Máximo de vídeos',
  max_video_seconds: 'Duração de vídeo (s)',
  image_max_px: 'Lado maior da foto (px)',
  max_powerpoint_size_mb: 'PowerPoint (MB)',
  accepted_video_formats: 'Formatos de vídeo',
  accepted_image_formats: 'Formatos de imagem',
  naming_template: 'Modelo de nome',
  name: 'Nome',
  prefix: 'Começo do token',
  scope: 'Permissão',
  networks: 'Endereços permitidos',
  webhook: 'Sistema avisado',
  topics: 'Assuntos',
  method: 'Entrada',
  expires_at: 'Validade',
  required_categories: 'Evidências exigidas',
  processing_time_seconds: 'Processamento (s)',
  storage_retention_months: 'Retenção (meses)',
  submission_system: 'Sistema de envio',
  submission_url: 'Endereço do sistema',
  completion_policy: 'Concluir OS com pendências',
  auto_convert: 'Converter automaticamente',
  keep_gps: 'Manter a localização (GPS)',
  ...WINDOW_LABEL,
  ...WINDOW_BEGINNING_LABEL,
  payment_tolerance: 'Tolerância de pagamento (R$)',
  submission_channel: 'Canal de envio',
  submission_email: 'E-mail do analista',
  submission_fields: 'Campos pedidos pelo portal',
  write_off_limit: 'Limite de baixa por gestor (R$)',
  remittance: 'Demonstrativo',
  lines: 'Linhas',
  matched: 'Linhas que conferem',
  total: 'Total',
  line: 'Linha',
  resolution: 'Decisão',
  amount: 'Valor',
  entries: 'Lançamentos anulados',
  reason: 'Motivo',
}
const WRITTEN: Record<string, string> = { ...ROLE_LABEL, ...TOKEN_SCOPE_LABEL, ...SESSION_METHOD_LABEL }
/** Values as they are shown elsewhere, which mean something only in their field; what is masked stays so. */
const IN_ITS_FIELD: Record<string, (value: unknown) => unknown> = {
  // A company's state is that of its address.
  state: (value) => CLAIM_STATE[value as ClaimState]?.label ?? value,
  type: (value) => CLAIM_TYPE[value as ClaimType]?.label ?? value,
  refusal_reason: (value) => REASONS[value as RefusalReason]?.label ?? value,
  refused_category: (value) => EVIDENCE_CATEGORY[value as EvidenceCategory] ?? value,
  technician: (value) => (value === NOBODY ? 'sem técnico' : value),
  status: (value) => ORDER_STATUS[value as OrderStatus]?.label ?? value,
  topics: (value) => TOPIC_LABEL[value as WebhookTopic] ?? value,
  conversion_status: (value) => CONVERSION_STATUS[value as ConversionStatus]?.label ?? value,
  responsible: (value) => ({ [MINE]: 'quem exportou', [NOBODY]: 'sem responsável' })[String(value)] ?? value,
  sort: (value) => SORT_LABEL[value as OrderSort] ?? value,
  direction: (value) => ({ asc: 'crescente', desc: 'decrescente' })[String(value)] ?? value,
  claim_appeal_from: (value) => WINDOW_EVENT[value as WindowEvent] ?? value,
  claim_part_from: (value) => WINDOW_EVENT[value as WindowEvent] ?? value,
  tax_id: (value) => value && formatCnpj(String(value)),
  total: (value) => (typeof value === 'number' ? brl(value) : value),
  amount: (value) => (typeof value === 'number' ? brl(value) : value),
  resolution: (value) => RESOLUTION_LABEL[value as Resolution] ?? value,
  cpf: (value) => (/^\d{11}$/.test(String(value)) ? formatCpf(String(value)) : value),
}
const writtenDay = (day: string) => day.split('-').reverse().join('/')
const SORT_LABEL: Record<OrderSort, string> = {
  opened_at: 'abertura',
  os_number: 'número',
  customer_name: 'cliente',
  total_value: 'valor total',
}

function valueText(value: unknown): string {
  if (value === null || value === undefined || value === '') return '—'
  if (typeof value === 'boolean') return value ? 'sim' : 'não'
  if (Array.isArray(value)) return value.map(valueText).join(', ') || '—'
  const { data: required } = requiredCategory.safeParse(value)
  if (required) return `${EVIDENCE_CATEGORY[required.category]} (${required.min})`
  if (typeof value === 'object') return JSON.stringify(value)
  return WRITTEN[String(value)] ?? String(value)
}

const isPair = (value: unknown): value is [unknown, unknown] => Array.isArray(value) && value.length === 2

/** Ids in changes by the names they have now; a number is left of what is gone. */
function named(field: string, value: unknown, names: AuditNames): unknown {
  const subject = AUDIT_REFERENCE[field]
  if (!subject) return value
  if (Array.isArray(value)) return value.map((one) => named(field, one, names))
  const id = idIn(value)
  return id === null ? value : (names[`${subject}:${id}`] ?? `nº ${id}`)
}

/** Values in the words of their field. */
function inWords(field: string, value: unknown): unknown {
  if (field === 'ids' && Array.isArray(value)) return counted(value.length, 'OS escolhida', 'OS escolhidas')
  if (Array.isArray(value)) return value.map((one) => inWords(field, one))
  if (typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value)) return writtenDay(value)
  return IN_ITS_FIELD[field]?.(value) ?? value
}

/** «Departamento: Oficina → Garantia», one line per field. */
export const changeLines = (
  { kind, changes }: Pick<AuditEvent, 'kind' | 'changes'>,
  names: AuditNames = {},
) =>
  Object.entries(changes).map(([field, recorded]) => {
    const label = FIELD_LABEL[field] ?? field
    const value = inWords(field, named(field, recorded, names))
    return kind === 'changed' && isPair(value)
      ? `${label}: ${valueText(value[0])} → ${valueText(value[1])}`
      : `${label}: ${valueText(value)}`
  })
