import type { Ctx } from '../../../kernel/context.ts'

/** An object that some row says exists. Thumbnails are not hashed: they can be made again. */
export interface Expected {
  key: string
  size: number | null
  sha256: string | null
}

const PAGE = 1_000

/** Orders that have or had files, a page at a time. */
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

/** What must lie in storage for one order; what retention has taken must not. */
export async function expectedObjects(ctx: Ctx, order_id: number): Promise<Expected[]> {
  const files = await ctx.db
    .selectFrom('evidence_files')
    .where('order_id', '=', order_id)
    .where('purged_at', 'is', null)
    .selectAll()
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
    ...parts,
  ]
}

/** Folders in which an upload that died at its last step is found again, until its time is over. */
export async function foldersOfUploads(ctx: Ctx, order_id: number): Promise<string[]> {
  const rows = await ctx.db
    .selectFrom('uploads')
    .where('order_id', '=', order_id)
    .where('evidence_id', 'is', null)
    .select('id')
    .execute()
  return rows.map(({ id }) => `os/${order_id}/${id}/`)
}
