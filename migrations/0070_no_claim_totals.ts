import { type Kysely, sql } from 'kysely'

/** `claim_totals` goes: only releases before `claim_sums` (0067) read it. */
export async function up(db: Kysely<unknown>) {
  await fold(db)
  await sql`drop table claim_totals`.execute(db)
  await sql`update schema_compatibility set needs = '0067_claim_figures'`.execute(db)
}

const SUMS = ['claims', 'claimed', 'authorised', 'paid', 'debited', 'written_off', 'open_amount']
const SIDES = ['receivable_claims', 'receivable', 'overpaid_claims', 'overpaid']
const FACTS = ['claims', 'days', 'normal_claims', 'accepted_claims', 'amount']
const names = (list: readonly string[]) => sql.join(list.map((name) => sql.ref(name)))
const summed = (list: readonly string[]) => sql.join(list.map((name) => sql`sum(${sql.ref(name)})`))
const added = (list: readonly string[]) =>
  sql.join(list.map((name) => sql`${sql.ref(name)} = t.${sql.ref(name)} + excluded.${sql.ref(name)}`))

/** As in 0067, without `claim_totals`. */
async function fold(db: Kysely<unknown>) {
  const all = [...SUMS, ...SIDES]
  await sql`
    create or replace function fold_claims() returns void language plpgsql as $$
    begin
      -- An older snapshot than the lock would miss what the last one folded.
      if current_setting('transaction_isolation') <> 'read committed'
        or not pg_try_advisory_xact_lock(7201018) then return; end if;
      with noted_days as (delete from claim_day_deltas returning *)
      insert into claim_days as t (scope_id, kind, day, brand_id, ${names(FACTS)})
        select scope_id, kind, day, brand_id, ${summed(FACTS)}
        from noted_days cross join lateral unnest(array[0, company_id]) scopes (scope_id)
        group by 1, 2, 3, 4 order by 1, 2, 3, 4
      on conflict (scope_id, kind, day, brand_id) do update set ${added(FACTS)};
      with noted as (delete from claim_deltas returning *),
      of_companies as (
        insert into claim_company_sums as t (company_id, brand_id, ${names(SUMS)})
          select company_id, brand_id, ${summed(SUMS)} from noted group by 1, 2 order by 1, 2
        on conflict (company_id, brand_id) do update set ${added(SUMS)})
      insert into claim_sums as t (scope_id, brand_id, state, ${names(all)})
        select scope_id, brand_id, state, ${summed(all)}
        from noted cross join lateral unnest(array[0, company_id]) scopes (scope_id)
        group by 1, 2, 3 order by 1, 2, 3
      on conflict (scope_id, brand_id, state) do update set ${added(all)};
    end $$`.execute(db)
}
