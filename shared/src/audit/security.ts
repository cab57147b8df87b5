import { z } from 'zod'
import { id } from '../fields.ts'

/** Reads of personal data that the security log records. */
export const READ_KIND = {
  'order.read': 'OS consultada',
  'order.kept': 'OS guardada no celular',
  'order.revealed': 'Dado oculto revelado',
  'order.printed': 'OS impressa',
  'customer.searched': 'Procura por documento, telefone ou chassi',
  'orders.exported': 'Lista de OS exportada',
  'orders.printed': 'Lista de OS impressa',
  'claims.exported': 'Lista de solicitações exportada',
  'report.exported': 'Relatório exportado',
  'package.downloaded': 'Pacote baixado',
  'originals.downloaded': 'Originais baixados',
  'evidence.downloaded': 'Evidência baixada',
  'dossier.downloaded': 'Dossiê baixado',
  'security_log.read': 'Registro de segurança consultado',
  'security_log.exported': 'Registro de segurança exportado',
  'subject.searched': 'Titular procurado',
  'subject.exported': 'Dados de titular reunidos',
  'subject.downloaded': 'Dados de titular baixados',
  'access_log.read': 'Registro de acessos consultado',
} as const

/** Refusals that may be an attempt: an order that is absent for everybody, or an expired address, is none. */
export const REFUSAL_KIND = {
  'refused.permission': 'Sem permissão',
  'refused.foreign_order': 'OS de outra empresa',
  'refused.sign_in': 'Entrada recusada',
  'refused.limit': 'Limite de tentativas',
  'refused.token_scope': 'Token de API sem esse alcance',
  'refused.token_address': 'Token de API usado de outro endereço',
  'refused.signature': 'Endereço de mídia forjado ou revogado',
} as const

export const SECURITY_KIND = { ...READ_KIND, ...REFUSAL_KIND }
export type SecurityKind = keyof typeof SECURITY_KIND
export const isRefusal = (kind: SecurityKind) => kind in REFUSAL_KIND

export const SECURITY_GROUPS = ['reads', 'refusals'] as const
export type SecurityGroup = (typeof SECURITY_GROUPS)[number]
export const kindsIn = (group: SecurityGroup) =>
  Object.keys(group === 'reads' ? READ_KIND : REFUSAL_KIND) as SecurityKind[]

/** One page, newest first; `cursor` is the last id already read. */
export const securityFilter = z.object({
  group: z.enum(SECURITY_GROUPS, 'Grupo desconhecido').optional(),
  cursor: id.nullish(),
  limit: z.number().int().min(1).max(100).optional(),
})
export type SecurityFilter = z.output<typeof securityFilter>

/** Details that are an id. */
export const SECURITY_REFERENCES = ['account_id', 'token_id', 'evidence_id'] as const
export type SecurityReference = (typeof SECURITY_REFERENCES)[number]

export interface SecurityEntry {
  id: number
  at: string
  kind: SecurityKind
  user_id: number | null
  /** Null for a caller who had not signed in. */
  actor_name: string | null
  order_id: number | null
  /** Null when the order was deleted for good. */
  os_number: string | null
  /** How often within the minute, for refusals. */
  times: number
  details: Record<string, unknown>
  /** Present names of what the details refer to by id; those that are gone are missing. */
  names: Partial<Record<SecurityReference, string>>
  ip: string | null
  user_agent: string | null
}
