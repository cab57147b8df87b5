import { z } from 'zod'
import type { Role } from '../users/role.ts'

/** What a session was opened with: a password alone, with a code, a passkey, or the organisation's directory. */
export const SESSION_METHODS = ['password', 'code', 'passkey', 'directory'] as const
export type SessionMethod = (typeof SESSION_METHODS)[number]
export const SESSION_METHOD_LABEL: Record<SessionMethod, string> = {
  password: 'Com senha',
  code: 'Com senha e código',
  passkey: 'Com chave de acesso',
  directory: 'Pelo diretório da empresa',
}

/** Who can be held to a second factor by the operator: a role, or superusers whatever their role. */
export const FACTOR_ROLES = ['superuser', 'admin', 'manager', 'technician'] as const
export type FactorRole = (typeof FACTOR_ROLES)[number]

/** Whether a person must not go on with what a password alone opened. */
export const needsSecondFactor = (
  person: { role: Role; is_superuser: boolean },
  method: SessionMethod,
  required: readonly FactorRole[],
) =>
  method === 'password' &&
  (required.includes(person.role) || (person.is_superuser && required.includes('superuser')))

/** Minutes for which a proof of who somebody is counts for what opens or closes an account. */
export const CONFIRMED_MINUTES = 10

/** Detail of a 400: the password is right, and the account asks for a code too. */
export const CODE_NEEDED = 'Informe o código de verificação.'
export const CODE_WRONG = 'Código de verificação incorreto.'
/** Detail of a 403: the call may be repeated after `account.confirm`. */
export const CONFIRM_NEEDED = 'Confirme a sua senha para continuar.'
/** Detail of a 403: nothing else is allowed until the person has a second factor. */
export const FACTOR_NEEDED = 'A sua função exige a verificação em duas etapas. Ative-a para continuar.'
/** Detail of a 403: the person has a passkey, which a password must not replace. */
export const PASSKEY_NEEDED =
  'A sua função exige mais do que a senha. Use a sua chave de acesso para continuar.'

/** Six digits of an authenticator, or a recovery code; blanks and hyphens in it do not count. */
export const code = z
  .string('Código é obrigatório')
  .max(40, 'Código inválido')
  .transform((text) => text.replace(/[\s-]/g, '').toLowerCase())
  .pipe(z.string().min(1, 'Código é obrigatório'))

export const codeInput = z.object({ code })

export const PASSKEY_NAME_MAX = 60
export const passkeyName = z.object({
  name: z
    .string('Nome é obrigatório')
    .trim()
    .min(1, 'Nome é obrigatório')
    .max(PASSKEY_NAME_MAX, `Máximo de ${PASSKEY_NAME_MAX} caracteres`),
})
/** Passkeys of a person: enough for every device, few enough to recognize each. */
export const PASSKEYS_MAX = 20

const base64url = (max: number) =>
  z
    .string()
    .max(max)
    .regex(/^[\w-]+$/)
/** What both answers of an authenticator have, around what each adds (PublicKeyCredentialJSON of WebAuthn level 3). */
const credential = <Response extends z.ZodType>(response: Response) =>
  z.object({
    id: base64url(1400),
    rawId: base64url(1400),
    type: z.literal('public-key'),
    clientExtensionResults: z.record(z.string(), z.unknown()).default({}),
    authenticatorAttachment: z.enum(['platform', 'cross-platform']).optional(),
    response,
  })
/** A passkey that was made: RegistrationResponseJSON. */
export const passkeyInput = passkeyName.extend({
  response: credential(
    z.object({
      clientDataJSON: base64url(8000),
      attestationObject: base64url(40_000),
      transports: z.array(z.string().max(30)).max(10).optional(),
    }),
  ),
})
export type PasskeyInput = z.output<typeof passkeyInput>
/** A passkey that was given: AuthenticationResponseJSON. */
export const passkeyAnswer = z.object({
  response: credential(
    z.object({
      clientDataJSON: base64url(8000),
      authenticatorData: base64url(8000),
      signature: base64url(8000),
      userHandle: base64url(200).optional(),
    }),
  ),
})
export type PasskeyAnswer = z.output<typeof passkeyAnswer>

export interface PasskeyView {
  id: number
  name: string
  created_at: string
  last_used_at: string | null
}
/** What opens an account besides its password. */
export interface FactorsView {
  totp: { since: string; recovery_codes: number } | null
  passkeys: PasskeyView[]
}

/** Ways to sign in that this installation offers. */
export interface SignInWays {
  /** Name of the directory, on its button; null without one. */
  directory: string | null
  /** Whether everybody may use a password or passkey of this product, or superusers only. */
  local: 'all' | 'superuser'
}
