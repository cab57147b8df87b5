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
import type { Ctx } from './context.ts'
import { createFairQueue } from './fair-queue.ts'

/**
 * At most two of the four threads that also read and write files, and never every processor: those who are signed
 * in need one. Twenty that wait are a second of work for the one at the end.
 */
const runInTurn = createFairQueue({
  at_once: Math.max(1, Math.min(2, availableParallelism() - 1)),
  most_waiting_per_caller: 20,
  most_waiting: 1_000,
})

/** The key of one person: another's calls do not fill their queue. */
export const personKey = (user_id: number) => `person ${user_id}`
/** The key of who is signed in. */
export const callerKeyOf = ({ actor }: Pick<Ctx, 'actor'>) =>
  actor.kind === 'user' ? personKey(actor.id) : actor.kind

/**
 * Hashes with argon2id and the library's default parameters: 19 MiB, 2 passes, 1 lane (OWASP's first
 * recommendation). `caller_key` is who asks: a person, or an anonymous caller's network. 429 when too many of
 * their calls wait.
 */
export const hashPassword = (password: string, caller_key: string) =>
  runInTurn(caller_key, () => hash(password))
/** The hash of a password that nobody knows. `caller_key` as in `hashPassword`. */
export const unusablePassword = (caller_key: string) =>
  hashPassword(randomBytes(24).toString('base64url'), caller_key)

let dummyHash: Promise<string> | undefined
/**
 * Whether the password matches the stored hash. For an unknown user a dummy hash is verified, so that the response
 * time does not reveal whether the account exists. `caller_key` as in `hashPassword`; 429 when too many wait.
 */
export async function isPassword(password: string, stored: string | undefined, caller_key: string) {
  dummyHash ??= hash('dummy')
  const known = stored ?? (await dummyHash)
  const matches = await runInTurn(
    caller_key,
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
