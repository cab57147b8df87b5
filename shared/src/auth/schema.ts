import { z } from 'zod'
import { isStorable } from '../fields.ts'
import { code, SESSION_METHODS } from './second-factor.ts'

/** A login is an e-mail address or a user name; the form does not ask which (LOGIN-1). */
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

export const PASSWORDS_DIFFER = 'As senhas não coincidem'
/** The repeated password: the forms check it and do not send it (SIGN-12); a caller who sends it is held to it. */
export const repeated = { confirm_password: z.string().max(PASSWORD_MAX, PASSWORDS_DIFFER).optional() }
/** The issue of a repetition that differs from the field it repeats. */
export const REPETITION = { error: PASSWORDS_DIFFER, path: ['confirm_password'] }
export const isRepeated =
  <F extends string>(field: F) =>
  (given: { confirm_password?: string | undefined } & Partial<Record<F, string>>) =>
    given.confirm_password === undefined || given.confirm_password === given[field]

/** A password that is in use may be shorter than the current minimum. */
const existingPassword = z
  .string('Senha é obrigatória')
  .min(1, 'Senha é obrigatória')
  .max(PASSWORD_MAX, 'Senha deve ter no máximo 128 caracteres')

export const loginInput = z.object({
  username: loginName,
  password: existingPassword,
  /** Of an account with a second factor. */
  code: code.optional(),
})
export type LoginInput = z.output<typeof loginInput>

export const accessToken = z.object({ access_token: z.string(), token_type: z.literal('bearer') })
export type AccessToken = z.output<typeof accessToken>

/**
 * Whether the text looks like an e-mail address; whether mail arrives there, only the mail server can tell.
 */
export const isEmail = (text: string) => z.email().safeParse(text).success
export const mailAddress = z
  .string('Email is required')
  .trim()
  .min(1, { error: 'Email is required', abort: true })
  .max(255, 'Máximo de 255 caracteres')
  .refine(isEmail, 'Endereço de email inválido')

const USER_NAME = /^[a-z0-9._-]{3,60}$/i
/** Login of a profile: an e-mail address, or a plain user name (D-35). */
export const loginIdentity = loginName.refine(
  (value) => (value.includes('@') ? isEmail(value) : USER_NAME.test(value)),
  'Endereço de email inválido',
)

export const SIGN_UP_NAME_MIN = 3
export const PROFILE_NAME_MAX = 30

export const signUpInput = z
  .object({
    full_name: z
      .string('Nome completo é obrigatório')
      .trim()
      .min(1, { error: 'Nome completo é obrigatório', abort: true })
      .min(SIGN_UP_NAME_MIN, 'Full Name is required')
      .max(255, 'Máximo de 255 caracteres')
      .refine(isStorable, 'Contém caracteres inválidos'),
    email: mailAddress,
    password,
    ...repeated,
  })
  .refine(isRepeated('password'), REPETITION)
export type SignUpInput = z.output<typeof signUpInput>

export const recoveryInput = z.object({ email: mailAddress })

/** A reset token is 256 random bits in base64url; anything longer than 200 characters is invalid. */
export const resetInput = z
  .object({
    new_password: password,
    token: z.string('Token é obrigatório').min(1, 'Token é obrigatório').max(200, 'Invalid token'),
    ...repeated,
  })
  .refine(isRepeated('new_password'), REPETITION)
export type ResetInput = z.output<typeof resetInput>

export const passwordChange = z
  .object({
    current_password: existingPassword,
    new_password: password,
    /** Whether API tokens, calendar and links for photos end too, as they do when it is left out. */
    revoke_tokens: z.boolean().optional(),
    ...repeated,
  })
  .refine(isRepeated('new_password'), REPETITION)
export type PasswordChange = z.output<typeof passwordChange>

/** The repeated new password of a form; it is never sent to the server (SIGN-8, SIGN-9, SIGN-12). */
export const confirmation = z.string().min(1, 'Confirmação de senha é obrigatória')

/** Proving again who uses a session. */
export const confirmInput = z.object({ password: existingPassword, code: code.optional() })
export type ConfirmInput = z.output<typeof confirmInput>

/** A session is identified by the SHA-256 of its token, in hexadecimal. */
export const bySession = z.object({ id: z.string().regex(/^[0-9a-f]{64}$/, 'Sessão inválida') })

export const sessionView = z.object({
  id: z.string(),
  created_at: z.string(),
  expires_at: z.string(),
  ip: z.string().nullable(),
  user_agent: z.string().nullable(),
  method: z.enum(SESSION_METHODS),
  is_current: z.boolean(),
})
export type SessionView = z.output<typeof sessionView>

/** What `revoke_tokens` ends. */
export const STANDING_LABEL = 'Revogar também os meus tokens de API, links para fotos e calendário'

/** Ending every session; API tokens, calendar and links for photos too unless they are to stay. */
export const accessEnd = z.object({ revoke_tokens: z.boolean().default(true) })

/** The token in the notice of a changed login. */
export const linkToken = z.object({
  token: z.string('Token é obrigatório').min(1, 'Token é obrigatório').max(200, 'Invalid token'),
})

export const message = z.object({ message: z.string() })
