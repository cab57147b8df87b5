import { isIP } from 'node:net'
import { join, resolve } from 'node:path'
import { FACTOR_ROLES } from '@garantia/shared/auth/second-factor'
import { ROLES } from '@garantia/shared/users/role'
import { z } from 'zod'
import { type Environment, isGiven, readSecret, SECRETS } from './secret-files.ts'
import { StartProblem } from './start-problem.ts'
import { s3ConfigFrom, s3Environment } from './storage/s3-config.ts'

const blankIsAbsent = (value: unknown) => (value === '' ? undefined : value)
const limit = z.coerce.number().int().min(0).max(1_000_000)
/** 0 = no limit. */
const quota = z.coerce.number().min(0).max(1_000_000_000)
const port = z.coerce.number().int().min(0).max(65_535)

/** 32 bytes in hexadecimal. */
const KEY = /^[0-9a-f]{64}$/
const listOf = (text: string) =>
  text
    .split(',')
    .map((one) => one.trim())
    .filter(Boolean)

const keys = z
  .string()
  .default('')
  .transform(listOf)
  .refine((list) => list.every((key) => KEY.test(key)), 'deve ter chaves de 64 dígitos hexadecimais')

const RANGES = ['loopback', 'linklocal', 'uniquelocal']
const isProxy = (text: string) => {
  const [address = '', length, ...rest] = text.split('/')
  const bits = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1
  const isLength = length === undefined || (/^\d{1,3}$/.test(length) && Number(length) <= bits)
  return RANGES.includes(text) || (bits > 0 && isLength && rest.length === 0)
}

/** Names and meanings of the variables: decision D-54. */
const environment = z.object({
  DATABASE_URL: z.string('é obrigatória: endereço do PostgreSQL (15 ou mais novo)'),
  /** The owner of the database, when DATABASE_URL is a role that may only add events. */
  MIGRATION_DATABASE_URL: z.string().optional(),
  DATA_DIR: z.string().default('data'),
  SIGNING_KEY: z
    .string('é obrigatória: 64 dígitos hexadecimais')
    .regex(KEY, 'deve ter 64 dígitos hexadecimais'),
  /** Keys that were SIGNING_KEY: what they have signed is still accepted. */
  SIGNING_KEY_PREVIOUS: keys,
  /** Keys that were SIGNING_KEY: the authentication codes of events by them are still verified, nothing else. */
  SIGNING_KEY_RETIRED: keys,
  /** Private key (seed, RFC 8032) by which dossiers are signed. */
  DOSSIER_KEY: z
    .string('é obrigatória: 64 dígitos hexadecimais, a chave que assina os dossiês')
    .regex(KEY, 'deve ter 64 dígitos hexadecimais'),
  /** Public keys that dossiers were signed with before. */
  DOSSIER_KEY_PREVIOUS: keys,
  PORT: port.default(8000),
  HOST: z.string().default('127.0.0.1'),
  /** Where metrics are served for Prometheus; without it they are not. */
  METRICS_PORT: port.optional(),
  METRICS_HOST: z.string().default('127.0.0.1'),
  /** Seconds in which a server that was asked to end still answers, and says that it is not ready. */
  DRAIN_SECONDS: z.coerce.number().min(0).max(300).default(0),
  APP_URL: z.url().optional(),
  /**
   * Whose X-Forwarded-For is believed: addresses, networks and ranges, or `none`. What another caller sends as that
   * header is ignored.
   */
  TRUSTED_PROXIES: z
    .string()
    .default('loopback')
    .transform(listOf)
    .refine(
      (list) => list.join() === 'none' || (list.length > 0 && list.every(isProxy)),
      'deve ter endereços ou redes separados por vírgula (loopback, 10.0.0.5, 172.16.0.0/12), ou none',
    )
    .transform((list) => (list.join() === 'none' ? [] : list)),
  SMTP_URL: z.url().optional(),
  MAIL_FROM: z.string().default('Garantia <garantia@localhost>'),
  /** Up to how many MB, as a mail carries it, a dossier is attached; 0: never, only its address is sent. */
  MAIL_ATTACHMENT_MB: z.coerce.number().min(0).max(100).default(10),
  SIGNUP_MODE: z.enum(['open', 'approval', 'off']).default('open'),
  AUTH_HIDE_UNKNOWN_EMAIL: z.stringbool().default(false),
  /**
   * Failed sign-ins per account and network in 15 minutes, five times as many per network. 0 turns this and the
   * other limits off.
   */
  LOGIN_LIMIT: limit.default(10),
  /** Sign-ups per network in an hour. */
  SIGNUP_LIMIT: limit.default(5),
  /** Recovery emails in 15 minutes, per network and per email address. */
  RECOVERY_LIMIT: limit.default(5),
  CORS_ORIGINS: z.string().default('').transform(listOf),
  /** Who needs a code or a passkey besides the password: roles, or superuser; separated by commas. */
  SECOND_FACTOR_REQUIRED: z
    .string()
    .default('')
    .transform(listOf)
    .pipe(z.array(z.enum(FACTOR_ROLES, `deve ter: ${FACTOR_ROLES.join(', ')}`))),
  /** Address of a directory that speaks OpenID Connect; its discovery document is read from there. */
  OIDC_ISSUER: z.url().optional(),
  OIDC_CLIENT_ID: z.string().optional(),
  OIDC_CLIENT_SECRET: z.string().optional(),
  /** Name on the button of the directory. */
  OIDC_NAME: z.string().max(40).default('conta da empresa'),
  /** Domains whose addresses count as verified when the directory does not send `email_verified` at all. */
  OIDC_VERIFIED_DOMAINS: z
    .string()
    .default('')
    .transform((text) => listOf(text.toLowerCase())),
  /** Claim with the person's groups; with OIDC_ROLES it decides the role at each sign-in. */
  OIDC_ROLE_CLAIM: z.string().default('groups'),
  /** Groups and the role they give, `oficina=technician,pos-venda=manager`; the highest that matches counts. */
  OIDC_ROLES: z
    .string()
    .default('')
    .transform((text) => listOf(text).map((pair) => pair.split('=').map((part) => part.trim())))
    .pipe(z.array(z.tuple([z.string().min(1), z.enum(ROLES)]), 'deve ter pares grupo=papel')),
  /** Whether everybody may sign in with a password of this product, or superusers only. */
  LOCAL_SIGN_IN: z.enum(['all', 'superuser']).default('all'),
  FIRST_SUPERUSER: z.string().min(3).max(255).default('admin'),
  FIRST_SUPERUSER_PASSWORD: z.string().min(8).max(128).optional(),
  /** Password of the demonstration people; generated when absent. */
  DEMO_PASSWORD: z.string().min(8).max(128).optional(),
  /** Folder of the bundled programs, set by the launcher; the sources are run without it. */
  PROGRAMS_DIR: z.string().optional(),
  /** Whether plates, chassis numbers, mileages and codes are read in photos. */
  PHOTO_READING: z.stringbool().default(true),
  /** Socket file of the container that decodes (`npm run decoder`); without it the worker decodes where it runs. */
  DECODER_SOCKET: z.string().optional(),
  FFMPEG_PATH: z.string().optional(),
  FFPROBE_PATH: z.string().optional(),
  /** Age at which entries of the security log are deleted. */
  SECURITY_LOG_MONTHS: z.coerce.number().int().min(1).max(1_200).default(24),
  UPLOAD_MAX_FILE_MB: z.coerce.number().positive().default(2048),
  /** Seconds without data after which a piece of a resumable upload is ended; the upload can be continued. */
  UPLOAD_STALL_SECONDS: z.coerce.number().positive().default(30),
  /** Free space that uploads leave to the database, copies and dossiers; a twentieth of the disk at most. */
  UPLOAD_RESERVE_MB: quota.default(2048),
  /** Announced bytes of one person's open uploads: ten files of the largest size. */
  UPLOAD_OPEN_GB: quota.default(20),
  /** Bytes that one person sends in 24 hours. */
  UPLOAD_DAY_GB: quota.default(50),
  /** Originals, copies and dossiers of one company, those in the bin included. */
  COMPANY_STORAGE_GB: quota.default(5000),
  /** Whether anybody with a dossier's fingerprint may ask if it was sealed here. */
  PUBLIC_VERIFICATION: z.stringbool().default(true),
  /**
   * Address of a time-stamping authority (RFC 3161), `https://user:password@…` where it asks for these; without it
   * nothing is stamped.
   */
  TSA_URL: z.url({ protocol: /^https?$/, error: 'deve ser um endereço http ou https' }).optional(),
  /** Sent to the authority as `Authorization: Bearer …`. */
  TSA_TOKEN: z.string().optional(),
  /** File with the certificates (PEM) of the authorities that this house trusts; others are refused. */
  TSA_ROOTS: z.string().optional(),
  /** Dossiers requested by one person in an hour; five times as many in one company. */
  DOSSIER_LIMIT: limit.default(60),
  /** Whether webhooks may go to this machine and its network, and without TLS. */
  WEBHOOK_PRIVATE_ADDRESSES: z.stringbool().default(false),
  WORKER_CONCURRENCY: z.coerce.number().int().min(1).max(64).default(2),
  /** Where a backup is made every night, a folder or `s3://bucket/folder`; none is without it. */
  BACKUP_TO: z.string().optional(),
  /** Of how many days, weeks and months the newest backup is kept there. */
  BACKUP_KEEP: z
    .string()
    .default('7,4,12')
    .transform((text) => listOf(text).map(Number))
    .refine(
      (list) => list.length === 3 && list.every((n) => Number.isInteger(n) && n >= 0 && n <= 1_000),
      'deve ter três números: de quantos dias, semanas e meses se guarda um backup (7,4,12)',
    )
    .transform(([days = 0, weeks = 0, months = 0]) => ({ days, weeks, months })),
  /** Whether a backup is made in BACKUP_TO before the database is migrated. */
  BACKUP_BEFORE_MIGRATION: z.stringbool().default(true),
  /** Encrypts the keys of this installation in its backups; without it they are left out. */
  BACKUP_PASSPHRASE: z.string().min(12, 'deve ter pelo menos 12 caracteres').optional(),
  /** Collector (OpenTelemetry) that traces are sent to; without it there are none. */
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .url({ protocol: /^https?$/, error: 'deve ser um endereço http:// ou https://' })
    .optional(),
  /** The share of traces that is sent, 0 to 1; whoever calls may have decided already. */
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number().min(0).max(1).default(1),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
})

export type Config = ReturnType<typeof readConfig>

/**
 * Reads and validates the environment, and the files that it names for secrets. Throws one error that lists every
 * invalid variable, so that all can be corrected at once. An empty value counts as absent.
 */
export function readConfig(env: Environment = process.env) {
  const secrets = secretsOf(env)
  const read = environment.safeParse(named(environment, secrets.env))
  const s3 = s3Environment.safeParse(named(s3Environment, secrets.env))
  if (!read.success || !s3.success || secrets.faults.size > 0) {
    const issues = [read, s3].flatMap(({ error }) => error?.issues ?? [])
    const invalid = issues.filter(({ path }) => !secrets.faults.has(String(path[0])))
    throw invalidConfig([...secrets.faults.values()], invalid)
  }
  const { DATA_DIR, ...rest } = read.data
  if (rest.OIDC_ISSUER && !rest.OIDC_CLIENT_ID)
    throw new StartProblem('Configuração inválida:\n  OIDC_CLIENT_ID é obrigatória com OIDC_ISSUER')
  if (rest.LOCAL_SIGN_IN === 'superuser' && !rest.OIDC_ISSUER)
    throw new StartProblem(
      'Configuração inválida:\n  LOCAL_SIGN_IN=superuser exige OIDC_ISSUER: ninguém mais entraria',
    )
  const data_dir = resolve(DATA_DIR)
  return {
    ...rest,
    app_url: (rest.APP_URL ?? `http://${rest.HOST}:${rest.PORT}`).replace(/\/$/, ''),
    data_dir,
    files_dir: join(data_dir, 'files'),
    scratch_dir: scratchIn(data_dir),
    partial_files_dir: join(scratchIn(data_dir), 'uploads'),
    /** When set, files are stored in this bucket instead of `files_dir`. */
    s3: s3ConfigFrom(s3.data),
  }
}

function invalidConfig(faults: string[], issues: z.core.$ZodIssue[] = []) {
  const lines = [...faults, ...issues.map(({ path, message }) => `${path.join('.')} ${message}`)]
  return new StartProblem(`Configuração inválida:\n${lines.map((line) => `  ${line}`).join('\n')}`)
}

const scratchIn = (data_dir: string) => join(data_dir, 'tmp')

const ofDecoder = environment
  .pick({ DATA_DIR: true, FFMPEG_PATH: true, FFPROBE_PATH: true, PROGRAMS_DIR: true, LOG_LEVEL: true })
  .extend({ DECODER_SOCKET: z.string('é obrigatória: arquivo de socket em que se espera pelo worker') })

/** What the container that decodes needs. Throws StartProblem for what is invalid, and when it was given a secret. */
export function readDecoderConfig(env: Environment = process.env) {
  const read = ofDecoder.safeParse(named(ofDecoder, env))
  const secrets = SECRETS.filter((name) => isGiven(env, name))
  if (!read.success || secrets.length > 0)
    throw invalidConfig(
      secrets.map((name) => `${name} não pode estar onde arquivos de estranhos são lidos: tire-a`),
      read.error?.issues,
    )
  const { DATA_DIR, ...rest } = read.data
  const data_dir = resolve(DATA_DIR)
  return { ...rest, data_dir, scratch_dir: scratchIn(data_dir) }
}

/** The environment with the contents of the files that it names, and what is wrong with these, by setting. */
function secretsOf(env: Environment) {
  const faults = new Map<string, string>()
  const read = SECRETS.map((name) => {
    try {
      return [name, readSecret(env, name)] as const
    } catch (error) {
      if (!(error instanceof StartProblem)) throw error
      faults.set(name, error.message)
      return [name, undefined] as const
    }
  })
  return { env: { ...env, ...Object.fromEntries(read) }, faults }
}

const named = ({ shape }: z.ZodObject, env: Environment) =>
  Object.fromEntries(Object.keys(shape).map((name) => [name, blankIsAbsent(env[name])]))
