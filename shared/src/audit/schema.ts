import { z } from 'zod'
import { id } from '../fields.ts'

/**
 * Subjects of the audit trail. Orders have a history of their own, visible to everybody who may read the
 * order.
 */
export const AUDIT_SUBJECTS = ['user', 'company', 'brand'] as const
export type AuditSubject = (typeof AUDIT_SUBJECTS)[number]

/** One page, newest first; `cursor` is the last id already read. */
export const auditFilter = z.object({
  subject: z.enum(AUDIT_SUBJECTS, 'Assunto desconhecido').optional(),
  cursor: id.nullish(),
  limit: z.number().int().min(1).max(100).optional(),
})
export type AuditFilter = z.output<typeof auditFilter>

export interface AuditEvent {
  id: number
  at: string
  subject: AuditSubject
  subject_id: number
  /** Null once the subject was deleted; its id stays. */
  subject_name: string | null
  /** «created», «changed», «signed_in», «sign_in.failed», … */
  kind: string
  actor_name: string
  /** Data of the event; a changed field is [before, after]. */
  changes: Record<string, unknown>
  /** Address a sign-in came from. */
  ip: string | null
  user_agent: string | null
}

/** Which table the ids of a recorded field belong to; the others are no ids. */
export const AUDIT_REFERENCE: Record<string, AuditSubject> = {
  company_id: 'company',
  parent_id: 'company',
  manager_id: 'user',
  brand_ids: 'brand',
  brand_id: 'brand',
  copy_from: 'brand',
  responsible: 'user',
  technician: 'user',
}
/** Present names of the subjects that changes refer to, by `subject:id`; those that are gone are missing. */
export type AuditNames = Record<string, string>

/** A recorded id, which a filter may hold as text; null for words such as «none». */
export const idIn = (value: unknown): number | null =>
  typeof value === 'number'
    ? value
    : typeof value === 'string' && /^[1-9]\d{0,14}$/.test(value)
      ? Number(value)
      : null

/** The ids in the recorded value of a field, before and after. */
export const idsIn = (value: unknown): number[] =>
  (Array.isArray(value) ? value : [value]).flatMap((one) =>
    Array.isArray(one) ? idsIn(one) : (idIn(one) ?? []),
  )
