/** The person a password is for. */
export interface PasswordOwner {
  full_name: string
  email: string
}

const PRODUCT = 'garantia'
/** Letters of a name that are worth looking for: «de» is in half of all passwords. */
const SHORTEST_NAME = 3
/** Letters that must remain when names are taken out: a year behind a name is no secret. */
const LEAST_LETTERS = 4

/**
 * Whether the password is made of what everybody knows about its owner: name, login and the product's name, with
 * digits and signs around (NIST SP 800-63B, 5.1.1.2: context-specific words).
 */
export function isMadeOfNames(password: string, { full_name, email }: PasswordOwner): boolean {
  const login = email.split('@')[0] ?? ''
  const names = [PRODUCT, login, ...`${full_name} ${login}`.split(/[^\p{L}]+/u)]
    .map(plainLetters)
    .filter((name) => name.length >= SHORTEST_NAME)
    .sort((a, b) => b.length - a.length)
  const letters = plainLetters(password)
  const rest = names.reduce((text, name) => text.replaceAll(name, ''), letters)
  return rest !== letters && rest.length < LEAST_LETTERS
}

const plainLetters = (text: string) =>
  text
    .normalize('NFD')
    .replace(/[^\p{L}]/gu, '')
    .toLowerCase()

export const COMMON_PASSWORD = 'Esta senha está entre as mais usadas do mundo. Escolha outra.'
export const PASSWORD_OF_NAMES =
  'A senha não pode ser feita do nome, do email ou do nome do sistema. Escolha outra.'
