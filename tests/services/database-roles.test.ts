import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { mayChangeEvents, openLog, prepareDatabase } from '@garantia/server/kernel'
import { Client } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { asAdmin, onDatabase, runningPostgres } from '../support/postgres.ts'

const SCRIPT = fileURLToPath(new URL('../../server/deploy/database-roles.sh', import.meta.url))

test('compose’s database: an owner who migrates and a role in use that can change no event, neither a superuser', async () => {
  const { admin_url } = runningPostgres()
  const name = `r${randomBytes(4).toString('hex')}`
  const [, text = ''] = /<<'SQL'\n(.*?)^SQL$/ms.exec(readFileSync(SCRIPT, 'utf8')) ?? []
  const sql = text
    .replace(/^\\set.*\n/gm, '')
    .replace(":'owner'", "'dono'")
    .replace(":'app'", "'uso'")
    .replaceAll('garantia', name)
  onTestFinished(async () => {
    await asAdmin(admin_url, `drop database if exists ${name} with (force)`)
    for (const role of [`${name}_app`, name]) await asAdmin(admin_url, `drop role if exists ${role}`)
  })
  for (const statement of sql.split(';').filter((one) => one.trim())) await asAdmin(admin_url, statement)

  const urlOf = (role: string, password: string) => {
    const address = new URL(onDatabase(admin_url, name))
    return Object.assign(address, { username: role, password }).href
  }
  const urls = { DATABASE_URL: urlOf(`${name}_app`, 'uso'), MIGRATION_DATABASE_URL: urlOf(name, 'dono') }
  await prepareDatabase(urls, openLog('silent', 'teste'))

  const inUse = new Client({ connectionString: urls.DATABASE_URL })
  await inUse.connect()
  onTestFinished(() => inUse.end())
  expect(await mayChangeEvents(inUse)).toBe(false)
  const { rows } = await inUse.query(
    `select rolname, rolsuper, rolcreaterole, rolreplication, rolbypassrls, rolcreatedb from pg_roles
      where rolname like '${name}%' order by rolname`,
  )
  const plain = { rolsuper: false, rolcreaterole: false, rolreplication: false, rolbypassrls: false }
  expect(rows).toEqual([
    { ...plain, rolname: name, rolcreatedb: false },
    { ...plain, rolname: `${name}_app`, rolcreatedb: true },
  ])
  const owner = await inUse.query(
    'select pg_get_userbyid(datdba) as owner from pg_database where datname = $1',
    [name],
  )
  expect(owner.rows).toEqual([{ owner: name }])
})
