import { conflict, invalid, notFound } from '@garantia/shared/errors'
import { authorize } from '@garantia/shared/policy'
import {
  type IncidentChange,
  type IncidentContent,
  type IncidentView,
  KNOWN_IN_FUTURE,
  noticeDeadline,
} from '@garantia/shared/privacy/incident'
import type { Ctx } from '../../../kernel/context.ts'
import { actorOf } from './actor.ts'

const COLUMNS = ['id', 'version', 'content', 'actor_name', 'updated_at'] as const

interface Row {
  id: number
  version: number
  content: unknown
  actor_name: string
  updated_at: Date
}
const present = ({ content, updated_at, ...row }: Row): IncidentView => ({
  ...row,
  content: content as IncidentContent,
  deadline: noticeDeadline(content as IncidentContent),
  updated_at: updated_at.toISOString(),
})

/** All incidents, the newest first: they are kept for at least five years (art. 10). 403 unless administrator. */
export async function listIncidents(ctx: Ctx): Promise<IncidentView[]> {
  authorize(ctx.actor, 'privacy.manage')
  const rows = await ctx.db.selectFrom('privacy_incidents').select(COLUMNS).orderBy('id', 'desc').execute()
  return rows.map(present)
}

/** Opens a report. 403 unless administrator; 422 when it was known in the future. */
export async function openIncident(ctx: Ctx, content: IncidentContent): Promise<IncidentView> {
  authorize(ctx.actor, 'privacy.manage')
  checkKnown(ctx, content)
  const now = ctx.clock()
  const row = await ctx.db
    .insertInto('privacy_incidents')
    .values({ content: JSON.stringify(content), ...actorOf(ctx), created_at: now, updated_at: now })
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()
  return present(row)
}

/**
 * Replaces what a report says. 403 unless administrator; 404 when there is none; 409 when somebody else has changed it
 * since; 422 when it was known in the future.
 */
export async function changeIncident(
  ctx: Ctx,
  { id, version, content }: IncidentChange,
): Promise<IncidentView> {
  authorize(ctx.actor, 'privacy.manage')
  checkKnown(ctx, content)
  const row = await ctx.db
    .updateTable('privacy_incidents')
    .set({ content: JSON.stringify(content), ...actorOf(ctx), version: version + 1, updated_at: ctx.clock() })
    .where('id', '=', id)
    .where('version', '=', version)
    .returning(COLUMNS)
    .executeTakeFirst()
  if (row) return present(row)
  const other = await ctx.db
    .selectFrom('privacy_incidents')
    .where('id', '=', id)
    .select('actor_name')
    .executeTakeFirst()
  if (!other) throw notFound('Incidente não encontrado')
  throw conflict(`Este relatório foi alterado por ${other.actor_name} enquanto você editava.`)
}

function checkKnown(ctx: Ctx, { known_at }: IncidentContent) {
  if (new Date(known_at) > ctx.clock()) throw invalid(KNOWN_IN_FUTURE, 'content', 'known_at')
}
