import { ROLES, type Role } from './role.ts'

interface Rights {
  role: Role
  is_superuser: boolean
  company_id: number | null
}

const rankOf = ({ role }: Rights) => ROLES.indexOf(role)

/** Whether a change gives a person what they did not have: a higher role, or another company's rows. */
export const gainsRights = (before: Rights, after: Rights) =>
  rankOf(after) > rankOf(before) || (after.company_id !== null && after.company_id !== before.company_id)

/** Whether a change takes a role from a person; in another company they go on with what is theirs. */
export const losesRole = (before: Rights, after: Rights) =>
  rankOf(after) < rankOf(before) || (before.is_superuser && !after.is_superuser)
