import { detailOf, messageOf, UNEXPECTED } from '../../../lib/messages.ts'

/**
 * LOGIN-9 to LOGIN-12: two server messages have their own translation; a validation error (a list) has one
 * text.
 */
const KNOWN = ['Incorrect email or password', 'Inactive user']
const WRONG = 'Algo deu errado'

export function loginProblem(error: unknown) {
  const detail = detailOf(error)
  if (Array.isArray(detail)) return WRONG
  return detail !== undefined && KNOWN.includes(detail) ? messageOf(error) : UNEXPECTED
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
