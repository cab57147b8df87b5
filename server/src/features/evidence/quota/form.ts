import { randomUUID } from 'node:crypto'
import { MEGABYTE } from '@garantia/shared/format'
import { sql } from 'kysely'
import type { Ctx } from '../../../kernel/context.ts'
import { announce, callerId } from './limits.ts'

/** Bytes between two notes of what has arrived; a body of unknown length is announced in such steps. */
const STEP = 16 * MEGABYTE
/** Without a note for this long the request is over, though its server could not say so. */
const LEASE_MS = 3_600_000

export interface AnnouncedForm {
  /** Counts bytes as received. 429 or 507, as `announce`, when a body of unknown length grows too large. */
  arrived(bytes: number): Promise<void>
  /** The request is over, whatever became of its files. */
  end(): Promise<void>
}

/**
 * Announces the bytes of one multipart request as `announce` does; `length` is its Content-Length, null when
 * it has none. They are an order's, or those of an import into the company. Files that the system adds are not
 * counted.
 */
export async function announceForm(
  ctx: Ctx,
  { id: order_id, company_id }: { id?: number; company_id: number },
  length: number | null,
): Promise<AnnouncedForm> {
  if (ctx.actor.kind === 'system') return { arrived: async () => undefined, end: async () => undefined }
  const id = randomUUID()
  const now = ctx.clock()
  const lease = () => new Date(ctx.clock().getTime() + LEASE_MS)
  let size = length ?? STEP
  await announce(ctx, { company_id, bytes: size }, (ctx) =>
    ctx.db
      .insertInto('uploads')
      .values({
        id,
        order_id: order_id ?? null,
        company_id: order_id === undefined ? company_id : null,
        user_id: callerId(ctx),
        filename: 'formulário',
        size,
        created_at: now,
        expires_at: lease(),
        is_form: true,
      })
      .execute(),
  )
  let received = 0
  let noted = 0
  const note = (ctx: Ctx) =>
    ctx.db
      .updateTable('uploads')
      .set({ size, received: Math.min(received, size), expires_at: lease() })
      .where('id', '=', id)
      .execute()
  return {
    async arrived(bytes) {
      received += bytes
      if (received > size) {
        const more = received - size + STEP
        await announce(ctx, { company_id, bytes: more }, (ctx) => {
          size += more
          return note(ctx)
        })
        noted = received
      } else if (received - noted >= STEP) {
        noted = received
        await note(ctx)
      }
    },
    async end() {
      // Need not be durable: the lease ends by itself.
      await sql`delete from uploads using (select set_config('synchronous_commit', 'off', true)) off
        where id = ${id}`.execute(ctx.db)
    },
  }
}
