import { detailOf, messageOf, statusOf, UNEXPECTED } from '../../../lib/messages.ts'

/**
 * LOGIN-9 to LOGIN-12: two server messages have their own translation; a validation error (a list) has one
 * text.
 */
const KNOWN = ['Incorrect email or password', 'Inactive user']
const WRONG = 'Algo deu errado'

export function loginProblem(error: unknown) {
  const detail = detailOf(error)
  if (Array.isArray(detail)) return WRONG
  // 403: this person signs in at the directory only.
  return statusOf(error) === 403 || (detail !== undefined && KNOWN.includes(detail))
    ? messageOf(error)
    : UNEXPECTED
}

/** SIGN-11 */
export const signUpProblem = (error: unknown) => messageOf(error, 'Erro ao criar conta')

/** REC-4, REC-5 */
export const recoveryProblem = (error: unknown) =>
  detailOf(error) === 'Not Found' ? 'O usuário com este email não existe no sistema.' : UNEXPECTED

/** RST-5: the server's message, the first message of a validation error, or a generic text. */
export function resetProblem(error: unknown) {
  const detail = detailOf(error)
  if (Array.isArray(detail)) return detail[0]?.msg ?? WRONG
  return detail === 'Invalid token' ? INVALID_LINK : messageOf(error, WRONG)
}
const INVALID_LINK = 'O link é inválido, já foi usado ou expirou. Peça um novo.'

const DIRECTORY_PROBLEM: Record<string, string> = {
  away: 'O serviço de entrada da empresa não respondeu. Tente de novo em alguns minutos.',
  expired: 'A entrada demorou demais ou começou em outra janela. Tente de novo.',
  refused: 'O serviço de entrada da empresa recusou a entrada. Tente de novo.',
  cancelled: 'A entrada foi cancelada.',
  unverified: 'O serviço da empresa não confirmou o seu email. Fale com um administrador.',
  unstated:
    'O serviço da empresa não informa se o seu email foi confirmado. Um administrador do sistema pode aceitar o domínio em OIDC_VERIFIED_DOMAINS.',
  superuser: 'Superusuários entram aqui com a própria senha.',
  unknown: 'Não há conta com o seu email. Fale com um administrador.',
  waiting: 'A sua conta espera a aprovação de um administrador.',
  inactive: 'Usuário inativo.',
}
/** Why the directory opened no session; the reasons are those of the server's address for its answers. */
export const directoryProblem = (reason: string) => DIRECTORY_PROBLEM[reason] ?? UNEXPECTED
