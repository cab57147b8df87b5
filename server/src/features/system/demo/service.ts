import { type DemoView, NO_DEMO, REAL_DATA } from '@garantia/shared/demo/schema'
import { conflict } from '@garantia/shared/errors'
import { authorize, type Person } from '@garantia/shared/policy'
import { sql } from 'kysely'
import { type Ctx, inTransaction } from '../../../kernel/context.ts'
import { recordEvent } from '../../../kernel/events.ts'
import { PERSON_COLUMNS, personFrom } from '../../../kernel/person.ts'

const findDemo = (ctx: Ctx) => ctx.db.selectFrom('demonstration').selectAll().executeTakeFirst()

/** Whether the installation is a demonstration. No permission is needed. */
export const isDemo = async (ctx: Ctx) => (await findDemo(ctx)) !== undefined

/**
 * Progress of a demonstration (orders created and planned), for every signed-in person; null when there is
 * none. 401 when anonymous.
 */
export async function readDemo(ctx: Ctx): Promise<DemoView | null> {
  authorize(ctx.actor, 'account.read')
  const demo = await findDemo(ctx)
  if (!demo) return null
  const { orders } = await ctx.db
    .selectFrom('service_orders')
    .select((eb) => eb.fn.countAll<number>().as('orders'))
    .executeTakeFirstOrThrow()
  const { orders_planned, filled_at } = demo
  return { orders: Math.min(orders, orders_planned), orders_planned, is_filled: filled_at !== null }
}

/**
 * Marks an empty database as a demonstration, before it is filled; returns the mark, also an existing one.
 * 409 when it holds data, or people other than one superuser.
 */
export function beginDemo(ctx: Ctx, orders_planned: number) {
  return inTransaction(ctx, async (ctx) => {
    await sql`lock table demonstration in share row exclusive mode`.execute(ctx.db)
    const before = await findDemo(ctx)
    if (before) return before
    const people = await ctx.db.selectFrom('users').select(['id', 'is_superuser']).limit(2).execute()
    const firstSuperuser = people.find(({ is_superuser }) => is_superuser)
    if (people.length !== 1 || !firstSuperuser || (await hasAny(ctx))) throw conflict(REAL_DATA)
    return ctx.db
      .insertInto('demonstration')
      .values({ keeper_id: firstSuperuser.id, orders_planned, started_at: ctx.clock() })
      .returningAll()
      .executeTakeFirstOrThrow()
  })
}

async function hasAny(ctx: Ctx) {
  for (const table of ['brands', 'companies', 'service_orders'] as const)
    if (await ctx.db.selectFrom(table).select('id').limit(1).executeTakeFirst()) return true
  return false
}

/**
 * Whether the demonstration still exists, locked so that it stays until the caller commits. Checked in the
 * transaction of each step that fills it.
 */
export async function demoStillExists(ctx: Ctx) {
  return (
    (await ctx.db.selectFrom('demonstration').select('is_one').forShare().executeTakeFirst()) !== undefined
  )
}

/** Records that the demonstration is completely filled. */
export async function finishDemo(ctx: Ctx) {
  await ctx.db.updateTable('demonstration').set({ filled_at: ctx.clock() }).execute()
}

/** A person of the demonstration, to act with their name and rights. Throws when there is none. */
export async function findPersonByEmail(ctx: Ctx, email: string): Promise<Person> {
  return personFrom(
    await ctx.db
      .selectFrom('users')
      .where('email', '=', email)
      .select(PERSON_COLUMNS)
      .executeTakeFirstOrThrow(),
  )
}

/** Tables not truncated: migrations, running workers, and the mark itself until the end. */
const KEPT = [
  'kysely_migration',
  'kysely_migration_lock',
  'schema_compatibility',
  'worker_processes',
  'demonstration',
]

/**
 * Deletes a demonstration with everything people added to it: rows, jobs and files; returns the number of
 * orders and objects. Only the first superuser stays, to start with real data. 409 when the data are not a
 * demonstration.
 */
export async function removeDemo(ctx: Ctx) {
  const removed = await inTransaction(ctx, async (ctx) => {
    const demo = await ctx.db.selectFrom('demonstration').selectAll().forUpdate().executeTakeFirst()
    if (!demo) throw conflict(NO_DEMO)
    const { orders } = await ctx.db
      .selectFrom('service_orders')
      .select((eb) => eb.fn.countAll<number>().as('orders'))
      .executeTakeFirstOrThrow()
    // Orders are locked first, as everywhere: running transactions on orders end before, and no new one
    // starts.
    await sql`lock table service_orders in access exclusive mode`.execute(ctx.db)
    const objects = await removeFiles(ctx)
    await sql`select graphile_worker.remove_job(key) from graphile_worker.jobs where key is not null`.execute(
      ctx.db,
    )
    const firstSuperuser = await firstSuperuserRow(ctx, demo.keeper_id)
    const { rows: tables } = await sql<{ tablename: string }>`
      select tablename from pg_tables where schemaname = 'public' and tablename <> all(${KEPT})`.execute(
      ctx.db,
    )
    await sql`truncate ${sql.join(tables.map(({ tablename }) => sql.table(tablename)))} restart identity`.execute(
      ctx.db,
    )
    if (firstSuperuser)
      await sql`insert into users (${sql.join(Object.keys(firstSuperuser).map((name) => sql.ref(name)))})
        overriding system value values (${sql.join(Object.values(firstSuperuser))})`.execute(ctx.db)
    await sql`select setval(pg_get_serial_sequence('users', 'id'), coalesce((select max(id) from users), 1))`.execute(
      ctx.db,
    )
    await ctx.db.deleteFrom('demonstration').execute()
    if (firstSuperuser)
      await recordEvent(ctx, { subject: 'user', subject_id: firstSuperuser.id, kind: 'account.recorded' })
    return { orders, objects }
  })
  // Objects a worker was still writing when the rows were deleted.
  const late = await removeFiles(ctx)
  return { orders: removed.orders, objects: removed.objects + late }
}

/** The row to insert again, without generated columns. */
async function firstSuperuserRow(ctx: Ctx, id: number) {
  const row = await ctx.db.selectFrom('users').where('id', '=', id).selectAll().executeTakeFirst()
  if (!row) return null
  const { search: _, ...firstSuperuser } = row
  return { ...firstSuperuser, company_id: null, manager_id: null }
}

async function removeFiles(ctx: Ctx) {
  let objects = 0
  for await (const { key } of ctx.storage.list()) {
    await ctx.storage.remove(key)
    objects++
  }
  return objects
}
