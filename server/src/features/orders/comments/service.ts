import { invalid } from '@garantia/shared/errors'
import {
  type CommentFilter,
  type CommentInput,
  type CommentPage,
  type MentionedPerson,
  mentionedIn,
} from '@garantia/shared/orders/comments'
import { authorize } from '@garantia/shared/policy'
import { sql } from 'kysely'
import { type Ctx, inTransaction } from '../../../kernel/context.ts'
import { recordEvent } from '../../../kernel/events.ts'
import { peopleWhoSee } from '../../../kernel/person.ts'
import { notify } from '../../people/notifications/service.ts'
import { lockedOrder, visibleOrder } from '../order/service.ts'

const PAGE = 10

/**
 * Adds a comment to the order's history, also of a closed order, and tells those who are mentioned, the technician, the
 * responsible person and who opened the order. 404 when the order is outside the caller's scope; 422 when somebody is
 * mentioned who may not read it or whose name is not in the text.
 */
export function comment(ctx: Ctx, { id, comment, mentions = [] }: CommentInput) {
  return inTransaction(ctx, async (ctx) => {
    const order = await lockedOrder(ctx, id)
    authorize(ctx.actor, 'order.comment', order)
    const readers = mentions.length > 0 ? await readersOf(ctx, order.company_id, mentions) : []
    const mentioned = mentionedIn(comment, readers)
    if (mentioned.length < new Set(mentions).size)
      throw invalid('Quem você mencionou não pode ver esta OS', 'mentions')
    await recordEvent(ctx, {
      subject: 'order',
      subject_id: id,
      kind: 'comment',
      changes: { comment, ...(mentioned.length > 0 && { mentions: mentioned.map((one) => one.id) }) },
    })
    const told = mentioned.map((one) => one.id)
    await notify(ctx, told, { kind: 'mention', order_id: id, text: comment })
    const own = [order.technician_user_id, order.responsible_user_id, order.created_by]
    const others = own.filter((one) => !told.includes(one ?? 0))
    await notify(ctx, others, { kind: 'comment', order_id: id, text: comment })
    return { message: 'Comentário adicionado.' }
  })
}

/** A page of the order's comments, newest first. 404 when the order is outside the caller's scope. */
export async function listComments(ctx: Ctx, { id, before }: CommentFilter): Promise<CommentPage> {
  await visibleOrder(ctx, id)
  const rows = await ctx.db
    .selectFrom('events')
    .where('subject', '=', 'order')
    .where('subject_id', '=', id)
    .where('kind', '=', 'comment')
    .$if(before !== undefined, (query) => query.where('id', '<', before ?? 0))
    .select(['id', 'at', 'actor_name', 'changes'])
    .orderBy('id', 'desc')
    .limit(sql.lit(PAGE + 1))
    .execute()
  return {
    comments: rows.slice(0, PAGE).map(({ id, at, actor_name, changes }) => ({
      id,
      at: at.toISOString(),
      actor_name,
      comment: String((changes as { comment?: unknown }).comment ?? ''),
    })),
    has_more: rows.length > PAGE,
  }
}

/** Active people who may read the order, by name. 404 when it is outside the caller's scope. */
export async function listMentionable(ctx: Ctx, id: number): Promise<MentionedPerson[]> {
  const order = await visibleOrder(ctx, id)
  return readersOf(ctx, order.company_id)
}

/** Those of the company, managers of its matriz, and administrators, who see all companies (D-39). */
const readersOf = (ctx: Ctx, company_id: number, ids?: readonly number[]): Promise<MentionedPerson[]> =>
  peopleWhoSee(ctx.db, [company_id])
    .$if(ids !== undefined, (query) =>
      query.where(sql<boolean>`users.id = any(${[...(ids ?? [])]}::bigint[])`),
    )
    .select(['users.id', 'full_name'])
    .orderBy('full_name')
    .orderBy('users.id')
    .execute()
