import { randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import {
  COMMON_PASSWORD,
  isMadeOfNames,
  PASSWORD_OF_NAMES,
  type PasswordOwner,
} from '@garantia/shared/auth/weak-password'
import { AppError } from '@garantia/shared/errors'
import { hash, verify } from '@node-rs/argon2'
import { createTurns } from './turns.ts'

/**
 * At most two of the four threads that also read and write files, and never every processor: those who are signed
 * in need one. Twenty that wait are a second of work for the one at the end.
 */
const takeTurn = createTurns({
  at_once: Math.max(1, Math.min(2, availableParallelism() - 1)),
  waiting_per_lane: 20,
  waiting: 1_000,
})

/** The lane of one person: another's calls do not fill it. */
export const personLane = (user_id: number) => `person ${user_id}`

/**
 * Hashes with argon2id and the library's default parameters: 19 MiB, 2 passes, 1 lane (OWASP's first
 * recommendation). `lane` is who asks: a person, or a stranger's network. 429 when too many wait there.
 */
export const hashPassword = (password: string, lane: string) => takeTurn(lane, () => hash(password))
/** The hash of a password that nobody knows. `lane` as in `hashPassword`. */
export const unusablePassword = (lane: string) => hashPassword(randomBytes(24).toString('base64url'), lane)

let decoy: Promise<string> | undefined
/**
 * Whether the password matches the stored hash. For an unknown user a decoy is verified, so that the response
 * time does not reveal whether the account exists. `lane` as in `hashPassword`; 429 when too many wait there.
 */
export async function isPassword(password: string, stored: string | undefined, lane: string) {
  decoy ??= hash('decoy')
  const known = stored ?? (await decoy)
  const matches = await takeTurn(
    lane,
    () => verify(known, password),
    (isRight) => isRight && stored !== undefined,
  )
  return matches && stored !== undefined
}

let common: Promise<ReadonlySet<string>> | undefined
/** Some fifty thousand passwords of published leaks; 20 MB in memory, so they are read with the first new password. */
const commonPasswords = () =>
  (common ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) => new Set(dictionary['passwords-common']),
  ))

/**
 * Throws 422 at `field` for a new password that somebody guesses first: one of the commonest, or one made of the
 * person's names (NIST SP 800-63B, 5.1.1.2).
 */
export async function refuseWeakPassword(password: string, field: string, owner: PasswordOwner) {
  const isCommon = (await commonPasswords()).has(password.toLowerCase())
  if (!isCommon && !isMadeOfNames(password, owner)) return
  const msg = isCommon ? COMMON_PASSWORD : PASSWORD_OF_NAMES
  throw new AppError('invalid', [{ loc: ['body', field], msg, type: 'value_error' }])
}
