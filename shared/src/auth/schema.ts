import { z } from 'zod'
import { isStorable } from '../fields.ts'

/** A login is an e-mail or a user name; which of the two is never asked (LOGIN-1). */
export const loginName = z
  .string('Email ou nome de usuário é obrigatório')
  .trim()
  .min(1, { error: 'Email ou nome de usuário é obrigatório', abort: true })
  .min(3, 'Mínimo de 3 caracteres')
  .max(255, 'Máximo de 255 caracteres')
  .refine(isStorable, 'Contém caracteres inválidos')

export const PASSWORD_MIN = 8
export const PASSWORD_MAX = 128
export const password = z
  .string('Senha é obrigatória')
  .min(1, { error: 'Senha é obrigatória', abort: true })
  .min(PASSWORD_MIN, 'Senha deve ter pelo menos 8 caracteres')
  .max(PASSWORD_MAX, 'Senha deve ter no máximo 128 caracteres')

/** Sign-in asks only for presence: an old password may be shorter than today's rule. */
export const loginInput = z.object({
  username: loginName,
  password: z
    .string('Senha é obrigatória')
    .min(1, 'Senha é obrigatória')
    .max(PASSWORD_MAX, 'Senha deve ter no máximo 128 caracteres'),
})
export type LoginInput = z.output<typeof loginInput>

export const accessToken = z.object({ access_token: z.string(), token_type: z.literal('bearer') })
export type AccessToken = z.output<typeof accessToken>
