import { z } from 'zod'
import { ROLES } from './role.ts'

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

/** The signed-in person, with the companies whose rows they may see, so that screens can hide what is refused. */
export const meView = userView.extend({ scope: z.union([z.literal('all'), z.array(z.number())]) })
export type MeView = z.output<typeof meView>
