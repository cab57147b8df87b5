import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { z } from 'zod'

const databaseAccess = z.object({ port: z.number(), password: z.string(), admin_password: z.string() })
const secrets = z.object({ signing_key: z.string().optional(), database: databaseAccess.optional() })

export type DatabaseAccess = z.infer<typeof databaseAccess>
type Secrets = z.infer<typeof secrets>

/** A new password or key; only 0–9a–f, so that it needs no escaping in a URL, a file or SQL. */
export const newSecret = () => randomBytes(32).toString('hex')

export function readSecrets(file: string): Secrets {
  return existsSync(file) ? secrets.parse(JSON.parse(readFileSync(file, 'utf8'))) : {}
}

/** Written beside and renamed: a crash leaves the old file or the new one, never half of one. */
export function saveSecrets(file: string, more: Secrets) {
  const temporary = `${file}.${process.pid}`
  const whole = JSON.stringify({ ...readSecrets(file), ...more }, null, 2)
  writeFileSync(temporary, `${whole}\n`, { mode: 0o600, flush: true })
  renameSync(temporary, file)
}
