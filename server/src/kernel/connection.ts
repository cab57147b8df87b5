import type { PoolConfig } from 'pg'
import { applicationName, type Role } from './instance.ts'

/** PostgreSQL ends a session whose peer has not answered for about half a minute: its locks are then free. */
const SERVER_SIDE = {
  tcp_keepalives_idle: 10,
  tcp_keepalives_interval: 5,
  tcp_keepalives_count: 4,
  tcp_user_timeout: 30_000,
}
const OPTIONS = Object.entries(SERVER_SIDE)
  .map(([name, value]) => `-c ${name}=${value}`)
  .join(' ')
/** A process that was frozen in the middle of a transaction holds its locks for so long at most. */
const IDLE_IN_TRANSACTION_MS = 30_000
const CONNECT_TIMEOUT_MS = 10_000

/** Longest statement of each role; a migration may have to rewrite a table. */
const LONGEST_STATEMENT_MS: Record<Role, number> = {
  servidor: 10_000,
  worker: 15 * 60_000,
  operador: 60 * 60_000,
  migração: 0,
}

/**
 * How every connection to the database is made: under a name of its role and process, with limits of time, and
 * noticing a peer that is gone. `statement_timeout` in ms replaces the role's.
 */
export const connectionOf = (
  url: string,
  role: Role,
  statement_timeout = LONGEST_STATEMENT_MS[role],
): PoolConfig => ({
  connectionString: url,
  application_name: applicationName(role),
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
  connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  options: OPTIONS,
  idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
  ...(statement_timeout > 0 && { statement_timeout }),
})
