import type { DB } from '@garantia/migrations/schema'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import Cursor from 'pg-cursor'
import { connectionOf } from './connection.ts'
import { fairPool } from './fair-pool.ts'
import type { Role } from './instance.ts'
import type { Logger } from './log.ts'
import { withNamedStatements } from './named-statements.ts'
import { LiteralLimits } from './query-compiler.ts'
import { type Db, withStrictWrites } from './strict-writes.ts'

const INT8 = 20
const INT8_ARRAY = 1016
const NUMERIC = 1700

/**
 * Ids, sizes and amounts of money fit exactly in a JavaScript number here (D-01, D-12, D-51), so int8 and
 * numeric are parsed as numbers.
 */
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format: 'text' | 'binary') => {
    if (oid === INT8 || oid === NUMERIC) return Number
    if (oid === INT8_ARRAY) return numbersOf
    return pg.types.getTypeParser(oid, format)
  }) as pg.CustomTypesConfig['getTypeParser'],
}
/** Of one dimension and without null, as all of ours are; the parser of any array takes longer than the row it is in. */
const numbersOf = (text: string) => (text === '{}' ? [] : text.slice(1, -1).split(',').map(Number))

const SLOW_MS = 1_000
const CONNECT_TIMEOUT_MS = 10_000

export interface Database {
  db: Db
  pool: pg.Pool
}

/**
 * Opens a connection pool of at most `max` connections. `statement_timeout` in ms replaces the limit of the role. Connections are opened lazily: an unreachable database shows at the
 * first query.
 */
export function openDatabase(
  url: string,
  log: Logger,
  options: { max: number; role?: Role | undefined; statement_timeout?: number },
): Database {
  const pool = new pg.Pool({
    ...connectionOf(url, options.role ?? 'servidor', options.statement_timeout),
    max: options.max,
    // Of an idle process one stays open: others see by it that the process runs.
    min: 1,
    types,
  })
  // Without an error listener, a restart of PostgreSQL would end this process.
  const lost = (err: Error) => log.warn({ err }, 'conexão com o banco perdida')
  pool.on('error', lost)
  pool.on('connect', (client) => client.on('error', lost))
  const shared = fairPool(pool, { max: options.max, timeout_ms: CONNECT_TIMEOUT_MS })
  const dialect = new PostgresDialect({
    pool: withNamedStatements(shared, log),
    cursor: Cursor,
    // Queries are cancelled over a connection of their own, since those of the pool may all be taken.
    controlClient: pg.Client,
  })
  dialect.createQueryCompiler = () => new LiteralLimits()
  const db = new Kysely<DB>({
    dialect,
    // With its placeholders: values would be people's data.
    log: ({ query, queryDurationMillis }) => {
      if (queryDurationMillis > SLOW_MS)
        log.warn(
          { ms: Math.round(queryDurationMillis), sql: query.sql.replace(/\s+/g, ' ') },
          'consulta lenta',
        )
    },
  })
  return { db: withStrictWrites(db), pool }
}

const UNIQUE_VIOLATION = '23505'
/** The name of the unique index that a failed write violated; undefined for any other error. */
export const violatedIndex = (error: unknown) => {
  const { code, constraint } = error as { code?: string; constraint?: string }
  return code === UNIQUE_VIOLATION ? constraint : undefined
}
/**
 * Codes of foreign key violations; 23001 is the restrict violation, which PostgreSQL 18 reports separately
 * for «on delete restrict».
 */
const REFERENCE_CODES = ['23503', '23001']
/**
 * Whether a write failed because it references a row that does not exist, or deletes one that is referenced.
 */
export const isMissingReference = (error: unknown) =>
  REFERENCE_CODES.includes((error as { code?: string }).code ?? '')
