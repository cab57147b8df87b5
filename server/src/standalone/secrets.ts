import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { z } from 'zod'

const databaseAccess = z.object({ port: z.number(), password: z.string(), admin_password: z.string() })
const secrets = z.object({
  signing_key: z.string().optional(),
  /** Replaced keys whose signatures are still accepted. */
  previous_signing_keys: z.array(z.string()).optional(),
  database: databaseAccess.optional(),
})

export type DatabaseAccess = z.infer<typeof databaseAccess>
type Secrets = z.infer<typeof secrets>

/**
 * A new password or key of 256 random bits, in hexadecimal, so that it needs no escaping in a URL, a file or
 * SQL.
 */
export const newSecret = () => randomBytes(32).toString('hex')

export function readSecrets(file: string): Secrets {
  return existsSync(file) ? secrets.parse(JSON.parse(readFileSync(file, 'utf8'))) : {}
}

/**
 * Merges `more` into the file. It is written to a temporary file and renamed: after a crash either the old or
 * the new one is there.
 */
export function saveSecrets(file: string, more: Secrets) {
  const temporary = `${file}.${process.pid}`
  const whole = JSON.stringify({ ...readSecrets(file), ...more }, null, 2)
  writeFileSync(temporary, `${whole}\n`, { mode: 0o600, flush: true })
  renameSync(temporary, file)
}

/** The keys of server and worker: the environment's, else those of this installation. */
export function signingEnvironment(env: NodeJS.ProcessEnv, file: string) {
  if (env.SIGNING_KEY) return {}
  const { signing_key, previous_signing_keys = [] } = readSecrets(file)
  return { SIGNING_KEY: signing_key, SIGNING_KEY_PREVIOUS: previous_signing_keys.join(',') }
}

/**
 * Makes a new key; signatures by the present one are accepted until `forgetPreviousKeys`, and those by older ones no
 * longer. Both take effect with the next start of server and worker.
 */
export function rotateSigningKey(file: string) {
  const { signing_key } = readSecrets(file)
  saveSecrets(file, {
    signing_key: newSecret(),
    previous_signing_keys: signing_key === undefined ? [] : [signing_key],
  })
}

/** Returns how many keys were accepted besides the present one. */
export function forgetPreviousKeys(file: string) {
  const { previous_signing_keys = [] } = readSecrets(file)
  saveSecrets(file, { previous_signing_keys: [] })
  return previous_signing_keys.length
}
