import type { EvidenceFiles } from '@garantia/migrations/schema'
import type { FileCounts } from '@garantia/shared/orders/status'
import type { OwnedOrder } from '@garantia/shared/policy'
import { type Selectable, sql } from 'kysely'
import type { Ctx } from '../../../kernel/context.ts'
import { prepared } from '../../../kernel/prepared.ts'
import { companiesIn, scopeOf, within } from '../../../kernel/scope.ts'

export type EvidenceRow = Selectable<EvidenceFiles>

/** The files of an order that are not deleted, by id; no permission is checked. */
export const filesOf = (ctx: Ctx, order_id: number) =>
  ctx.db
    .selectFrom('evidence_files')
    .where('order_id', '=', order_id)
    .where('deleted_at', 'is', null)
    .selectAll()
    .orderBy('id')
    .execute()

/** The same with the columns of the conversion report. */
export const convertedFilesOf = (ctx: Ctx, order_id: number) =>
  ctx.db
    .selectFrom('evidence_files')
    .where('order_id', '=', order_id)
    .where('deleted_at', 'is', null)
    .select(['id', 'status', 'file_type', 'converted_filename', 'converted_size'])
    .orderBy('id')
    .execute()

const IN_PACKAGE = [
  ...(['id', 'file_type', 'status', 'evidence_category', 'description', 'captured_at'] as const),
  ...(['original_filename', 'original_key', 'file_size', 'sha256', 'crc32', 'uploaded_at'] as const),
  ...(['converted_filename', 'converted_key', 'converted_size', 'converted_sha256'] as const),
  ...(['converted_crc32', 'finished_at', 'purged_at'] as const),
]
/** The columns of a file that a package contains. */
export type PackageRow = Pick<EvidenceRow, (typeof IN_PACKAGE)[number]>

/**
 * The files of an order from one snapshot, a page at a time, so that ten thousand are never in memory
 * together.
 */
export async function* pagesOf(ctx: Ctx, order_id: number, size: number): AsyncGenerator<PackageRow[]> {
  const rows = ctx.db
    .selectFrom('evidence_files')
    .where('order_id', '=', order_id)
    .where('deleted_at', 'is', null)
    .select(IN_PACKAGE)
    .orderBy('id')
    .stream(size)
  let page: PackageRow[] = []
  for await (const row of rows) {
    page.push(row)
    if (page.length < size) continue
    yield page
    page = []
  }
  if (page.length > 0) yield page
}

/** How many files of an order are not deleted. */
export const countFiles = async (ctx: Ctx, order_id: number) =>
  (
    await ctx.db
      .selectFrom('evidence_files')
      .where('order_id', '=', order_id)
      .where('deleted_at', 'is', null)
      .select((eb) => eb.fn.countAll<number>().as('files'))
      .executeTakeFirstOrThrow()
  ).files

/** A file that is not deleted; no permission is checked. */
export const findFile = (ctx: Ctx, id: number) =>
  ctx.db
    .selectFrom('evidence_files')
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .selectAll()
    .executeTakeFirst()

/** A file, deleted ones included until they are purged. */
export const findUnpurged = (ctx: Ctx, id: number) =>
  ctx.db
    .selectFrom('evidence_files')
    .where('id', '=', id)
    .where('purged_at', 'is', null)
    .selectAll()
    .executeTakeFirst()

/** Names in the order's package that other files have. */
export async function takenNames(ctx: Ctx, order_id: number, exceptId: number) {
  const others = await ctx.db
    .selectFrom('evidence_files')
    .where('order_id', '=', order_id)
    .where('deleted_at', 'is', null)
    .where('id', '<>', exceptId)
    .select('converted_filename')
    .execute()
  return others.flatMap(({ converted_filename }) => converted_filename ?? [])
}

/** Ids of the order's files by SHA-256, for those of `sums` that it contains. */
export async function findDuplicates(ctx: Ctx, order_id: number, sums: readonly string[]) {
  if (sums.length === 0) return new Map<string, number>()
  const rows = await ctx.db
    .selectFrom('evidence_files')
    .where('order_id', '=', order_id)
    .where('sha256', 'in', sums)
    .where('deleted_at', 'is', null)
    .select(['id', 'sha256'])
    .execute()
  return new Map(rows.map(({ id, sha256 }) => [sha256, id]))
}

/**
 * The lowest `count` numbers, from 1, that no file of the order has in this category; deleting a file frees
 * its number.
 */
const freeSequences = (order_id: number, category: EvidenceRow['evidence_category'], count: number) => {
  const taken = sql`from evidence_files where order_id = ${order_id} and deleted_at is null
    and evidence_category is not distinct from ${category}::evidence_category`
  return sql<number[]>`array(
    select n from generate_series(1, ${count} + (select count(*)::int ${taken})) n
    where n not in (select category_seq ${taken}) order by n limit ${count})`
}

/** The lowest free number of a category, from 1. */
export async function freeSequence(ctx: Ctx, order_id: number, category: EvidenceRow['evidence_category']) {
  const { rows } = await sql<{ places: number[] }>`
    select ${freeSequences(order_id, category, 1)} as places`.execute(ctx.db)
  return rows[0]?.places[0] ?? 1
}

interface BeforeInsert {
  /** Ids of files with the same bytes, by SHA-256. */
  duplicates: Map<string, number>
  /** Free numbers in the category, one for each sum. */
  places: number[]
  /** The order's files. */
  counts: FileCounts
  auto_convert: boolean
}
/** What an insertion of files with these SHA-256 depends on, in one statement under the order's lock. */
export async function readBeforeInsert(
  ctx: Ctx,
  order: { id: number; brand_id: number },
  { category, sums }: { category: EvidenceRow['evidence_category']; sums: readonly string[] },
): Promise<BeforeInsert> {
  const { rows } = await sql<{
    duplicates: Record<string, number> | null
    places: number[]
    counts: Partial<FileCounts> | null
    auto_convert: boolean
  }>`
    with files as (select status, count(*) as files from evidence_files
      where order_id = ${order.id} and deleted_at is null group by status)
    select auto_convert,
      (select json_object_agg(sha256, id) from evidence_files where order_id = ${order.id}
        and deleted_at is null and sha256 = any(${[...sums]}::text[])) as duplicates,
      ${freeSequences(order.id, category, sums.length)} as places,
      (select json_object_agg(status, files) from files) as counts
    from brands where id = ${order.brand_id}`.execute(ctx.db)
  const [row] = rows
  if (!row) throw new Error(`brand ${order.brand_id} of order ${order.id} is gone`)
  return {
    ...row,
    duplicates: new Map(Object.entries(row.duplicates ?? {})),
    counts: { pending: 0, converting: 0, converted: 0, failed: 0, ...row.counts },
  }
}

/** Positions in the conversion queue by file id, from 1; files that have started are not included. */
export async function queuePlaces(ctx: Ctx, ids: readonly number[]): Promise<Map<number, number>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{ id: number; place: number }>`
    select id, place from (
      select e.id, row_number() over (order by j.priority, j.run_at, j.id) as place
      from evidence_files e join graphile_worker.jobs j on j.key = 'convert:' || e.id
      where e.status = 'converting' and e.started_at is null and e.deleted_at is null) waiting
    where id = any(${[...ids]}::bigint[])`.execute(ctx.db)
  return new Map(rows.map(({ id, place }) => [id, place]))
}

/**
 * The row versions of an order's files and brand, for entity tags, in one cheap statement, with the columns that
 * decide who may read them. Undefined when the order is absent, deleted or outside the caller's scope.
 */
export async function stampOf(ctx: Ctx, order_id: number) {
  const [stamp] = await stamps(ctx.db, { order_id, companies: companiesIn(scopeOf(ctx.actor)) })
  return stamp
}
interface Stamp extends OwnedOrder {
  version: number
  files: string
  queued: boolean
  brand: string
  /** Of the fields that photos are compared with. */
  vehicle: string
}
const stamps = prepared(
  (
    _db,
    { order_id, companies }: { order_id: number; companies: readonly number[] | undefined },
  ) => sql<Stamp>`
    select company_id, created_by, technician_user_id, evidence_version as version, brands.xmin::text as brand,
      files, queued, md5(concat_ws('/', vehicle_plate, vehicle_chassis)) as vehicle
    from service_orders join brands on brands.id = brand_id
    cross join lateral (
      select coalesce(string_agg(id || ':' || xmin, ',' order by id), '') as files,
        coalesce(bool_or(status = 'converting' and started_at is null), false) as queued
      from evidence_files where order_id = service_orders.id and deleted_at is null) own
    where service_orders.id = ${order_id} and deleted_at is null
      and ${within(companies ?? 'all', 'service_orders.company_id')}`,
)
