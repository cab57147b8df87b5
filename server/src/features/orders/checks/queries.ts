import { READ_CATEGORIES } from '@garantia/shared/evidence/reading'
import type { Repeat } from '@garantia/shared/evidence/reading-warnings'
import { HASH_DISTANCE, type Reuse } from '@garantia/shared/evidence/warnings'
import { sql } from 'kysely'
import type { Ctx } from '../../../kernel/context.ts'
import { inScope } from '../../../kernel/scope.ts'

/** The files of an order that are not deleted, with the columns that the rules read. */
export const filesToCheck = (ctx: Ctx, order_id: number) =>
  ctx.db
    .selectFrom('evidence_files')
    .where('order_id', '=', order_id)
    .where('deleted_at', 'is', null)
    .select(['id', 'file_type', 'status', 'evidence_category', 'width', 'height', 'duration_seconds'])
    .select(['sharpness', 'captured_at', 'uploaded_at', 'purged_at', 'original_key', 'file_size', 'sha256'])
    .select(['converted_key', 'converted_size', 'converted_sha256', 'converted_format'])
    .select(['rotation', 'reading'])
    .orderBy('id')
    .execute()
export type FileRow = Awaited<ReturnType<typeof filesToCheck>>[number]

/** Size in bytes of the newest presentation generated for the order (V09); null when there is none. */
export async function presentationSize(ctx: Ctx, order_id: number) {
  const made = await ctx.db
    .selectFrom('dossier_files')
    .innerJoin('dossiers', 'dossiers.id', 'dossier_files.dossier_id')
    .where('dossiers.order_id', '=', order_id)
    .where('part', '=', 'pptx')
    .select('size')
    .orderBy('n', 'desc')
    .limit(1)
    .executeTakeFirst()
  return made?.size ?? null
}

/** XOR masks that change at most one bit of a 16-bit band. */
const ONE_BIT = [0, ...Array.from({ length: 16 }, (_, bit) => 1 << bit)]
const MOST_FINDINGS = 200

/**
 * From this many files on, one pass over the bands of all files takes less than a search of the index for
 * each: 5,000 searches among 10,000 files took longer than all other checks together.
 */
const MANY_FILES = 300

/**
 * Pairs of pictures that may be near copies of each other: `mine` with its keys, and `other` of another
 * order.
 */
const candidates = (order_id: number, files: number) =>
  files < MANY_FILES
    ? sql`mine join evidence_files other on other.hash_bands && mine.near`
    : sql`(select id, perceptual_hash, unnest(near) as band from mine) mine
        join (select order_id, deleted_at, perceptual_hash, unnest(hash_bands) as band from evidence_files
          where order_id <> ${order_id} and deleted_at is null) other using (band)`

/**
 * Files of the order that an order of another vehicle contains too (V13): the same bytes, or a picture whose
 * perceptual hash differs in at most 6 bits. Six differing bits over four bands leave one band with at most
 * one, so the index on bands finds every candidate. Only orders in the caller's scope are searched; at most
 * 200 findings. `files` is how many the order has, about.
 */
export async function findReuses(
  ctx: Ctx,
  order: { id: number; vehicle_chassis: string | null },
  files: number,
): Promise<Reuse[]> {
  const { rows } = await sql<Reuse>`
    with mine as materialized (
      select id, sha256, perceptual_hash, array(
        select band # bit from unnest(hash_bands) band, unnest(${ONE_BIT}::integer[]) bit) as near
      from evidence_files where order_id = ${order.id} and deleted_at is null),
    found as (
      select mine.id, other.order_id from mine
      join evidence_files other on other.sha256 = mine.sha256
      where other.order_id <> ${order.id} and other.deleted_at is null
      union
      select mine.id, other.order_id from ${candidates(order.id, files)}
      where mine.perceptual_hash is not null and other.order_id <> ${order.id} and other.deleted_at is null
        and bit_count(other.perceptual_hash # mine.perceptual_hash) <= ${sql.lit(HASH_DISTANCE)})
    select distinct found.id as evidence_id, service_orders.os_number
    from found join service_orders on service_orders.id = found.order_id
    where service_orders.deleted_at is null
      and (service_orders.vehicle_chassis = ${order.vehicle_chassis}) is not true
      and ${inScope(ctx.actor, 'service_orders.company_id')}
    order by 1, 2 limit ${sql.lit(MOST_FINDINGS)}`.execute(ctx.db)
  return rows
}

/** A code in more other orders is the number of a kind of part, not of one piece. */
const MOST_ORDERS_OF_A_CODE = 2
/** Of a text: what stands on every label of a brand is in all its photos. */
const MOST_PHOTOS_OF_A_TEXT = 500

/** Whether the texts are those of the photo as it is turned and categorised now. */
const isCurrent = (file: string) => {
  const ofFile = (column: string) => sql.ref(`${file}.${column}`)
  const read = sql.join(READ_CATEGORIES.map((pair) => sql`(${sql.join(pair.map((one) => sql.lit(one)))})`))
  return sql`(${ofFile('reading')} ->> 'rotation')::integer = ${ofFile('rotation')}
    and (${ofFile('evidence_category')}, ${ofFile('reading')} ->> 'kind') in (${read})`
}

/**
 * Texts read in photos of the order that were also read in photos of orders of another vehicle (V20), within the
 * caller's scope; at most 200. Article numbers (GTIN) are left out.
 */
export async function findRepeats(
  ctx: Ctx,
  order: { id: number; vehicle_chassis: string | null; vehicle_plate: string | null },
): Promise<Repeat[]> {
  const { rows } = await sql<Repeat>`
    with mine as (
      select id, text from evidence_files, unnest(reading_texts) text
      where order_id = ${order.id} and deleted_at is null and ${isCurrent('evidence_files')}
        and text !~ '^code:[0-9]{13}$'),
    found as (
      select mine.id, mine.text, service_orders.os_number,
        count(*) over (partition by mine.id, mine.text) as others
      from mine
      cross join lateral (
        select order_id from evidence_files
        where reading_texts @> array[mine.text] and deleted_at is null and order_id <> ${order.id}
          and ${isCurrent('evidence_files')}
        limit ${sql.lit(MOST_PHOTOS_OF_A_TEXT)}) other
      join service_orders on service_orders.id = other.order_id
      where service_orders.deleted_at is null
        and (service_orders.vehicle_chassis = ${order.vehicle_chassis}) is not true
        and (service_orders.vehicle_plate = ${order.vehicle_plate}) is not true
        and ${inScope(ctx.actor, 'service_orders.company_id')}
      group by mine.id, mine.text, service_orders.id)
    select id as evidence_id, text, os_number from found
    where text not like 'code:%' or others <= ${sql.lit(MOST_ORDERS_OF_A_CODE)}
    order by 1, 2, 3 limit ${sql.lit(MOST_FINDINGS)}`.execute(ctx.db)
  return rows
}
