import { hash, verify } from '@node-rs/argon2'
import { takeTurn } from './turns.ts'

/** For callers who are known: they are counted elsewhere. */
const KNOWN = 'known'

/**
 * Hashes with argon2id and the library's default parameters: 19 MiB, 2 passes, 1 lane (OWASP's first
 * recommendation). `lane` is who asks, when that is a stranger: the network. 429 when too many wait there.
 */
export const hashPassword = (password: string, lane = KNOWN) => takeTurn(lane, () => hash(password))

let decoy: Promise<string> | undefined
/**
 * Whether the password matches the stored hash. For an unknown user a decoy is verified, so that the response
 * time does not reveal whether the account exists. `lane` as in `hashPassword`; 429 when too many wait there.
 */
export async function isPassword(password: string, stored: string | undefined, lane = KNOWN) {
  decoy ??= hash('decoy')
  const known = stored ?? (await decoy)
  const matches = await takeTurn(lane, () => verify(known, password))
  return matches && stored !== undefined
}
