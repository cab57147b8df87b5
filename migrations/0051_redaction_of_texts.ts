import { type Kysely, sql } from 'kysely'

/** The ways by which the values of texts that name a customer are removed from events; of each its hash stays. */
export async function up(db: Kysely<unknown>) {
  // One value of one event, as its hash.
  const commitment = sql`encode(sha256(convert_to(jsonb_build_array(key, value, salts -> key)::text, 'UTF8')), 'hex')`
  await sql`
    create function redact_event_texts(event_id bigint, names text[], moment timestamptz) returns void
    language sql security definer set search_path = pg_catalog, public, pg_temp as $$
      update events set redacted_at = moment,
        salts = salts - names,
        commitments = commitments || (
          select coalesce(jsonb_object_agg(key, ${commitment}), '{}') from jsonb_each(changes)
          where key = any (names) and not jsonb_exists(commitments, key)),
        changes = (
          select jsonb_object_agg(key, case
            when key <> all (names) then value
            when jsonb_typeof(value) = 'array' then '["removido", "removido"]'
            else '"removido"' end)
          from jsonb_each(changes))
      where id = event_id and jsonb_exists_any(changes, names)
    $$`.execute(db)
  // Not for callers: the two below decide which events and which values.
  await sql`revoke all on function redact_event_texts from public`.execute(db)

  await sql`
    create function redact_order_texts(order_number bigint, mentions jsonb) returns void language plpgsql
    security definer set search_path = pg_catalog, public, pg_temp as $$
    declare
      texts constant text[] := array['problem_description', 'diagnosis', 'solution_applied', 'parts_replaced',
        'description', 'filename', 'legal_hold_reason', 'reason'];
      newest record;
    begin
      select kind, at into newest from events
        where subject = 'order' and subject_id = order_number order by seq desc limit 1;
      if newest.kind is distinct from 'anonymised' then
        raise exception 'The newest event of order % does not remove its customer', order_number
          using errcode = 'insufficient_privilege';
      end if;
      perform redact_event_texts(e.id, array(
          select name from jsonb_array_elements_text(m.value) name where name = any (texts)), newest.at)
        from jsonb_each(mentions) m
        join events e on e.subject = 'order' and e.subject_id = order_number and e.seq = m.key::int;
    end $$`.execute(db)

  // Who exported a list of orders searched for words, which may be a customer's name.
  await sql`
    create function redact_exported_searches(event_ids bigint[], moment timestamptz) returns void language plpgsql
    security definer set search_path = pg_catalog, public, pg_temp as $$
    begin
      perform redact_event_texts(id, array['search'], moment) from events
        where id = any (event_ids) and subject = 'user' and kind = 'orders.exported';
    end $$`.execute(db)
}
