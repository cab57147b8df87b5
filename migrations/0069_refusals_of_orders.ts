import { type Kysely, sql } from 'kysely'

/**
 * A refused line knows company, brand, technician and deletion of its order, so that the refusals of a year are summed
 * from one index; and the claims of a rare type are found without reading the others.
 */
export async function up(db: Kysely<unknown>) {
  await sql`
    alter table claim_refusals add column company_id bigint, add column brand_id bigint,
      add column technician_user_id bigint, add column order_deleted_at timestamptz`.execute(db)
  const ofOrder = sql`(company_id, brand_id, technician_user_id, order_deleted_at) = (
    worked.company_id, worked.brand_id, worked.technician_user_id, worked.deleted_at)`
  await sql`
    update claim_refusals set ${ofOrder}
    from claims join service_orders worked on worked.id = claims.order_id
    where claims.id = claim_refusals.claim_id`.execute(db)
  await sql`
    create function copy_order_to_refusal() returns trigger language plpgsql as $$
    begin
      select worked.company_id, worked.brand_id, worked.technician_user_id, worked.deleted_at
        into new.company_id, new.brand_id, new.technician_user_id, new.order_deleted_at
        from claims join service_orders worked on worked.id = claims.order_id where claims.id = new.claim_id;
      return new;
    end $$`.execute(db)
  await sql`
    create trigger copy_order before insert on claim_refusals for each row
    execute function copy_order_to_refusal()`.execute(db)
  await sql`
    create function copy_order_to_refusals() returns trigger language plpgsql as $$
    begin
      update claim_refusals set (company_id, brand_id, technician_user_id, order_deleted_at) = (
          new.company_id, new.brand_id, new.technician_user_id, new.deleted_at)
        from claims where claims.id = claim_refusals.claim_id and claims.order_id = new.id;
      return null;
    end $$`.execute(db)
  await sql`
    create trigger copy_order_to_refusals after update on service_orders for each row
    when ((old.company_id, old.brand_id, old.technician_user_id, old.deleted_at)
      is distinct from (new.company_id, new.brand_id, new.technician_user_id, new.deleted_at))
    execute function copy_order_to_refusals()`.execute(db)
  await sql`drop index claim_refusals_by_time`.execute(db)
  await sql`
    create index claim_refusals_by_time on claim_refusals (decided_at) include (claim_id, reason, evidence_category,
      company_id, brand_id, technician_user_id, order_deleted_at, amount)`.execute(db)
  await sql`
    create index claims_of_rare_types on claims (type, created_at, id) include (company_id, brand_id, state)
    where deleted_at is null and type <> 'normal'`.execute(db)
}
