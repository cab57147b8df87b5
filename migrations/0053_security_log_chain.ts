import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  // The security log is written in batches. Each is one link of a chain: what its entries were (row_hashes, in their
  // order), the link before, and an authentication code that the application makes with a key the database has not. The
  // numbers that the database gives to the entries are bound by a hash of their own, as those of events are.
  await sql`
    create table security_batches (
      n bigint primary key check (n > 0),
      at timestamptz not null,
      row_hashes text[] not null check (cardinality(row_hashes) > 0),
      previous_hash text not null check (previous_hash ~ '^[0-9a-f]{64}$'),
      hash text not null check (hash ~ '^[0-9a-f]{64}$'),
      ids bigint[] not null,
      ids_hash text not null check (ids_hash ~ '^[0-9a-f]{64}$'),
      mac text check (mac ~ '^[0-9a-f]{64}$'),
      mac_key text check (mac_key ~ '^[0-9a-f]{16}$'),
      forgotten_mac text check (forgotten_mac ~ '^[0-9a-f]{64}$'),
      forgotten_key text check (forgotten_key ~ '^[0-9a-f]{16}$')
    )`.execute(db)
  await sql`alter table security_log add column batch bigint, add column place integer`.execute(db)

  // Entries that exist are chained as they are, without authentication codes: the first one that has a code confirms them.
  await sql`
    update security_log set batch = placed.batch, place = placed.place
    from (
      select id, 1 + (row_number() over (order by id) - 1) / 1000 as batch,
        1 + (row_number() over (order by id) - 1) % 1000 as place
      from security_log
    ) placed
    where security_log.id = placed.id`.execute(db)
  await sql`
    do $$
    declare
      b record;
      link text := repeat('0', 64);
      own text;
    begin
      for b in
        select batch as n, max(at) as at, array_agg(id order by place) as ids,
          array_agg(encode(sha256(convert_to(jsonb_build_array('security/1', kind,
            to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), user_id, actor_name, order_id, times,
            details, ip, user_agent)::text, 'UTF8')), 'hex') order by place) as row_hashes
        from security_log group by batch order by batch
      loop
        own := encode(sha256(convert_to(jsonb_build_array('security-batch/1', b.n,
          to_char(b.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), b.row_hashes, link)::text, 'UTF8')), 'hex');
        insert into security_batches (n, at, row_hashes, previous_hash, hash, ids, ids_hash)
          values (b.n, b.at, b.row_hashes, link, own, b.ids,
            encode(sha256(convert_to(jsonb_build_array(own, b.ids)::text, 'UTF8')), 'hex'));
        link := own;
      end loop;
    end $$`.execute(db)
  await sql`alter table security_log alter column batch set not null, alter column place set not null`.execute(
    db,
  )
  await sql`create unique index security_log_batch on security_log (batch, place)`.execute(db)

  // Null when the batch was written; else the head of the chain, and nothing was written.
  await sql`
    create function append_security_batch(given jsonb) returns jsonb language plpgsql as $$
    declare
      last record;
      written bigint[];
    begin
      perform pg_advisory_xact_lock(7201016);
      select n, hash into last from security_batches order by n desc limit 1;
      if (given ->> 'n')::bigint <> coalesce(last.n, 0) + 1
          or given ->> 'previous_hash' <> coalesce(last.hash, repeat('0', 64)) then
        return jsonb_build_array(coalesce(last.n, 0), coalesce(last.hash, repeat('0', 64)));
      end if;
      with entries as (
        insert into security_log (kind, at, user_id, actor_name, order_id, times, details, ip, user_agent, batch, place)
          select e.kind, e.moment, e.user_id, e.actor_name, e.order_id, e.times, e.details, e.ip, e.user_agent,
            (given ->> 'n')::bigint, e.place
          from jsonb_to_recordset(given -> 'entries') as e (kind text, moment timestamptz, user_id bigint,
            actor_name text, order_id bigint, times integer, details jsonb, ip text, user_agent text, place integer)
          order by e.place
        returning id, place)
      select array_agg(id order by place) into written from entries;
      insert into security_batches (n, at, row_hashes, previous_hash, hash, ids, ids_hash, mac, mac_key)
        values ((given ->> 'n')::bigint, (given ->> 'moment')::timestamptz,
          array(select jsonb_array_elements_text(given -> 'row_hashes')), given ->> 'previous_hash', given ->> 'hash',
          written, encode(sha256(convert_to(jsonb_build_array(given ->> 'hash', written)::text, 'UTF8')), 'hex'),
          given ->> 'mac', given ->> 'mac_key');
      return null;
    end $$`.execute(db)

  // The one way by which entries end, for whoever may not delete them: batches up to a number, whole, once all of them are
  // older than a month. The newest of them stays without its entries, with an authentication code that says so: what comes
  // after it continues it.
  await sql`
    create function forget_security_batches(newest bigint, code text, code_key text) returns bigint language plpgsql
    security definer set search_path = pg_catalog, public, pg_temp as $$
    declare
      forgotten bigint;
    begin
      perform pg_advisory_xact_lock(7201016);
      if exists (select from security_batches where n <= newest and at > now() - interval '28 days') then
        raise exception 'Entries of the security log are kept for a month at the least'
          using errcode = 'insufficient_privilege';
      end if;
      update security_batches set forgotten_mac = code, forgotten_key = code_key where n = newest;
      delete from security_log where batch <= newest;
      get diagnostics forgotten = row_count;
      delete from security_batches where n < newest;
      return forgotten;
    end $$`.execute(db)
}
