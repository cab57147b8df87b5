import type { Ctx } from '../../../kernel/context.ts'

/** An object that must exist according to a row. Thumbnails have no hash: they can be generated again. */
export interface Expected {
  key: string
  size: number | null
  sha256: string | null
}

const PAGE = 1_000

/** Ids of the orders that have or had files, dossiers or uploads, read in pages. */
export async function* ordersWithObjects(ctx: Ctx): AsyncGenerator<number> {
  for (let after = 0; ; ) {
    const rows = await ctx.db
      .selectFrom('service_orders')
      .where('id', '>', after)
      .where((eb) =>
        eb.or([
          eb.exists(
            eb
              .selectFrom('evidence_files')
              .whereRef('evidence_files.order_id', '=', 'service_orders.id')
              .select('evidence_files.id'),
          ),
          eb.exists(
            eb
              .selectFrom('dossiers')
              .whereRef('dossiers.order_id', '=', 'service_orders.id')
              .select('dossiers.id'),
          ),
          eb.exists(
            eb
              .selectFrom('uploads')
              .whereRef('uploads.order_id', '=', 'service_orders.id')
              .select('uploads.id'),
          ),
        ]),
      )
      .select('id')
      .orderBy('id')
      .limit(PAGE)
      .execute()
    yield* rows.map(({ id }) => id)
    after = rows.at(-1)?.id ?? 0
    if (rows.length < PAGE) return
  }
}

/** The objects that must be stored for an order; those removed by retention are not among them. */
export async function expectedObjects(ctx: Ctx, order_id: number): Promise<Expected[]> {
  const files = await ctx.db
    .selectFrom('evidence_files')
    .where('order_id', '=', order_id)
    .where('purged_at', 'is', null)
    .selectAll()
    .execute()
  const unmarked = await ctx.db
    .selectFrom('unmarked_copies')
    .innerJoin('evidence_files', 'evidence_files.id', 'unmarked_copies.evidence_id')
    .where('order_id', '=', order_id)
    .where('purged_at', 'is', null)
    .select(['unmarked_copies.key', 'unmarked_copies.size', 'unmarked_copies.sha256'])
    .execute()
  const parts = await ctx.db
    .selectFrom('dossier_files')
    .innerJoin('dossiers', 'dossiers.id', 'dossier_files.dossier_id')
    .where('dossiers.order_id', '=', order_id)
    .where('dossiers.purged_at', 'is', null)
    .select(['key', 'size', 'sha256'])
    .execute()
  return [
    ...files.flatMap((file) => [
      { key: file.original_key, size: file.file_size, sha256: file.sha256 },
      ...(file.converted_key
        ? [{ key: file.converted_key, size: file.converted_size, sha256: file.converted_sha256 }]
        : []),
      ...(file.preview_key ? [{ key: file.preview_key, size: null, sha256: null }] : []),
    ]),
    ...unmarked,
    ...parts,
  ]
}

/**
 * Folders of unfinished uploads, in which a file whose upload crashed at its last step is recovered until the
 * upload expires.
 */
export async function foldersOfUploads(ctx: Ctx, order_id: number): Promise<string[]> {
  const rows = await ctx.db
    .selectFrom('uploads')
    .where('order_id', '=', order_id)
    .where('evidence_id', 'is', null)
    .select('id')
    .execute()
  return rows.map(({ id }) => `os/${order_id}/${id}/`)
}
