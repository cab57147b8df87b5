import { escapeIdentifier, type Pool } from 'pg'

/** Written by the owner alone: the record of the migrations. */
const READ_ONLY = 'kysely_migration, kysely_migration_lock, schema_compatibility'
/** Rows that are written once: nothing in them is changed, none is removed. */
const APPEND_ONLY = 'events, security_log, security_batches, claim_entries'
/** Rows of the migrations alone, of which each is removed once. */
const SHRINKING = 'unrecorded'
/** Of the transaction; two servers that grant at once would change the same rows of the catalogue. */
const LOCK = 7201015

/**
 * Grants to a role that owns nothing what server and worker need, and no more: of events and of the security log to read and to add. Called by
 * the owner after each migration, so that new tables are covered.
 */
export async function grantToRoleInUse(owner: Pool, role: string) {
  const client = await owner.connect()
  const name = escapeIdentifier(role)
  try {
    await client.query('begin')
    await client.query(`select pg_advisory_xact_lock(${LOCK})`)
    await client.query(`
      revoke create on schema public from public, ${name};
      revoke create on schema graphile_worker from public, ${name};
      grant usage on schema public, graphile_worker to ${name};
      revoke all on all tables in schema public from ${name};
      grant select, insert, update, delete on all tables in schema public to ${name};
      grant usage, select on all sequences in schema public to ${name};
      revoke insert, update, delete on ${READ_ONLY} from ${name};
      revoke update, delete on ${APPEND_ONLY} from ${name};
      revoke insert, update on ${SHRINKING} from ${name};
      grant select, insert, update, delete on all tables in schema graphile_worker to ${name};
      grant usage, select on all sequences in schema graphile_worker to ${name};
      grant execute on all functions in schema graphile_worker to ${name}`)
    // The queue shows its rows to its owner alone.
    const { rows } = await client.query<{ table: string }>(
      `select relname as table from pg_class
        where relnamespace = 'graphile_worker'::regnamespace and relrowsecurity and not exists (
          select from pg_policy where polrelid = pg_class.oid
            and (select oid from pg_roles where rolname = $1) = any (polroles))`,
      [role],
    )
    for (const { table } of rows)
      await client.query(
        `create policy ${escapeIdentifier(`in_use_${role}`)} on graphile_worker.${escapeIdentifier(table)}
          to ${name} using (true) with check (true)`,
      )
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  } finally {
    client.release()
  }
}

/**
 * Whether the role of this connection can change or remove events, or entries of the security log: as their owner, as a superuser, by becoming one of
 * them, or because it was granted. False also when there are no events yet.
 */
export const MAY_CHANGE_EVENTS = `
  select coalesce(bool_or(
    (select rolsuper or rolbypassrls or rolreplication from pg_roles where rolname = current_user)
    or pg_has_role(current_user, relowner, 'MEMBER')
    or pg_has_role(current_user, (select datdba from pg_database where datname = current_database()), 'MEMBER')
    or has_table_privilege(oid, 'UPDATE, DELETE, TRUNCATE, TRIGGER') or has_any_column_privilege(oid, 'UPDATE')
  ), false) as may_change
  from pg_class where oid in (to_regclass('public.events'), to_regclass('public.security_log'),
    to_regclass('public.security_batches'))`
