import type { UserView } from '@garantia/shared/users/schema'

export type UserRow = UserView & { company_name: string | null }
