import { randomUUID } from 'node:crypto'
import { Client } from 'pg'
import { inject } from 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    /** The throw-away PostgreSQL of this run, by its superuser and by the owner of our databases. */
    postgres: { admin_url: string; url: string }
  }
}

export const TEMPLATE = 'garantia_template'

/** An empty, migrated database of one's own: a copy of the template, some 15 ms. */
export async function freshDatabase() {
  const { admin_url, url } = inject('postgres')
  const name = `t_${randomUUID().replaceAll('-', '')}`
  await asAdmin(admin_url, `create database ${name} template ${TEMPLATE} owner garantia`)
  return {
    url: onDatabase(url, name),
    drop: () => asAdmin(admin_url, `drop database if exists ${name} with (force)`),
  }
}

export function onDatabase(url: string, name: string) {
  const address = new URL(url)
  address.pathname = name
  return address.href
}

export async function asAdmin(admin_url: string, sql: string) {
  const client = new Client({ connectionString: onDatabase(admin_url, 'postgres') })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}
