import { hash, verify } from '@node-rs/argon2'

/** argon2id with the library's parameters: 19 MiB, 2 passes, 1 lane (OWASP's first choice). */
export const hashPassword = (password: string) => hash(password)

let decoy: Promise<string> | undefined
/** Checks a password; for an unknown user it spends the same time on a decoy, so that time tells nothing. */
export async function isPassword(password: string, stored: string | undefined) {
  decoy ??= hash('decoy')
  const matches = await verify(stored ?? (await decoy), password)
  return matches && stored !== undefined
}
