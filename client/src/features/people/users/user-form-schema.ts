import { confirmation, PASSWORDS_DIFFER } from '@garantia/shared/auth/schema'
import { formatPhone } from '@garantia/shared/br/phone'
import { formatCpf } from '@garantia/shared/br/tax-id'
import type { Role } from '@garantia/shared/users/role'
import { lacksManager, type UserInput, type UserView, userInput } from '@garantia/shared/users/schema'
import type { UseFormReturn } from 'react-hook-form'
import { z } from 'zod'
import { chosen, formOf } from '../../../lib/forms.ts'

type Toggle = 'is_active' | 'is_superuser'
/** Form state: text as typed, masks included. */
export type UserFields = Record<Exclude<keyof UserInput, Toggle> | 'confirm_password', string> &
  Record<Toggle, boolean>

/** ADM-20: the tabs of the form and their fields, in reading order. */
export const USER_TABS = [
  { id: 'personal', title: 'Dados Pessoais', fields: ['full_name', 'email', 'cpf', 'phone'] },
  {
    id: 'organisation',
    title: 'Organização',
    fields: ['role', 'company_id', 'manager_id', 'department', 'position'],
  },
  {
    id: 'security',
    title: 'Segurança',
    fields: ['password', 'confirm_password', 'is_active', 'is_superuser'],
  },
] as const satisfies readonly { id: string; title: string; fields: readonly (keyof UserFields)[] }[]
export type UserTab = (typeof USER_TABS)[number]
export type UserTabId = UserTab['id']
export const FIELD_NAMES: readonly (keyof UserFields)[] = USER_TABS.flatMap(({ fields }) => [...fields])

/** The first of these fields in reading order, and its tab (ADM-21). */
export function firstOf(names: readonly string[]): { tab: UserTab; field: keyof UserFields } | undefined {
  for (const tab of USER_TABS)
    for (const field of tab.fields) if (names.includes(field)) return { tab, field }
  return undefined
}

const inputOf = ({ confirm_password, ...fields }: UserFields) => ({
  ...fields,
  company_id: chosen(fields.company_id),
  // Only technicians report to a manager; for others the field is omitted (API-15).
  manager_id: fields.role === 'technician' ? chosen(fields.manager_id) : undefined,
})
const managerOf = ({ role, manager_id }: UserFields) =>
  role === 'technician' ? lacksManager({ role, manager_id: chosen(manager_id) ?? null }) : null

const wrongConfirmation = ({ password, confirm_password }: UserFields) =>
  confirmation.safeParse(confirm_password).error?.issues[0]?.message ??
  (password === confirm_password ? null : PASSWORDS_DIFFER)

export const newUserForm = formOf<UserFields, UserInput>(userInput, inputOf, (fields) => ({
  manager_id: managerOf(fields),
  confirm_password: wrongConfirmation(fields),
}))

/** A blank password keeps the current one (ADM-32). */
const knownUser = z.object({
  ...userInput.shape,
  password: z.literal('').or(userInput.shape.password),
})
export const editUserForm = formOf<UserFields, UserInput>(knownUser, inputOf, (fields) => ({
  manager_id: managerOf(fields),
  confirm_password:
    fields.password === '' && fields.confirm_password === '' ? null : wrongConfirmation(fields),
}))

export const fieldsOf = (user: Partial<UserView> = {}): UserFields => ({
  full_name: user.full_name ?? '',
  email: user.email ?? '',
  cpf: formatCpf(user.cpf ?? ''),
  phone: formatPhone(user.phone ?? ''),
  role: user.role ?? 'technician',
  company_id: user.company_id?.toString() ?? '',
  manager_id: user.manager_id?.toString() ?? '',
  department: user.department ?? '',
  position: user.position ?? '',
  password: '',
  confirm_password: '',
  is_active: user.is_active ?? true,
  is_superuser: user.is_superuser ?? false,
})

/** The only unique field of a user is the login. */
export const fieldInConflict = (detail: string): keyof UserFields | undefined =>
  detail.includes('email') ? 'email' : undefined

export type UserFormState = UseFormReturn<UserFields, unknown, UserInput>

export interface Manager {
  id: number
  full_name: string
  role: Role
}
