import { sql } from 'kysely'
import type { Config } from './config.ts'
import type { Ctx } from './context.ts'
import { decryptOwn } from './encryption.ts'
import { sha256 } from './event-hashes.ts'

/** What decides what a person may do and who may enter as them: rights as they are, everything else as digests. */
export interface AccountState {
  role: string
  is_superuser: boolean
  company_id: number | null
  is_active: boolean
  email: string
  password: string
  /** Null while no code is asked for. */
  totp: string | null
  recovery_codes: string[]
  passkeys: string[]
  directory: string[]
  tokens: string[]
}
export type AccountPart = keyof AccountState

/** What the secrets of second factors are encrypted for. */
export const TOTP_PURPOSE = 'totp'
const SIGN_IN = ['password', 'totp', 'recovery_codes', 'passkeys', 'directory', 'tokens'] as const
const WHOLE = ['role', 'is_superuser', 'company_id', 'is_active', 'email', ...SIGN_IN] as const

/**
 * What each kind of event of a person may change of their account; the event records it as it is afterwards. Nothing
 * else is recorded: what was changed past the application would be taken for right.
 */
export const RECORDS: Record<string, readonly AccountPart[]> = {
  created: WHOLE,
  signed_up: WHOLE,
  'account.recorded': WHOLE,
  changed: ['role', 'is_superuser', 'company_id', 'is_active', 'email', 'password'],
  left: ['is_active', 'email', ...SIGN_IN],
  'login.restored': ['email', ...SIGN_IN],
  'password.changed': ['password'],
  'password.reset': ['password'],
  'factor.added': ['totp', 'recovery_codes'],
  'factor.removed': ['totp', 'recovery_codes', 'passkeys'],
  'factor.codes_renewed': ['recovery_codes'],
  'factor.code_spent': ['recovery_codes'],
  'passkey.added': ['passkeys'],
  'passkey.removed': ['passkeys'],
  'directory.linked': SIGN_IN,
  'token.created': ['tokens'],
  'token.revoked': ['tokens'],
}
/** How many credentials of a list an event may add; one that records the whole account begins anew. */
export const MAY_ADD: Record<string, number> = {
  created: Number.POSITIVE_INFINITY,
  signed_up: Number.POSITIVE_INFINITY,
  'account.recorded': Number.POSITIVE_INFINITY,
  'factor.added': 10,
  'factor.codes_renewed': 10,
  'passkey.added': 1,
  'directory.linked': 1,
  'token.created': 1,
}

/** The parts of an account that an event records; of a change those that it names. */
export const recordedParts = (kind: string, changes: Record<string, unknown>): readonly AccountPart[] =>
  (RECORDS[kind] ?? []).filter((part) => kind !== 'changed' || part in changes)

/** 128 bits: another credential with the same digest cannot be found. */
export const digestOf = (text: string) => sha256(text).slice(0, 32)
const digestsOf = (texts: readonly string[]) => texts.map(digestOf).sort()

/** Columns of `users` and of everything by which a person signs in, for `stateOf`. */
export const ACCOUNT_COLUMNS = sql<string>`
  users.id, users.full_name, users.role, users.is_superuser, users.company_id, users.is_active, users.email,
  users.password_hash,
  (select encrypted_secret from totp_secrets where user_id = users.id and confirmed_at is not null) as totp_secret,
  array(select code_hash from recovery_codes where user_id = users.id) as recovery_codes,
  array(select credential_id || ' ' || encode(public_key, 'hex') from passkeys where user_id = users.id) as passkeys,
  array(select issuer || ' ' || subject from directory_accounts where user_id = users.id) as directory,
  array(select concat_ws(' ', token_hash, scope, networks, extract(epoch from expires_at)) from api_tokens
    where user_id = users.id) as tokens`
export interface AccountColumns {
  id: number
  full_name: string
  role: string
  is_superuser: boolean
  company_id: number | null
  is_active: boolean
  email: string
  password_hash: string
  totp_secret: string | null
  recovery_codes: string[]
  passkeys: string[]
  directory: string[]
  tokens: string[]
}

async function accountRows(ctx: Ctx, ids: readonly number[]) {
  const { rows } = await sql<AccountColumns>`
    select ${ACCOUNT_COLUMNS} from users where id = any(${[...ids]}::bigint[])`.execute(ctx.db)
  return rows
}

/** The secret is encrypted anew with each key, and stays the same. */
const totpOf = (config: Config, encrypted: string | null) =>
  encrypted && digestOf(decryptOwn(config, TOTP_PURPOSE, encrypted) ?? encrypted)

export const stateOf = (config: Config, row: AccountColumns): AccountState => ({
  role: row.role,
  is_superuser: row.is_superuser,
  company_id: row.company_id,
  is_active: row.is_active,
  email: digestOf(row.email),
  password: digestOf(row.password_hash),
  totp: totpOf(config, row.totp_secret),
  recovery_codes: digestsOf(row.recovery_codes),
  passkeys: digestsOf(row.passkeys),
  directory: digestsOf(row.directory),
  tokens: digestsOf(row.tokens),
})

/** Of these people, by id; those that are gone are left out. */
export const accountStates = async (ctx: Ctx, ids: readonly number[]) =>
  new Map((await accountRows(ctx, ids)).map((row) => [row.id, stateOf(ctx.config, row)]))
