import { readFileSync } from 'node:fs'
import { StartProblem } from './start-problem.ts'

export type Environment = Record<string, string | undefined>

/** Settings that open something. Each may be given as a file instead, named by NAME_FILE. */
export const SECRETS = [
  'DATABASE_URL',
  'MIGRATION_DATABASE_URL',
  'SIGNING_KEY',
  'SIGNING_KEY_PREVIOUS',
  'SIGNING_KEY_RETIRED',
  'DOSSIER_KEY',
  'SMTP_URL',
  'OIDC_CLIENT_SECRET',
  'FIRST_SUPERUSER_PASSWORD',
  'DEMO_PASSWORD',
  'TSA_URL',
  'TSA_TOKEN',
  'BACKUP_PASSPHRASE',
  'S3_ACCESS_KEY_ID',
  'S3_SECRET_ACCESS_KEY',
] as const
export type Secret = (typeof SECRETS)[number]

const fileOf = (name: Secret) => `${name}_FILE`

/** Whether the setting is given, as its value or as a file. */
export const isGiven = (env: Environment, name: Secret) => Boolean(env[name] || env[fileOf(name)])

/** The environment for a process that has no need of the secret. */
export const without = (env: Environment, name: Secret): Environment => ({
  ...env,
  [name]: undefined,
  [fileOf(name)]: undefined,
})

/**
 * The value of the setting, else the content of its file without the last newline; undefined when neither is given.
 * Throws StartProblem when both are, and when the file cannot be read.
 */
export function readSecret(env: Environment, name: Secret): string | undefined {
  const file = env[fileOf(name)]
  if (!file) return env[name]
  if (env[name]) throw new StartProblem(`${name} e ${fileOf(name)} foram dadas: deixe só uma`)
  try {
    return readFileSync(file, 'utf8').replace(/\r?\n$/, '')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new StartProblem(`${fileOf(name)} não pôde ser lido: ${file} (${code})`)
  }
}
