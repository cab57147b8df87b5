import { Client } from 'pg'
import { expect, test } from 'vitest'
import { freshDatabase } from '../support/postgres.ts'

test('every test gets a migrated database of its own, whose owner is no superuser', async () => {
  const [one, other] = await Promise.all([freshDatabase(), freshDatabase()])
  expect(one.url).not.toBe(other.url)
  const client = new Client({ connectionString: one.url })
  await client.connect()
  const { rows } = await client.query(
    `select to_regclass('service_orders') is not null as migrated, rolsuper from pg_roles where rolname = current_user`,
  )
  await client.end()
  expect(rows).toEqual([{ migrated: true, rolsuper: false }])
  await Promise.all([one.drop(), other.drop()])
})
