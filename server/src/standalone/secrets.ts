import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { z } from 'zod'

const databaseAccess = z.object({ port: z.number(), password: z.string(), admin_password: z.string() })
const secrets = z.object({ signing_key: z.string().optional(), database: databaseAccess.optional() })

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
