import { z } from 'zod'
import {
  isRepeated,
  loginIdentity,
  PROFILE_NAME_MAX,
  password,
  REPETITION,
  repeated,
} from '../auth/schema.ts'
import { bareDigits, isCpf, isDigitsWithMask } from '../br/tax-id.ts'
import { id, listOf, nullWhenBlank, optionalText, paging, phone, text } from '../fields.ts'
import { date } from '../format.ts'
import { ROLES, type Role } from './role.ts'

export const userView = z.object({
  id: z.number(),
  email: z.string(),
  cpf: z.string().nullable(),
  full_name: z.string(),
  role: z.enum(ROLES),
  company_id: z.number().nullable(),
  manager_id: z.number().nullable(),
  phone: z.string().nullable(),
  department: z.string().nullable(),
  position: z.string().nullable(),
  is_superuser: z.boolean(),
  is_active: z.boolean(),
  last_login_at: z.string().nullable(),
})
export type UserView = z.output<typeof userView>

/** The signed-in user, with the companies in their scope, so that screens can hide what is refused. */
export const meView = userView.extend({
  scope: z.union([z.literal('all'), z.array(z.number())]),
  /** All data in this installation are invented and can be removed with one command. */
  is_demonstration: z.boolean(),
  /** Nothing but adding a second factor is allowed to this session. */
  must_add_factor: z.boolean(),
})
export type MeView = z.output<typeof meView>

export const personName = text(255).min(1, 'Nome completo é obrigatório')
const cpf = nullWhenBlank(
  text(20)
    .refine(isDigitsWithMask, { error: 'CPF deve conter 11 dígitos', abort: true })
    .transform(bareDigits)
    .refine((value) => value === '' || value.length === 11, {
      error: 'CPF deve conter 11 dígitos',
      abort: true,
    })
    .refine((value) => value === '' || isCpf(value), 'CPF inválido'),
)
const MANAGER_REQUIRED = 'Gestor responsável é obrigatório para técnicos'

const userFields = z.object({
  full_name: personName,
  email: loginIdentity,
  cpf,
  role: z.enum(ROLES, 'Função é obrigatória'),
  company_id: z
    .number('Empresa é obrigatória')
    .int('Empresa é obrigatória')
    .positive('Empresa é obrigatória'),
  manager_id: id.nullable().optional(),
  phone,
  department: optionalText(120),
  position: optionalText(120),
  is_active: z.boolean().optional(),
  is_superuser: z.boolean().optional(),
})

/** A new user. Only technicians have a responsible manager (ROLE-7, ADM-29). */
export const userInput = userFields
  .extend({ password, ...repeated })
  .refine(isRepeated('password'), REPETITION)
  .refine((user) => user.role !== 'technician' || user.manager_id != null, {
    error: MANAGER_REQUIRED,
    path: ['manager_id'],
  })
export type UserInput = z.output<typeof userInput>

/** Absent fields stay unchanged; a blank password keeps the current one (ADM-32). */
export const userChange = userFields
  .extend({
    company_id: userFields.shape.company_id.nullable(),
    password: password.or(z.literal('')),
    ...repeated,
  })
  .partial()
  .refine(isRepeated('password'), REPETITION)
export type UserChange = z.output<typeof userChange>

/** Portuguese message when a technician has no manager, else null. Expects the row after the change. */
export const lacksManager = (user: { role: Role; manager_id: number | null }) =>
  user.role === 'technician' && user.manager_id === null ? MANAGER_REQUIRED : null

/**
 * The limit is for a new name: a longer one set by an administrator must not block the profile form (D-41).
 */
export const profileChange = z
  .object({ full_name: personName.max(PROFILE_NAME_MAX, 'Máximo de 30 caracteres'), email: loginIdentity })
  .partial()
export type ProfileChange = z.output<typeof profileChange>

export const userFilter = paging.extend({
  search: text(200).optional(),
})
export type UserFilter = z.output<typeof userFilter>
export const userList = listOf(
  userView.extend({
    company_name: z.string().nullable(),
    /** Whether a code or a passkey opens this account, not the password alone. */
    has_factor: z.boolean(),
  }),
)

/**
 * «Nunca», «Hoje» (under 24 h), «Ontem» (under 48 h), «N dias atrás» (under 7 days), then the date (ADM-10 to
 * ADM-14).
 */
export function lastLoginLabel(last_login_at: string | null, now: Date) {
  if (last_login_at === null) return 'Nunca'
  const hours = (now.getTime() - new Date(last_login_at).getTime()) / 3_600_000
  if (hours < 24) return 'Hoje'
  if (hours < 48) return 'Ontem'
  const days = Math.floor(hours / 24)
  return days < 7 ? `${days} dias atrás` : date(last_login_at)
}
