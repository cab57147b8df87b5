import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  // From now on the application makes an event whole: its place, its hashes and its authentication code (format 3), so
  // that nothing is written into it later. The id, which only the database knows, is bound by a hash of its own.
  await sql`
    alter table events
      drop constraint events_format_check,
      add constraint events_format_check check (format in (1, 2, 3)),
      add column id_hash text check (id_hash ~ '^[0-9a-f]{64}$')`.execute(db)
  await sql`
    create or replace function chain_event() returns trigger language plpgsql as $$
    declare
      last record;
    begin
      -- A class of locks for each kind of subject: only writers of one chain wait for each other.
      perform pg_advisory_xact_lock(
        case new.subject when 'order' then 7201004 when 'user' then 7201011 when 'company' then 7201012
          else 7201013 end, (new.subject_id % 2147483647)::int);
      select seq, hash into last from events
        where subject = new.subject and subject_id = new.subject_id order by seq desc limit 1;
      if new.format = 3 then
        -- Made for another place than the next: not written.
        if new.seq <> coalesce(last.seq, 0) + 1 or new.previous_hash <> coalesce(last.hash, repeat('0', 64)) then
          return null;
        end if;
        new.id_hash := encode(sha256(convert_to(jsonb_build_array(new.id, new.hash)::text, 'UTF8')), 'hex');
        return new;
      end if;
      -- Written by SQL: chained too, and reported since it has no authentication code.
      new.seq := coalesce(last.seq, 0) + 1;
      new.previous_hash := coalesce(last.hash, repeat('0', 64));
      new.format := 2;
      new.id_hash := null;
      new.actor_id := new.actor_user_id;
      new.salts := (select coalesce(jsonb_object_agg(key, gen_random_uuid()), '{}') from jsonb_object_keys(new.changes) key);
      new.commitments := '{}';
      new.redacted_at := null;
      new.content_hash := event_values_hash(new.changes, new.salts);
      new.hash := event_link_hash(new);
      return new;
    end $$`.execute(db)

  // Null when all were written; else the heads of their chains, which are locked by then. The actor's row is locked, so
  // that it cannot be deleted before the event is written; of one that was deleted already the id stays in actor_id.
  await sql`
    create function append_events(given jsonb, code_key text, actor bigint) returns jsonb language plpgsql as $$
    declare
      account bigint := (select id from users where id = actor for key share);
      written integer;
    begin
      insert into events (subject, subject_id, seq, kind, at, actor_user_id, actor_id, actor_name, ip, user_agent,
          changes, salts, commitments, content_hash, previous_hash, hash, format, mac, mac_key)
        select e.subject, e.subject_id, e.seq, e.kind, e.moment, account, e.actor_id, e.actor_name, e.ip, e.user_agent,
          e.changes, e.salts, '{}', e.content_hash, e.previous_hash, e.hash, 3, e.mac, code_key
        from jsonb_to_recordset(given) as e (subject event_subject, subject_id bigint, seq integer, kind text,
          moment timestamptz, actor_id bigint, actor_name text, ip text, user_agent text, changes jsonb, salts jsonb,
          content_hash text, previous_hash text, hash text, mac text);
      get diagnostics written = row_count;
      if written = jsonb_array_length(given) then return null; end if;
      return (
        select jsonb_agg(jsonb_build_array(chain.subject, chain.subject_id, coalesce(head.seq, 0),
          coalesce(head.hash, repeat('0', 64))))
        from (select distinct subject, subject_id
          from jsonb_to_recordset(given) as e (subject event_subject, subject_id bigint)) chain
        left join lateral (select seq, hash from events
          where events.subject = chain.subject and events.subject_id = chain.subject_id
          order by seq desc limit 1) head on true);
    end $$`.execute(db)

  // The one way by which an event is changed, for whoever may not update the table: the customer's values of an order
  // are removed when its newest event says so, and for good only when the order is gone.
  await sql`
    create function redact_order_events(order_number bigint) returns integer language plpgsql
    security definer set search_path = pg_catalog, public, pg_temp as $$
    declare
      customer constant text[] := array['customer_name', 'customer_email', 'customer_phone', 'customer_document'];
      free_text constant text[] := array['comment'];
      newest record;
      redacted integer;
    begin
      select kind, at into newest from events
        where subject = 'order' and subject_id = order_number order by seq desc limit 1;
      if newest.kind is null or newest.kind not in ('purged', 'anonymised') then
        raise exception 'The newest event of order % does not remove its customer', order_number
          using errcode = 'insufficient_privilege';
      end if;
      if newest.kind = 'purged' and exists (select from service_orders where id = order_number) then
        raise exception 'Order % exists', order_number using errcode = 'insufficient_privilege';
      end if;
      update events set redacted_at = newest.at,
        salts = salts - (customer || free_text),
        commitments = commitments || (
          select jsonb_object_agg(key,
            encode(sha256(convert_to(jsonb_build_array(key, value, salts -> key)::text, 'UTF8')), 'hex'))
          from jsonb_each(changes) where key = any (customer || free_text)),
        changes = (
          select jsonb_object_agg(key, case
            when key = any (customer) then '["removido", "removido"]'
            when key = any (free_text) then '"removido"'
            else value end)
          from jsonb_each(changes))
      where subject = 'order' and subject_id = order_number and redacted_at is null
        and jsonb_exists_any(changes, customer || free_text);
      get diagnostics redacted = row_count;
      return redacted;
    end $$`.execute(db)
}
