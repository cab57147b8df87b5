import { detailOf, messageOf, UNEXPECTED } from '../../lib/messages.ts'

/** LOGIN-9 to LOGIN-12: two sentences of the server have their own words, a list has one for all. */
const KNOWN = ['Incorrect email or password', 'Inactive user']

export function loginProblem(error: unknown) {
  const detail = detailOf(error)
  if (Array.isArray(detail)) return 'Algo deu errado'
  return detail !== undefined && KNOWN.includes(detail) ? messageOf(error) : UNEXPECTED
}
