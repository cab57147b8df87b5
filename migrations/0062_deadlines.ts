import { type Kysely, sql } from 'kysely'

/** Proposals of visits that were refused, deadlines typed by hand, and what is due after an order's repair ended. */
export async function up(db: Kysely<unknown>) {
  await sql`
    create table defect_refusals (
      order_id bigint not null references service_orders (id) on delete cascade,
      with_order_id bigint not null references service_orders (id) on delete cascade,
      actor_name text not null,
      created_at timestamptz not null default now(),
      primary key (order_id, with_order_id),
      check (order_id < with_order_id)
    )`.execute(db)
  await sql`create index defect_refusals_with on defect_refusals (with_order_id)`.execute(db)
  // A day that somebody typed does not follow the brand's window.
  await sql`alter table part_returns add column is_due_typed boolean not null default false`.execute(db)
  // Whatever changes an order: a status, an import, a move to another company.
  await sql`
    create function note_due_of_order() returns trigger language plpgsql as $$
    begin
      if exists (select from claims where order_id = new.id) then
        perform graphile_worker.add_job('note-due-of-order', json_build_object('order_id', new.id),
          job_key => 'due-of-order:' || new.id);
      end if;
      return null;
    end $$`.execute(db)
  await sql`
    create trigger note_due_of_order after update on service_orders for each row
    when ((old.completed_at, old.brand_id, old.company_id)
      is distinct from (new.completed_at, new.brand_id, new.company_id))
    execute function note_due_of_order()`.execute(db)
}
