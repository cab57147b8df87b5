import { hash, verify } from '@node-rs/argon2'

/**
 * Hashes with argon2id and the library's default parameters: 19 MiB, 2 passes, 1 lane (OWASP's first
 * recommendation).
 */
export const hashPassword = (password: string) => hash(password)

let decoy: Promise<string> | undefined
/**
 * Whether the password matches the stored hash. For an unknown user a decoy is verified, so that the response
 * time does not reveal whether the account exists.
 */
export async function isPassword(password: string, stored: string | undefined) {
  decoy ??= hash('decoy')
  const matches = await verify(stored ?? (await decoy), password)
  return matches && stored !== undefined
}
