import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  // Actor and changes are hashed separately from the link, so that personal data can later be removed from an
  // event (redacted_at) without breaking the chain after it.
  await sql`
    alter table events
      add column seq integer check (seq > 0),
      add column content_hash text check (content_hash ~ '^[0-9a-f]{64}$'),
      add column previous_hash text check (previous_hash ~ '^[0-9a-f]{64}$'),
      add column hash text check (hash ~ '^[0-9a-f]{64}$'),
      add column redacted_at timestamptz`.execute(db)
  await sql`
    create function sha256_of(text) returns text language sql immutable strict parallel safe
    return encode(sha256(convert_to($1, 'UTF8')), 'hex')`.execute(db)

  // jsonb has one text form per value, which serves as the canonical JSON to be hashed.
  await sql`
    create function event_content_hash(e events) returns text language sql stable
    return sha256_of(jsonb_build_array(e.actor_name, e.changes)::text)`.execute(db)
  await sql`
    create function event_link_hash(e events) returns text language sql stable
    return sha256_of(jsonb_build_array(
      e.subject, e.subject_id, e.seq, e.kind,
      to_char(e.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
      e.content_hash, e.previous_hash)::text)`.execute(db)

  // A trigger, so that every insert is chained. The lock makes writers of one order's events wait for each
  // other's commit; the next statement then reads the newest link.
  await sql`
    create function chain_event() returns trigger language plpgsql as $$
    declare
      last record;
    begin
      if new.subject <> 'order' then return new; end if;
      perform pg_advisory_xact_lock(7201004, (new.subject_id % 2147483647)::int);
      select seq, hash into last from events
        where subject = 'order' and subject_id = new.subject_id order by seq desc limit 1;
      new.seq := coalesce(last.seq, 0) + 1;
      new.previous_hash := coalesce(last.hash, repeat('0', 64));
      new.content_hash := event_content_hash(new);
      new.hash := event_link_hash(new);
      return new;
    end $$`.execute(db)

  await sql`
    do $$
    declare
      e events;
      subject bigint;
      number integer;
      link text;
    begin
      for e in select * from events where events.subject = 'order' order by subject_id, id loop
        if subject is distinct from e.subject_id then
          subject := e.subject_id;
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
          hash = e.hash where id = e.id;
      end loop;
    end $$`.execute(db)

  await sql`create unique index events_chain on events (subject_id, seq) where subject = 'order'`.execute(db)
  await sql`
    alter table events add check (
      (subject = 'order') = (seq is not null)
      and (seq is null) = (hash is null) and (seq is null) = (previous_hash is null)
      and (seq is null) = (content_hash is null))`.execute(db)
  await sql`
    create trigger chain_event before insert on events for each row execute function chain_event()`.execute(
    db,
  )
}
