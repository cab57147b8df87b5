export const ROLES = ['technician', 'manager', 'admin'] as const
export type Role = (typeof ROLES)[number]

export const ROLE_LABEL: Record<Role, string> = {
  technician: 'Técnico',
  manager: 'Gestor',
  admin: 'Administrador',
}
