import { type Kysely, sql } from 'kysely'

/**
 * Addresses of other systems that are told of events of orders, and what is to be sent to each. Rows are added in the
 * transaction of the event, so that none is missed and none is told of that was rolled back.
 */
export async function up(db: Kysely<unknown>) {
  await sql`
    create table webhooks (
      id bigint generated always as identity primary key,
      company_id bigint references companies on delete cascade,
      url text not null,
      topics text[] not null check (cardinality(topics) > 0),
      encrypted_secret text not null,
      created_at timestamptz not null,
      disabled_at timestamptz
    );
    create index webhooks_company on webhooks (company_id);
    create table webhook_deliveries (
      id bigint generated always as identity primary key,
      webhook_id bigint not null references webhooks on delete cascade,
      message_id uuid not null default gen_random_uuid(),
      event_id bigint not null references events on delete cascade,
      attempts int not null default 0,
      next_at timestamptz,
      sent_at timestamptz,
      status int,
      error text
    );
    create index webhook_deliveries_due on webhook_deliveries (next_at) where next_at is not null;
    create index webhook_deliveries_webhook on webhook_deliveries (webhook_id, id);
    create index webhook_deliveries_event on webhook_deliveries (event_id)`.execute(db)
  await sql`
    create function webhook_topic(kind text) returns text language sql immutable return case
      when kind in ('evidence.converted', 'evidence.failed') then 'conversion'
      when kind like any (array['evidence.%', 'conversion.%', 'package.%', 'dossier.%', 'claim.%'])
        then split_part(kind, '.', 1)
      else 'order' end`.execute(db)
  await sql`
    -- As the owner: a server of the release before adds events before the role in use is granted these tables.
    create function queue_webhook_deliveries() returns trigger language plpgsql security definer
      set search_path = public, pg_temp as $$
    begin
      if not exists (select from webhooks where disabled_at is null) then return null; end if;
      insert into webhook_deliveries (webhook_id, event_id, next_at)
        select webhooks.id, added.id, now() from added
          join service_orders worked on added.subject = 'order' and worked.id = added.subject_id
          join webhooks on webhooks.disabled_at is null and webhook_topic(added.kind) = any (webhooks.topics)
            and (webhooks.company_id is null or webhooks.company_id = worked.company_id)
        order by added.id;
      if found then
        -- A key that all share would have each transaction wait for the one before.
        perform graphile_worker.add_job('send-webhooks', '{}'::json,
          job_key => 'send-webhooks:' || pg_current_xact_id()::text, max_attempts => 15);
      end if;
      return null;
    end $$`.execute(db)
  await sql`
    create trigger queue_webhook_deliveries after insert on events referencing new table as added
    for each statement execute function queue_webhook_deliveries()`.execute(db)
}
