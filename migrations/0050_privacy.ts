import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  // «Quem acessou» of an order, and the accesses of one.
  await sql`create index security_log_order on security_log (order_id, id) where order_id is not null`.execute(
    db,
  )
}
