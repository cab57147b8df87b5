import { z } from 'zod'
import { isPhone } from '../br/phone.ts'
import { bareDigits, bareTaxId, isCustomerDocument } from '../br/tax-id.ts'
import { id, text } from '../fields.ts'

export const SUBJECT_KEY = { document: 'CPF ou CNPJ', email: 'Email', phone: 'Telefone' } as const
export type SubjectKey = keyof typeof SUBJECT_KEY
export const SUBJECT_KEYS = Object.keys(SUBJECT_KEY) as SubjectKey[]

const looksLikeEmail = (value: string) => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(value)
const PROBLEM: Record<SubjectKey, { isValid: (value: string) => boolean; message: string }> = {
  document: { isValid: (value) => isCustomerDocument(bareTaxId(value)), message: 'CPF ou CNPJ inválido' },
  email: { isValid: looksLikeEmail, message: 'Email inválido' },
  phone: { isValid: isPhone, message: 'Telefone inválido' },
}
const BARE: Record<SubjectKey, (value: string) => string> = {
  document: bareTaxId,
  email: (value) => value.toLowerCase(),
  phone: bareDigits,
}

const shape = { by: z.enum(SUBJECT_KEYS, 'Escolha por que dado procurar'), value: text(120) }
const judge = ({ by, value }: Subject, ctx: z.RefinementCtx) => {
  if (!PROBLEM[by].isValid(value))
    ctx.addIssue({ code: 'custom', path: ['value'], message: PROBLEM[by].message })
}

/** A person whose data orders have, by what they are searched for; the value without its mask. */
export interface Subject {
  by: SubjectKey
  value: string
}
const bare = <T extends Subject>(given: T): T => ({ ...given, value: BARE[given.by](given.value) })
export const subjectInput = z.object(shape).superRefine(judge).transform(bare)

/** What must be typed to confirm an anonymisation. */
export const CONFIRM_WORD = 'ANONIMIZAR'
export const anonymiseInput = z
  .object({
    ...shape,
    confirmation: z.literal(CONFIRM_WORD, `Digite ${CONFIRM_WORD}`),
    /** Why orders under legal hold or within their retention are anonymised all the same; superusers only. */
    reason: text(500).optional(),
  })
  .superRefine(judge)
  .transform(bare)
export type AnonymiseInput = z.output<typeof anonymiseInput>

export interface SubjectOrder {
  id: number
  os_number: string
  company: string
  opened_at: string
  /** In the bin. */
  is_deleted: boolean
  /** Why its customer cannot be anonymised without a reason, in Portuguese; null when it can. */
  blocked: string | null
}
/** What the house has of a person. */
export interface SubjectFindings {
  orders: SubjectOrder[]
  files: number
  bytes: number
  dossiers: number
  /** Mails that name them, and saved views and imports that do. */
  mails: number
  views: number
  imports: number
}

export const REQUEST_KIND = { export: 'Exportação', anonymise: 'Anonimização' } as const
export type RequestKind = keyof typeof REQUEST_KIND
export const REQUEST_STATUS = {
  queued: 'Na fila',
  running: 'Em andamento',
  done: 'Concluída',
  failed: 'Erro',
} as const
export type RequestStatus = keyof typeof REQUEST_STATUS
export const isUnderWay = (status: RequestStatus) => status === 'queued' || status === 'running'

export interface PrivacyRequest {
  id: number
  kind: RequestKind
  status: RequestStatus
  searched_by: SubjectKey
  /** What the person is called in the orders after anonymisation; the same for the same document. */
  pseudonym: string
  orders: number
  /** Whole percent of the orders. */
  progress: number
  reason: string | null
  error: string | null
  actor_name: string
  created_at: string
  finished_at: string | null
  size: number | null
  /** Until when the archive can be downloaded; null when there is none. */
  available_until: string | null
  /** Whether the caller is who asked for the archive, and it is there. */
  is_downloadable: boolean
}
export const byRequest = z.object({ id })
