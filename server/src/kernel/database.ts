import type { DB } from '@garantia/migrations/schema'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import Cursor from 'pg-cursor'
import type { Logger } from './log.ts'

const INT8 = 20
const INT8_ARRAY = 1016
const NUMERIC = 1700

/** Ids, sizes and money fit a JavaScript number exactly here (D-01, D-12, D-51), so they are read as one. */
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format: 'text' | 'binary') => {
    if (oid === INT8 || oid === NUMERIC) return Number
    if (oid === INT8_ARRAY) return numbersOf
    return pg.types.getTypeParser(oid, format)
  }) as pg.CustomTypesConfig['getTypeParser'],
}
const parserOf = pg.types.getTypeParser as (oid: number) => (text: string) => string[]
const numbersOf = (text: string) => parserOf(INT8_ARRAY)(text).map(Number)

export interface Database {
  db: Kysely<DB>
  pool: pg.Pool
}

/**
 * Opens a pool. `statement_timeout` in ms keeps an abandoned query from holding a core; the worker's
 * queue needs none.
 */
export function openDatabase(
  url: string,
  log: Logger,
  options: { max: number; statement_timeout?: number },
): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max: options.max,
    types,
    keepAlive: true,
    connectionTimeoutMillis: 10_000,
    idle_in_transaction_session_timeout: 60_000,
    ...(options.statement_timeout && { statement_timeout: options.statement_timeout }),
  })
  // Without a listener, a restart of PostgreSQL ends this process.
  const lost = (err: Error) => log.warn({ err }, 'conexão com o banco perdida')
  pool.on('error', lost)
  pool.on('connect', (client) => client.on('error', lost))
  return { db: new Kysely<DB>({ dialect: new PostgresDialect({ pool, cursor: Cursor }) }), pool }
}

const UNIQUE_VIOLATION = '23505'
/** The unique index a failed write ran into, if that is why it failed. */
export const violatedIndex = (error: unknown) => {
  const { code, constraint } = error as { code?: string; constraint?: string }
  return code === UNIQUE_VIOLATION ? constraint : undefined
}
/** Foreign key violation; restrict violation, which PostgreSQL 18 tells apart for «on delete restrict». */
const REFERENCE_CODES = ['23503', '23001']
/** The write named a row that does not exist, or removed one that others name. */
export const isMissingReference = (error: unknown) =>
  REFERENCE_CODES.includes((error as { code?: string }).code ?? '')
