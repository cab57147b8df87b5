import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  // Events that exist keep the format they were hashed in (1). actor_id is who acted, and stays when the account is
  // deleted. Each value has a salt, and is hashed for itself: a value that the law asks to remove takes its salt with
  // it, and leaves its hash in commitments. mac is made by the application, with a key that is not in the database.
  await sql`
    alter table events
      add column format smallint not null default 1 check (format in (1, 2)),
      add column actor_id bigint,
      add column salts jsonb,
      add column commitments jsonb,
      add column mac text check (mac ~ '^[0-9a-f]{64}$'),
      add column mac_key text check (mac_key ~ '^[0-9a-f]{16}$')`.execute(db)
  await sql`alter table events alter column format set default 2`.execute(db)

  // People, companies and brands get chains too, those of old events in the old format.
  await sql`alter table events drop constraint events_check`.execute(db)
  await sql`drop index events_chain`.execute(db)
  await sql`
    do $$
    declare
      e events;
      subject event_subject;
      id bigint;
      number integer;
      link text;
    begin
      for e in select * from events where events.subject <> 'order' order by events.subject, subject_id, events.id loop
        if (subject, id) is distinct from (e.subject, e.subject_id) then
          subject := e.subject;
          id := e.subject_id;
          number := 0;
          link := repeat('0', 64);
        end if;
        number := number + 1;
        e.seq := number;
        e.previous_hash := link;
        e.content_hash := event_content_hash(e);
        e.hash := event_link_hash(e);
        link := e.hash;
        update events set seq = e.seq, previous_hash = e.previous_hash, content_hash = e.content_hash,
          hash = e.hash where events.id = e.id;
      end loop;
    end $$`.execute(db)
  await sql`create unique index events_chain on events (subject, subject_id, seq)`.execute(db)
  // The defaults are never stored: the trigger sets all four.
  await sql`
    alter table events
      alter column seq set not null, alter column seq set default 0,
      alter column content_hash set not null, alter column content_hash set default '',
      alter column previous_hash set not null, alter column previous_hash set default '',
      alter column hash set not null, alter column hash set default ''`.execute(db)

  // The hashes of the values, in their own order, so that the text is the same for every reader.
  await sql`
    create function event_values_hash(changes jsonb, salts jsonb) returns text language sql stable
    return (
      select sha256_of(coalesce(string_agg(value_hash, '' order by value_hash collate "C"), '')) from (
        select sha256_of(jsonb_build_array(key, value, salts -> key)::text) as value_hash from jsonb_each(changes)
      ) hashed)`.execute(db)
  await sql`
    create or replace function event_link_hash(e events) returns text language sql stable
    return sha256_of(jsonb_build_array(
      'event/2', e.id, e.subject, e.subject_id, e.seq, e.kind,
      to_char(e.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
      e.actor_id, e.actor_name, e.ip, e.user_agent, e.content_hash, e.previous_hash)::text)`.execute(db)
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
      new.seq := coalesce(last.seq, 0) + 1;
      new.previous_hash := coalesce(last.hash, repeat('0', 64));
      new.format := 2;
      new.actor_id := new.actor_user_id;
      new.salts := (select coalesce(jsonb_object_agg(key, gen_random_uuid()), '{}') from jsonb_object_keys(new.changes) key);
      new.commitments := '{}';
      new.redacted_at := null;
      new.content_hash := event_values_hash(new.changes, new.salts);
      new.hash := event_link_hash(new);
      return new;
    end $$`.execute(db)
  await sql`drop function event_content_hash(events)`.execute(db)
}
