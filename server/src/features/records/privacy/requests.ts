import { conflict, forbidden } from '@garantia/shared/errors'
import { authorize, can } from '@garantia/shared/policy'
import type {
  AnonymiseInput,
  PrivacyRequest,
  RequestKind,
  RequestStatus,
  Subject,
  SubjectFindings,
  SubjectKey,
} from '@garantia/shared/privacy/subject'
import { type Ctx, enqueue, inTransaction } from '../../../kernel/context.ts'
import { decryptOwn, encrypt } from '../../../kernel/encryption.ts'
import { type Limit, throttle } from '../../../kernel/throttle.ts'
import { callerId } from '../../evidence/quota/service.ts'
import { blockedBy, formsOf, type OwnOrder, ordersOf, pseudonymOf, tracesOf } from './subject.ts'

export const ENCRYPTION_PURPOSE = 'garantia privacy requests'
export const NOTHING = 'Nenhuma OS tem este dado do cliente.'
/** Enough for a worker that is killed a few times. */
const MAX_TRIES = 8
/** Requests that are listed. */
const LISTED = 50

/**
 * What the house has of a person, by CPF or CNPJ, e-mail or phone: their orders with what prevents anonymisation, and
 * how many files, dossiers, mails, saved views and imports. Noted in the security log. 403 unless administrator.
 */
export async function findSubject(ctx: Ctx, subject: Subject): Promise<SubjectFindings> {
  authorize(ctx.actor, 'privacy.manage')
  ctx.securityLog.note(ctx, { kind: 'subject.searched', details: { by: subject.by } })
  const orders = await ordersOf(ctx, subject)
  const ids = orders.map(({ id }) => id)
  const traces = await tracesOf(ctx, await formsOf(ctx, subject, ids))
  return {
    orders: orders.map((order) => presentOrder(order, ctx.clock())),
    ...(await countsOf(ctx, ids)),
    mails: traces.mails.length,
    views: traces.views.length,
    imports: traces.imports.length + traces.remittances.length,
  }
}

const presentOrder = (order: OwnOrder, now: Date) => ({
  id: order.id,
  os_number: order.os_number,
  company: order.trading_name,
  opened_at: order.opened_at.toISOString(),
  is_deleted: order.deleted_at !== null,
  blocked: blockedBy(order, now),
})

/** Files, their bytes and sealed dossiers of these orders. */
export async function countsOf(ctx: Ctx, ids: readonly number[]) {
  if (ids.length === 0) return { files: 0, bytes: 0, dossiers: 0 }
  const { files, bytes } = await ctx.db
    .selectFrom('evidence_files')
    .where('order_id', 'in', ids)
    .where('purged_at', 'is', null)
    .select((eb) => [
      eb.cast<number>(eb.fn.countAll(), 'integer').as('files'),
      eb.cast<number>(eb.fn.coalesce(eb.fn.sum('file_size'), eb.lit(0)), 'bigint').as('bytes'),
    ])
    .executeTakeFirstOrThrow()
  const { dossiers } = await ctx.db
    .selectFrom('dossiers')
    .where('order_id', 'in', ids)
    .where('status', '=', 'sealed')
    .select((eb) => eb.cast<number>(eb.fn.countAll(), 'integer').as('dossiers'))
    .executeTakeFirstOrThrow()
  return { files, bytes, dossiers }
}

/**
 * Queues the anonymisation of a person in all of their orders. 409 when no order has them, or when an order is under
 * legal hold, still open or within its brand's retention and no reason is given; 403 when the reason is not a
 * superuser's, and unless administrator with a recent sign-in.
 */
export async function requestAnonymisation(ctx: Ctx, input: AnonymiseInput): Promise<PrivacyRequest> {
  authorize(ctx.actor, 'privacy.anonymise')
  const { by, value } = input
  const orders = await ordersOf(ctx, { by, value })
  if (orders.length === 0) throw conflict(NOTHING)
  const reason = input.reason || null
  const blocked = orders.flatMap((order) => {
    const why = blockedBy(order, ctx.clock())
    return why === null ? [] : [`OS ${order.os_number} (${why})`]
  })
  if (blocked.length > 0 && reason === null)
    throw conflict(
      `Não pode ser anonimizado sem um motivo de superusuário: ${blocked.slice(0, 5).join(', ')}${blocked.length > 5 ? ` e mais ${blocked.length - 5}` : ''}.`,
    )
  if (blocked.length > 0 && !can(ctx.actor, 'privacy.override'))
    throw forbidden('Só um superusuário anonimiza OS retidas, em andamento ou dentro do prazo de guarda.')
  return queueRequest(ctx, 'anonymise', { by, value }, orders, blocked.length > 0 ? reason : null)
}

/** Keeps a request, its person encrypted, and queues its job. 429 over the exports of an hour. */
export function queueRequest(
  ctx: Ctx,
  kind: RequestKind,
  subject: Subject,
  orders: readonly Pick<OwnOrder, 'id'>[],
  reason: string | null,
  is_retention = false,
) {
  const { actor } = ctx
  return inTransaction(ctx, async (ctx) => {
    // Inside of the transaction, so that a request that is refused is not counted.
    if (kind === 'export') await throttle(ctx, exportLimit(ctx))
    const row = await ctx.db
      .insertInto('privacy_requests')
      .values({
        kind,
        searched_by: subject.by,
        pseudonym: pseudonymOf(ctx, subject),
        encrypted_subject: encrypt(ctx.config.SIGNING_KEY, ENCRYPTION_PURPOSE, JSON.stringify(subject)),
        orders: orders.map(({ id }) => id),
        reason,
        is_retention,
        user_id: actor.kind === 'user' ? actor.id : null,
        actor_name: actor.kind === 'user' ? actor.name : 'Sistema',
        created_at: ctx.clock(),
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    await enqueue(
      ctx,
      kind === 'export' ? 'export-subject' : 'anonymise-customer',
      { request_id: row.id },
      { key: `privacy:${row.id}`, max_attempts: MAX_TRIES },
    )
    return present(ctx, row)
  })
}

/** The newest requests of the house, at most fifty. 403 unless administrator. */
export async function listRequests(ctx: Ctx): Promise<PrivacyRequest[]> {
  authorize(ctx.actor, 'privacy.manage')
  const rows = await ctx.db
    .selectFrom('privacy_requests')
    .selectAll()
    .orderBy('id', 'desc')
    .limit(LISTED)
    .execute()
  return rows.map((row) => present(ctx, row))
}

type Row = Awaited<ReturnType<typeof rowOf>>
export const rowOf = (ctx: Ctx, id: number) =>
  ctx.db.selectFrom('privacy_requests').where('id', '=', id).selectAll().executeTakeFirst()

/** A text that was kept encrypted, with the key in use or a former one; null when that is gone. */
export const decrypted = ({ config }: Ctx, encrypted: string) =>
  decryptOwn(config, ENCRYPTION_PURPOSE, encrypted)

/** Whom a request is about; null when the key it was encrypted with is gone. */
export function decryptedSubject(ctx: Ctx, encrypted: string | null) {
  const text = encrypted === null ? null : decrypted(ctx, encrypted)
  return text === null ? null : (JSON.parse(text) as Subject)
}

/** How many exports this person may request within an hour: as many as dossiers. */
const exportLimit = (ctx: Ctx): Limit => {
  const hits = ctx.config.DOSSIER_LIMIT
  return {
    bucket: `subjects/person/${callerId(ctx)}`,
    hits,
    window_seconds: 3_600,
    reason: `Você já pediu exportações de titulares ${hits} vezes nesta hora, o limite por pessoa.`,
  }
}

const isDownloadable = ({ actor, clock }: Ctx, { key, status, user_id, expires_at }: NonNullable<Row>) =>
  key !== null &&
  status === 'done' &&
  expires_at !== null &&
  expires_at > clock() &&
  actor.kind === 'user' &&
  actor.id === user_id

const present = (ctx: Ctx, row: NonNullable<Row>): PrivacyRequest => ({
  id: row.id,
  kind: row.kind as RequestKind,
  status: row.status as RequestStatus,
  searched_by: row.searched_by as SubjectKey,
  pseudonym: row.pseudonym,
  orders: row.orders.length,
  progress:
    row.status === 'done'
      ? 100
      : Math.min(99, Math.floor((100 * row.done_orders.length) / row.orders.length)),
  reason: row.reason,
  error: row.error,
  actor_name: row.actor_name,
  created_at: row.created_at.toISOString(),
  finished_at: row.finished_at?.toISOString() ?? null,
  size: row.size,
  available_until: row.key ? (row.expires_at?.toISOString() ?? null) : null,
  is_downloadable: isDownloadable(ctx, row),
})
