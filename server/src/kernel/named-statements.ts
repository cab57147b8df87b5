import { createHash } from 'node:crypto'
import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely'
import type { Logger } from './log.ts'

/** Of one connection; each plan takes some ten kilobytes of the database's memory. */
const MOST_NAMED = 150
/** Texts of which is known whether they came before. */
const MOST_SEEN = 1_000
/** Longer ones are generated lists of values, which do not come again. */
const LONGEST_TEXT = 8_000

/** Not `begin` and `commit`, nor what PostgreSQL cannot prepare. */
const PREPARABLE = /^\s*(?:select|with|insert|update|delete)\b/i
/** The plan of a search depends on its pattern: one made for all patterns is five times slower. */
const SEARCH = /\blike\b/i

/** PostgreSQL refuses a plan made before a migration that changed what the statement returns. */
const isPlanOutdated = (error: unknown) => {
  const { code, routine } = error as { code?: string; routine?: string }
  return code === '0A000' && routine === 'RevalidateCachedQuery'
}
/** The name is unknown to, or taken on, the connection that a transaction pooler has chosen this time. */
const isNameLost = (error: unknown) => ['26000', '42P05'].includes((error as { code?: string }).code ?? '')
/**
 * Whether a statement failed for its name alone, before it ran. Outside of a transaction it was repeated already; a
 * transaction is lost and has to be repeated from its beginning.
 */
export const isNameRefused = (error: unknown) => isPlanOutdated(error) || isNameLost(error)

/** What pg's client has besides what Kysely declares of it. */
interface Client extends PostgresPoolClient {
  query<R>(named: { name: string; text: string; values: readonly unknown[] }): Promise<PostgresQueryResult<R>>
  query<R>(text: string, values?: readonly unknown[]): Promise<PostgresQueryResult<R>>
  query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>
  getTransactionStatus(): 'I' | 'T' | 'E' | null
  /** Texts by name; one that is missing is prepared. */
  connection: { parsedStatements: Record<string, string> }
}

/** Decides which texts have a name, the same on every connection. */
function statementNames() {
  const seen = new Map<string, string | null>()
  let prefix = 0
  const nameFor = (text: string) =>
    PREPARABLE.test(text) && !SEARCH.test(text)
      ? `${prefix}_${createHash('sha256').update(text).digest('hex').slice(0, 32)}`
      : null
  return {
    /** Null for a text that is not prepared, or that comes for the first time and perhaps never again. */
    nameOf(text: string) {
      if (text.length > LONGEST_TEXT) return null
      const known = seen.get(text)
      const name = known === undefined ? null : (known ?? nameFor(text))
      // The one used last is the last of the map.
      seen.delete(text)
      seen.set(text, name)
      const [oldest] = seen.size > MOST_SEEN ? seen.keys() : []
      if (oldest !== undefined) seen.delete(oldest)
      return name
    },
    /** Other names from now on; the connections drop the former ones as the least used. */
    renew() {
      prefix++
      seen.clear()
    },
  }
}

/**
 * The pool, on whose connections every statement but a search keeps its plan under a name: parsing and planning take
 * longer than running. A connection drops the plans used least. Behind a pooler that changes connections between
 * transactions no statement has a name.
 */
export function withNamedStatements(pool: PostgresPool, log: Logger): PostgresPool {
  const names = statementNames()
  const clients = new WeakMap<PostgresPoolClient, PostgresPoolClient>()
  let isNaming = true

  function naming(client: Client): PostgresPoolClient {
    const named = new Set<string>()
    /** The name to drop before this one is used, if there are too many. */
    function noteUse(name: string) {
      // The one used last is the last of the set.
      named.delete(name)
      const [oldest] = named.size >= MOST_NAMED ? named : []
      named.add(name)
      return oldest
    }
    async function drop(name: string) {
      named.delete(name)
      const { parsedStatements } = client.connection
      // PostgreSQL does not have what it could not parse, or was not asked to in a transaction that had failed.
      if (parsedStatements[name] === undefined) return
      delete parsedStatements[name]
      await client.query(`deallocate "${name}"`)
    }
    async function run<R>(text: string, values: readonly unknown[]) {
      const name = isNaming ? names.nameOf(text) : null
      if (name === null) return client.query<R>(text, values)
      const isAlone = client.getTransactionStatus() === 'I'
      try {
        const superfluous = noteUse(name)
        if (superfluous !== undefined) await drop(superfluous)
        return await client.query<R>({ name, text, values })
      } catch (error) {
        if (!isNameRefused(error)) throw error
        names.renew()
        if (isNameLost(error)) {
          isNaming = false
          log.warn('comandos do banco seguem sem nome: há um pooler de transações no caminho')
        }
        if (!isAlone) throw error
        return client.query<R>(text, values)
      }
    }
    function query<R>(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<R>>
    function query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>
    function query<R>(given: string | PostgresCursor<R>, values: readonly unknown[] = []) {
      return typeof given === 'string' ? run<R>(given, values) : client.query<R>(given)
    }
    return {
      ...(client.processID !== undefined && { processID: client.processID }),
      query,
      release: (isBroken) => client.release(isBroken),
    }
  }

  return {
    options: pool.options,
    end: () => pool.end(),
    async connect() {
      const client = await pool.connect()
      const known = clients.get(client)
      if (known) return known
      const made = naming(client as Client)
      clients.set(client, made)
      return made
    },
  }
}
