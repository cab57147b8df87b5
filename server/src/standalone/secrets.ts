import type { ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import {
  accessSync,
  constants,
  copyFileSync,
  existsSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs'
import { z } from 'zod'
import { publicKeyOf } from '../kernel/ed25519.ts'
import { isGiven } from '../kernel/secret-files.ts'
import { StartProblem } from '../kernel/start-problem.ts'

const databaseAccess = z.object({
  port: z.number(),
  /** Of the owner of the database, who migrates it. */
  password: z.string(),
  /** Of the role in use by server and worker; absent until the first start that makes it. */
  app_password: z.string().optional(),
  admin_password: z.string(),
})
const secrets = z.object({
  signing_key: z.string().optional(),
  /** Replaced keys whose signatures are still accepted. */
  previous_signing_keys: z.array(z.string()).optional(),
  dossier_key: z.string().optional(),
  /** Public halves of the replaced keys of dossiers; what they have signed can be verified for ever. */
  previous_dossier_keys: z.array(z.string()).optional(),
  /** Replaced keys by which only the authentication codes of events are verified. */
  retired_signing_keys: z.array(z.string()).optional(),
  database: databaseAccess.optional(),
})

const keys = secrets.omit({ database: true })

export type DatabaseAccess = z.infer<typeof databaseAccess>
type Secrets = z.infer<typeof secrets>
type Keys = z.infer<typeof keys>

/**
 * A new password or key of 256 random bits, in hexadecimal, so that it needs no escaping in a URL, a file or
 * SQL.
 */
export const newSecret = () => randomBytes(32).toString('hex')

export function readSecrets(file: string): Secrets {
  if (!existsSync(file)) return {}
  try {
    return secrets.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof z.ZodError)) throw error
    throw new StartProblem(
      `${file} está danificado: restaure-o de um backup e inicie de novo. Não o apague: sem ele o banco embutido não abre, e dossiês e eventos não conferem.`,
    )
  }
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
  const secrets = readSecrets(file)
  const ofAddresses = {
    SIGNING_KEY: secrets.signing_key,
    SIGNING_KEY_PREVIOUS: (secrets.previous_signing_keys ?? []).join(','),
    SIGNING_KEY_RETIRED: (secrets.retired_signing_keys ?? []).join(','),
  }
  const ofDossiers = {
    DOSSIER_KEY: secrets.dossier_key,
    DOSSIER_KEY_PREVIOUS: (secrets.previous_dossier_keys ?? []).join(','),
  }
  return {
    ...(!isGiven(env, 'SIGNING_KEY') && ofAddresses),
    ...(!isGiven(env, 'DOSSIER_KEY') && ofDossiers),
  }
}

/**
 * Makes a new key; signatures by the present one are accepted until `forgetPreviousKeys`, and those by older ones no
 * longer. Both take effect with the next start of server and worker.
 */
function rotateSigningKey(file: string) {
  const { signing_key } = readSecrets(file)
  saveSecrets(file, {
    signing_key: newSecret(),
    previous_signing_keys: signing_key === undefined ? [] : [signing_key],
    retired_signing_keys: retiredWithPrevious(file),
  })
}

const retiredWithPrevious = (file: string) => {
  const { previous_signing_keys = [], retired_signing_keys = [] } = readSecrets(file)
  return [...previous_signing_keys, ...retired_signing_keys]
}

/**
 * Returns how many keys were accepted besides the present one. They are kept for the authentication codes of events,
 * which must be verifiable for years.
 */
function forgetPreviousKeys(file: string) {
  const { previous_signing_keys = [] } = readSecrets(file)
  saveSecrets(file, { previous_signing_keys: [], retired_signing_keys: retiredWithPrevious(file) })
  return previous_signing_keys.length
}

/**
 * Makes a new key of dossiers, in effect with the next start, and keeps the public half of the present one, by which
 * the dossiers that it has signed are verified. Returns the new public key, in hexadecimal.
 */
function rotateDossierKey(file: string) {
  const { dossier_key, previous_dossier_keys = [] } = readSecrets(file)
  const fresh = newSecret()
  saveSecrets(file, {
    dossier_key: fresh,
    previous_dossier_keys: [
      ...(dossier_key === undefined ? [] : [publicKeyOf(dossier_key)]),
      ...previous_dossier_keys,
    ],
  })
  return publicKeyOf(fresh)
}

/** The keys, without the passwords of the database. */
const readKeys = (file: string): Keys => keys.parse(readSecrets(file))

/** Saves the keys of a backup; the previous file is kept beside it. */
function keepKeys(file: string, more: Keys = {}) {
  if (existsSync(file)) copyFileSync(file, `${file}.antes-de-restaurar`)
  saveSecrets(file, more)
}

/** What an operator command does with the keys in the file. */
const CALLS = { readKeys, rotateSigningKey, forgetPreviousKeys, rotateDossierKey, keepKeys }
type Calls = typeof CALLS

const request = z.object({
  secrets: z.enum(Object.keys(CALLS) as [keyof Calls, ...(keyof Calls)[]]),
  keys: keys.optional(),
})
const reply = z.object({ done: z.unknown().optional(), problem: z.string().optional() })

/**
 * Makes the call on the file, or has the parent make it, which is root: the account of a command must not open the
 * file, since the passwords of the database's owner are in it, too.
 */
export async function onSecrets<N extends keyof Calls>(
  file: string,
  name: N,
  keys?: Keys,
): Promise<ReturnType<Calls[N]>> {
  if (!isClosed(file)) return CALLS[name](file, keys) as ReturnType<Calls[N]>
  process.send?.({ secrets: name, keys })
  const said = reply.parse((await once(process, 'message'))[0])
  if (said.problem !== undefined) throw new StartProblem(said.problem)
  return said.done as ReturnType<Calls[N]>
}

function isClosed(file: string) {
  try {
    accessSync(file, constants.R_OK)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EACCES' && process.send !== undefined
  }
}

/** Makes the calls that the command asks for. */
export function answerSecrets(command: ChildProcess, file: string) {
  command.on('message', (message) => {
    const { data } = request.safeParse(message)
    if (!data) return
    try {
      command.send({ done: CALLS[data.secrets](file, data.keys) })
    } catch (error) {
      command.send({ problem: error instanceof Error ? error.message : String(error) })
    }
  })
}
