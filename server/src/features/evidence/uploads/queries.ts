import type { Uploads } from '@garantia/migrations/schema'
import { type Selectable, sql } from 'kysely'
import type { Ctx } from '../../../kernel/context.ts'

export type AnyUpload = Selectable<Uploads>
/** Of an order: only the bytes of a form may belong to none. */
export type UploadRow = AnyUpload & { order_id: number }

/** An unexpired upload of this person, or of a guest by this link of theirs, that can be continued. */
export const findUpload = (
  ctx: Ctx,
  id: string,
  { user_id, guest_link_id }: Pick<UploadRow, 'user_id' | 'guest_link_id'>,
) =>
  ctx.db
    .selectFrom('uploads')
    .where('id', '=', id)
    .where('user_id', '=', user_id)
    .where(sql<boolean>`guest_link_id is not distinct from ${guest_link_id}`)
    .where('is_form', '=', false)
    .where('expires_at', '>', ctx.clock())
    .selectAll()
    .$narrowType<{ order_id: number }>()
    .executeTakeFirst()

/** An upload or a form of anyone, expired or not. */
export const findAnyUpload = (ctx: Ctx, id: string) =>
  ctx.db.selectFrom('uploads').where('id', '=', id).selectAll().executeTakeFirst()

/** Inserts an upload and returns its row. */
export const addUpload = (
  ctx: Ctx,
  row: Omit<UploadRow, 'received' | 'evidence_id' | 'is_form' | 'company_id'>,
) =>
  ctx.db
    .insertInto('uploads')
    .values(row)
    .returningAll()
    .$narrowType<{ order_id: number }>()
    .executeTakeFirstOrThrow()

/** Records the bytes received; false when the upload no longer exists. */
export async function noteReceived(ctx: Ctx, id: string, received: number) {
  const { numUpdatedRows } = await ctx.db
    .updateTable('uploads')
    .set({ received })
    .where('id', '=', id)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Marks an upload as complete, with the evidence it became. */
export const markCompleted = (ctx: Ctx, { id, size }: UploadRow, evidence_id: number) =>
  ctx.db.updateTable('uploads').set({ received: size, evidence_id }).where('id', '=', id).execute()

/** Deletes an upload's row; its bytes are removed by the caller. */
export const deleteUpload = (ctx: Ctx, id: string) =>
  ctx.db.deleteFrom('uploads').where('id', '=', id).execute()

/** Ids of expired uploads and forms, oldest first. */
export const expiredUploads = (ctx: Ctx, limit: number) =>
  ctx.db
    .selectFrom('uploads')
    .where('expires_at', '<=', ctx.clock())
    .select('id')
    .orderBy('expires_at')
    .limit(limit)
    .execute()

/** Unfinished, unexpired uploads of everyone that can be continued. */
export const unfinishedUploads = (ctx: Ctx) =>
  ctx.db
    .selectFrom('uploads')
    .where('evidence_id', 'is', null)
    .where('is_form', '=', false)
    .where('expires_at', '>', ctx.clock())
    .selectAll()
    .$narrowType<{ order_id: number }>()
    .execute()

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
/** Those of these names that are ids of existing uploads. */
export async function knownUploads(ctx: Ctx, names: readonly string[]) {
  const ids = names.filter((name) => UUID.test(name))
  if (ids.length === 0) return new Set<string>()
  const rows = await ctx.db.selectFrom('uploads').where('id', 'in', ids).select('id').execute()
  return new Set(rows.map(({ id }) => id))
}
