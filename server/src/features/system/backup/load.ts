import { pipeline } from 'node:stream/promises'
import { type ClientBase, escapeIdentifier } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { copySource, digestTable, storedLines } from './dump.ts'
import { type Contents, type TablePart, tableKey } from './manifest.ts'
import type { Place } from './place.ts'
import { chainHeads, copiedTables } from './queries.ts'

/**
 * Loads a backup into the tables of its own migration, in one transaction, and reads all of them again: what is not
 * what was recorded is not committed. Foreign keys are made anew afterwards, so that they are checked; triggers rest,
 * since what they would write is in the backup. Needs the owner of the tables, no superuser.
 */
export async function loadDatabase(client: ClientBase, place: Place, contents: Contents) {
  await refuseOtherTables(client, contents)
  await client.query('begin')
  try {
    const finish = await withoutRules(client)
    await client.query(
      `truncate ${contents.tables.map(({ name }) => `public.${escapeIdentifier(name)}`).join(', ')}`,
    )
    for (const table of contents.tables) {
      const target = copySource(table.name, table.columns)
      await load(client, place, { key: tableKey(contents.id, table.name), target, table })
      const found = await digestTable(client, target)
      if (found.sha256 !== table.sha256 || found.rows !== table.rows)
        throw new Error(`A tabela ${table.name} não ficou como o backup a registrou; nada foi gravado.`)
    }
    for (const { name, value } of contents.sequences)
      if (value !== null)
        await client.query('select setval($1::regclass, $2::bigint)', [
          `public.${escapeIdentifier(name)}`,
          value,
        ])
    await finish()
    if (JSON.stringify(await chainHeads(client)) !== JSON.stringify(contents.chains))
      throw new Error('As trilhas de eventos não terminam onde o backup registrou; nada foi gravado.')
    await loadJobs(client, place, contents)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => undefined)
    throw error
  }
  await client.query('analyze')
}

async function refuseOtherTables(client: ClientBase, { tables }: Contents) {
  const shape = (list: { name: string; columns: readonly string[] }[]) =>
    JSON.stringify(list.map(({ name, columns }) => [name, ...columns]))
  if (shape(await copiedTables(client)) !== shape(tables))
    throw new Error('As tabelas deste banco não são as do backup: use um banco vazio.')
}

/** Drops foreign keys and turns triggers off; the result undoes both. */
async function withoutRules(client: ClientBase) {
  const { rows: keys } = await client.query<{ table: string; name: string; definition: string }>(
    `select conrelid::regclass::text as table, quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
      from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace`,
  )
  const { rows: triggers } = await client.query<{ table: string; name: string; enabled: string }>(
    `select tgrelid::regclass::text as table, quote_ident(tgname) as name, tgenabled as enabled from pg_trigger
      join pg_class on pg_class.oid = tgrelid
      where not tgisinternal and tgenabled <> 'D' and relnamespace = 'public'::regnamespace`,
  )
  for (const { table, name } of keys) await client.query(`alter table ${table} drop constraint ${name}`)
  for (const { table, name } of triggers) await client.query(`alter table ${table} disable trigger ${name}`)
  const again: Record<string, string> = { A: 'always ', R: 'replica ' }
  return async () => {
    for (const { table, name, definition } of keys)
      await client.query(`alter table ${table} add constraint ${name} ${definition}`)
    for (const { table, name, enabled } of triggers)
      await client.query(`alter table ${table} enable ${again[enabled] ?? ''}trigger ${name}`)
  }
}

async function load(
  client: ClientBase,
  place: Place,
  { key, target, table }: { key: string; target: string; table: TablePart },
) {
  const { lines, result } = await storedLines(place, key)
  await pipeline(lines, client.query(copyFrom(`copy ${target} from stdin`)))
  if (result().sha256 !== table.sha256)
    throw new Error(`O backup está danificado (${key}); nada foi gravado.`)
}

/** Queues what waited, with all attempts. */
async function loadJobs(client: ClientBase, place: Place, { id, jobs }: Contents) {
  await client.query(
    'create temporary table restored_jobs (n bigint generated always as identity, job json) on commit drop',
  )
  await load(client, place, { key: tableKey(id, '_jobs'), target: 'restored_jobs (job)', table: jobs })
  await client.query(`
    select graphile_worker.add_job(job ->> 'name', job -> 'payload', job ->> 'queue', (job ->> 'run_at')::timestamptz,
      (job ->> 'max_attempts')::int, job ->> 'key', (job ->> 'priority')::int)
    from restored_jobs order by n`)
}
