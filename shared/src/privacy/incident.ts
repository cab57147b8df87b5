import { z } from 'zod'
import { businessDayAfter } from '../br/business-days.ts'
import { id, text } from '../fields.ts'
import { isoDay } from '../format.ts'

/** Resolução CD/ANPD 15/2024, arts. 6 and 9: business days from knowledge; twice for a small processing agent. */
const NOTICE_DAYS = 3
const LONG = 8_000
const moment = z.iso.datetime({ offset: true, error: 'Informe data e hora' })
const count = z
  .number('Deve ser um número')
  .int('Deve ser um número inteiro')
  .min(0)
  .max(1_000_000_000)
  .nullable()

export const NOTICE = {
  undecided: 'Em avaliação',
  required: 'Deve ser comunicado',
  not_required: 'Sem risco ou dano relevante: não se comunica',
} as const
export type Notice = keyof typeof NOTICE
export const NOTICES = Object.keys(NOTICE) as Notice[]

/** What the resolution asks of the communication (art. 6, § 2; art. 9, § 1), and when it was made. */
const content = z.object({
  title: text(120).min(1, 'Dê um nome ao incidente'),
  known_at: moment,
  occurred: text(255),
  notice: z.enum(NOTICES, 'Escolha se deve ser comunicado'),
  is_small_agent: z.boolean(),
  description: text(LONG).min(1, 'Descreva o incidente'),
  nature: text(LONG),
  subjects_affected: count,
  subjects_detail: text(LONG),
  subjects_total: count,
  measures: text(LONG),
  risks: text(LONG),
  mitigation: text(LONG),
  officer: text(255),
  controller: text(255),
  operator: text(255),
  delay_reason: text(LONG),
  authority_at: moment.nullable(),
  authority_protocol: text(120),
  subjects_at: moment.nullable(),
  is_closed: z.boolean(),
})
export type IncidentContent = z.output<typeof content>

/** Its texts, in the order of page and paper. */
export const INCIDENT_LABEL = {
  description: 'Descrição e causa raiz',
  nature: 'Natureza e categorias dos dados afetados',
  subjects_detail: 'Titulares afetados: crianças, adolescentes e idosos à parte',
  measures: 'Medidas de segurança antes e depois do incidente',
  risks: 'Riscos e impactos possíveis aos titulares',
  mitigation: 'Medidas para reverter ou reduzir os efeitos',
  delay_reason: 'Motivos da demora, se o prazo não foi cumprido',
} as const
export type IncidentText = keyof typeof INCIDENT_LABEL
export const INCIDENT_TEXTS = Object.keys(INCIDENT_LABEL) as IncidentText[]

const isInOrder = ({ known_at, authority_at, subjects_at }: IncidentContent) =>
  [authority_at, subjects_at].every((at) => at === null || Date.parse(at) >= Date.parse(known_at))
export const incidentContent = content.refine(isInOrder, {
  path: ['authority_at'],
  error: 'A comunicação não pode vir antes do conhecimento do incidente',
})
export const incidentChange = z.object({ id, version: z.number().int().positive(), content: incidentContent })
export type IncidentChange = z.output<typeof incidentChange>
export const KNOWN_IN_FUTURE = 'O conhecimento do incidente não pode estar no futuro'

export interface IncidentView {
  id: number
  version: number
  content: IncidentContent
  /** Last day of the deadline, yyyy-mm-dd in São Paulo. */
  deadline: string
  /** Who wrote the last change, and when. */
  actor_name: string
  updated_at: string
}

/** The last day on which the authority and the people concerned may be told, yyyy-mm-dd. */
export const noticeDeadline = ({
  known_at,
  is_small_agent,
}: Pick<IncidentContent, 'known_at' | 'is_small_agent'>) =>
  businessDayAfter(isoDay(new Date(known_at)), is_small_agent ? 2 * NOTICE_DAYS : NOTICE_DAYS)

export type IncidentState = 'closed' | 'not_required' | 'told' | 'late' | 'running'
/** What is true of an incident at `now`. */
export function incidentState(incident: IncidentContent, now: Date): IncidentState {
  if (incident.is_closed) return 'closed'
  if (incident.notice === 'not_required') return 'not_required'
  if (incident.authority_at && incident.subjects_at) return 'told'
  return isoDay(now) > noticeDeadline(incident) ? 'late' : 'running'
}
