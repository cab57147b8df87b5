import { sql } from 'kysely'
import type { Ctx } from '../../../kernel/context.ts'
import { type ChainFault, faultOf } from './fault.ts'

interface Row {
  order_id: number
  seq: number
  at: Date
  name: string
  problem: string
}
const ofOrder = (column: string, only: number | undefined) =>
  only === undefined ? sql`` : sql`and ${sql.ref(column)} = ${only}`

const faultsOf = (rows: readonly Row[]): ChainFault[] =>
  rows.map(({ order_id, seq, at, name, problem }) =>
    faultOf({ subject: 'order', subject_id: order_id }, seq, at, `${name}: ${problem}`),
  )

/**
 * Compares the rows of files and dossiers with the events of their chain, which say with which SHA-256 they came, were
 * made and were sealed. Together with `verifyStorage`, which compares rows with bytes, a replaced file shows, whoever
 * changed its row too. Of an order without the event that opened it nothing is known.
 */
export async function verifyRecorded(ctx: Ctx, only?: number): Promise<ChainFault[]> {
  const checks = [uploads, filesWithoutUpload, copies, dossiers, dossiersWithoutEvent]
  const faults: ChainFault[] = []
  for (const check of checks) faults.push(...faultsOf((await check(only).execute(ctx.db)).rows))
  return faults
}

/** What came, and is another file now or none, though nothing says that it was deleted for good. */
const uploads = (only: number | undefined) => sql<Row>`
  select e.subject_id as order_id, e.seq, e.at, coalesce(e.changes ->> 'filename', 'arquivo') as name,
    case when f.id is null then 'o arquivo foi apagado sem o evento que o elimina'
      else 'o SHA-256 do arquivo não é o do envio' end as problem
  from events e
  join service_orders o on o.id = e.subject_id
  left join evidence_files f on f.id = (e.changes ->> 'evidence_id')::bigint and f.order_id = e.subject_id
  where e.subject = 'order' and e.kind = 'evidence.uploaded' and jsonb_exists_all(e.changes, array['evidence_id', 'sha256'])
    and f.sha256 is distinct from e.changes ->> 'sha256'
    and not (f.id is null and exists (
      select from events p where p.subject = 'order' and p.subject_id = e.subject_id and p.kind = 'evidence.purged'
        and p.changes -> 'files' @> jsonb_build_array(jsonb_build_object('id', e.changes -> 'evidence_id'))))
    ${ofOrder('e.subject_id', only)}
  order by e.subject_id, e.seq limit 1000`

const OPENED = sql`exists (select from events opened where opened.subject = 'order'
  and opened.subject_id = o.id and opened.seq = 1 and opened.kind = 'opened')`

const filesWithoutUpload = (only: number | undefined) => sql<Row>`
  select o.id as order_id, 0 as seq, f.uploaded_at as at, f.original_filename as name,
    'o arquivo não tem o evento de envio' as problem
  from evidence_files f join service_orders o on o.id = f.order_id
  where ${OPENED} ${ofOrder('o.id', only)}
    and not exists (select from events e where e.subject = 'order' and e.subject_id = o.id
      and e.kind = 'evidence.uploaded' and e.changes -> 'evidence_id' = to_jsonb(f.id))
  order by f.id limit 1000`

/** The newest copy that was made of a file is the one it has. */
const copies = (only: number | undefined) => sql<Row>`
  select made.order_id, made.seq, made.at, coalesce(f.converted_filename, f.original_filename) as name,
    'o SHA-256 da cópia não é o da conversão' as problem
  from (
    select distinct on (e.changes -> 'evidence_id') e.subject_id as order_id, e.seq, e.at,
      (e.changes ->> 'evidence_id')::bigint as evidence_id, e.changes ->> 'sha256' as sha256
    from events e
    where e.subject = 'order' and e.kind = 'evidence.converted' and jsonb_exists_all(e.changes, array['evidence_id', 'sha256'])
      ${ofOrder('e.subject_id', only)}
    order by e.changes -> 'evidence_id', e.seq desc
  ) made
  join evidence_files f on f.id = made.evidence_id
  where f.converted_sha256 is distinct from made.sha256
  order by made.order_id, made.seq limit 1000`

const dossiers = (only: number | undefined) => sql<Row>`
  select e.subject_id as order_id, e.seq, e.at, 'dossiê ' || (e.changes ->> 'n') as name,
    case when d.id is null then 'foi apagado' else 'o manifesto ou o ZIP não é o que foi selado' end as problem
  from events e
  join service_orders o on o.id = e.subject_id
  left join dossiers d on d.order_id = e.subject_id and d.n = (e.changes ->> 'n')::int and d.status = 'sealed'
  left join dossier_files z on z.dossier_id = d.id and z.part = 'zip'
  where e.subject = 'order' and e.kind = 'dossier.sealed' ${ofOrder('e.subject_id', only)}
    and (d.id is null
      -- Of an anonymised customer the manifest has lost the name, and its hash, which is signed, has stayed.
      or case when d.anonymised_at is not null and exists (
            select from events a where a.subject = 'order' and a.subject_id = e.subject_id
              and a.kind = 'anonymised' and a.at = d.anonymised_at)
          then d.manifest_sha256 else encode(sha256(convert_to(d.manifest, 'UTF8')), 'hex') end
        is distinct from coalesce(e.changes ->> 'manifest_sha256', '')
      or z.sha256 is distinct from e.changes ->> 'sha256')
  order by e.subject_id, e.seq limit 1000`

const dossiersWithoutEvent = (only: number | undefined) => sql<Row>`
  select o.id as order_id, 0 as seq, d.sealed_at as at, 'dossiê ' || d.n as name,
    'não tem o evento que o selou' as problem
  from dossiers d join service_orders o on o.id = d.order_id
  where d.status = 'sealed' and ${OPENED} ${ofOrder('o.id', only)}
    and not exists (select from events e where e.subject = 'order' and e.subject_id = o.id
      and e.kind = 'dossier.sealed' and e.changes -> 'n' = to_jsonb(d.n))
  order by d.id limit 1000`
