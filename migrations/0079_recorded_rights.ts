import { type Kysely, sql } from 'kysely'

/**
 * People and orders whose rights, credentials and values are not in the trail yet: all that there are now. A job records
 * them once and removes the rows. The role in use may add none, so that what somebody writes past the application is
 * never recorded as if it were right.
 */
export async function up(db: Kysely<unknown>) {
  await sql`
    create table unrecorded (
      subject event_subject not null check (subject in ('order', 'user')),
      subject_id bigint not null,
      primary key (subject, subject_id)
    )`.execute(db)
  await sql`comment on table unrecorded is 'subjects of before, whose state the trail does not have yet'`.execute(
    db,
  )
  await sql`
    insert into unrecorded select 'user'::event_subject, id from users
    union all select 'order', id from service_orders`.execute(db)
  await sql`
    alter table verifications drop constraint verifications_kind_check,
      add constraint verifications_kind_check check (kind in ('storage', 'trail', 'backup'))`.execute(db)
}
