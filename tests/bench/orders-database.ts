import { fileURLToPath } from 'node:url'
import { migrateToLatest } from '@garantia/migrations'
import type pg from 'pg'
import { onDatabase } from '../support/postgres.ts'
import { insertClaims } from './claims-data.ts'
import { type FilledOrders, fillOrders } from './fill-orders.ts'
import { type BenchContext, type DatabaseContext, note } from './support.ts'

/** The PostgreSQL whose databases of orders are kept between runs; without the folder they are made anew. */
export const KEPT_CLUSTER = fileURLToPath(new URL('../.cache/bench/postgres', import.meta.url))

export type OrdersDatabase = DatabaseContext & FilledOrders & { url: string }

/** What a kept database is filled with; both are as many. */
export type Filling = 'orders' | 'claims'
export const databaseOf = (filling: Filling, count: number) => `${filling}_${count}`

/** The kept database of so many orders, with a claim each if wanted, generated or migrated first where needed. */
export async function openOrders(
  benchContext: BenchContext,
  orders: number,
  filling: Filling = 'orders',
): Promise<OrdersDatabase> {
  const name = databaseOf(filling, orders)
  const known = await benchContext.kernel.pool.query('select from pg_database where datname = $1', [name])
  if (known.rowCount === 0) await benchContext.asAdmin(`create database ${name} owner garantia`)
  const url = onDatabase(benchContext.postgres.owner_url, name)
  const context = await benchContext.onDatabase(url)
  const plain = context.pool(4)
  const before = await migrationsOf(plain)
  await migrateToLatest(context.kernel.pool)
  const tell = (text: string) => note(`${name}: ${text}`)
  const filled = await fillOrders(context, plain, orders, tell)
  if (filling === 'claims') await insertClaims(plain, orders, tell)
  if (before > 0 && before !== (await migrationsOf(plain))) await plain.query('vacuum (analyze)')
  return { ...context, url, ...filled }
}

/** A copy for work that changes it; dropped with `drop`. */
export async function copyOrders(benchContext: BenchContext, orders: number) {
  const { close, plain, url, ...kept } = await openOrders(benchContext, orders)
  await Promise.all([close(), plain.end()])
  const name = `copy_${orders}`
  await benchContext.asAdmin(`drop database if exists ${name} with (force)`)
  await benchContext.asAdmin(
    `create database ${name} template ${databaseOf('orders', orders)} owner garantia`,
  )
  const copy = await benchContext.onDatabase(onDatabase(url, name))
  return {
    ...kept,
    ...copy,
    url: onDatabase(url, name),
    drop: () => benchContext.asAdmin(`drop database ${name} with (force)`),
  }
}

async function migrationsOf(pool: pg.Pool) {
  const { rows } = await pool.query<{ known: string | null }>(
    `select to_regclass('kysely_migration') as known`,
  )
  if (!rows[0]?.known) return 0
  return (await pool.query('select from kysely_migration')).rowCount ?? 0
}
