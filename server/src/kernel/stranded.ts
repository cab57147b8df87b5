import { sql } from 'kysely'

interface Awaiting {
  /** Column with the number of the row, as «dossiers.id»; the key of its job ends in it. */
  id: string
  /** What the key of its job begins with, as «dossier:». */
  key: string
  /** Column with the time at which the job was queued, or later. */
  since: string
}
/**
 * Whether a row waits in vain: it has no job that runs or will still be tried. Rows of the last fifteen seconds are
 * exempt, since their job may not be committed yet.
 */
export const isStranded = ({ id, key, since }: Awaiting) => sql<boolean>`
  ${sql.ref(since)} < now() - interval '15 seconds' and not exists (
    select from graphile_worker.jobs j
    where j.key = ${key}::text || ${sql.ref(id)} and (j.locked_at is not null or j.attempts < j.max_attempts))`
