import { type Compilable, type RawBuilder, sql } from 'kysely'
import type { Ctx } from './context.ts'

const CHUNK = 500
/** Timeout between two fetches, for a slow client, and for the first one, which may sort a million rows. */
const CURSOR_TIMEOUT = '10min'

/**
 * Reads the rows of a query from one snapshot, 500 at a time, each chunk completed by `complete`. Takes a connection
 * until the last row is read or the reader stops.
 */
export async function* readByCursor<Row, Read>(
  ctx: Ctx,
  query: (ctx: Ctx) => Compilable<Row>,
  complete: (ctx: Ctx, rows: Row[]) => Promise<Read[]>,
): AsyncGenerator<Read> {
  const db = await ctx.db.startTransaction().setAccessMode('read only').execute()
  try {
    for (const limit of ['idle_in_transaction_session_timeout', 'statement_timeout'])
      await sql`set local ${sql.ref(limit)} = ${sql.lit(CURSOR_TIMEOUT)}`.execute(db)
    const within = { ...ctx, db }
    await sql`declare exported no scroll cursor for ${query(within) as unknown as RawBuilder<Row>}`.execute(
      db,
    )
    for (;;) {
      const { rows } = await sql<Row>`fetch ${sql.lit(CHUNK)} from exported`.execute(db)
      if (rows.length === 0) return
      yield* await complete(within, rows)
    }
  } finally {
    await db.rollback().execute()
  }
}
