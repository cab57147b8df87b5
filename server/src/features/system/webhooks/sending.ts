import { RETRY_AFTER_SECONDS, type WebhookMessage, webhookTypeOf } from '@garantia/shared/webhooks'
import { sql } from 'kysely'
import { Webhook as Signer } from 'standardwebhooks'
import { type Ctx, enqueue, inTransaction, postponeJob } from '../../../kernel/context.ts'
import { decryptOwn } from '../../../kernel/encryption.ts'
import { inParallel } from '../../../kernel/parallel.ts'
import { productVersion } from '../../../kernel/product-version.ts'
import { PrivateAddress, post } from './post.ts'

/** Of the key that secrets are encrypted with. */
export const PURPOSE = 'webhook'
const SENT_AT_ONCE = 8
const TAKEN_AT_ONCE = 40
/** A message that a worker took and did not account for is sent again after this long: it was killed. */
const LEASE_SECONDS = 120
const KEPT_DAYS = 30
const GONE = 410
const JOB = 'send-webhooks'

type Taken = Awaited<ReturnType<typeof take>>[number]

/** Sends all messages that are due, and has the job run again when the next one is. */
export async function sendDueWebhooks(ctx: Ctx, signal: AbortSignal) {
  for (;;) {
    signal.throwIfAborted()
    const taken = await take(ctx)
    await inParallel(taken, SENT_AT_ONCE, (one) => sendOne(ctx, one))
    if (taken.length === 0) break
  }
  await inTransaction(ctx, async (ctx) => {
    const { next } = await ctx.db
      .selectFrom('webhook_deliveries')
      .where('next_at', 'is not', null)
      .select(({ fn }) => fn.min('next_at').as('next'))
      .executeTakeFirstOrThrow()
    if (!next) return
    await enqueue(ctx, JOB, {}, { key: JOB })
    await postponeJob(ctx, JOB, next)
  })
}

/** The oldest messages that are due, each for one worker. */
async function take(ctx: Ctx) {
  const now = ctx.clock()
  const taken = await ctx.db
    .updateTable('webhook_deliveries')
    .set({ next_at: new Date(now.getTime() + LEASE_SECONDS * 1_000), attempts: sql`attempts + 1` })
    .where('id', 'in', ({ selectFrom }) =>
      selectFrom('webhook_deliveries')
        .where('next_at', '<=', now)
        .select('id')
        .orderBy('next_at')
        .orderBy('id')
        .limit(TAKEN_AT_ONCE)
        .forUpdate()
        .skipLocked(),
    )
    .returning('id')
    .execute()
  if (taken.length === 0) return []
  return ctx.db
    .selectFrom('webhook_deliveries as deliveries')
    .innerJoin('webhooks', 'webhooks.id', 'webhook_id')
    .innerJoin('events', 'events.id', 'event_id')
    .leftJoin('service_orders', 'service_orders.id', 'events.subject_id')
    .where(
      'deliveries.id',
      'in',
      taken.map(({ id }) => id),
    )
    .select(['deliveries.id', 'webhook_id', 'message_id', 'attempts', 'url', 'encrypted_secret'])
    .select(['disabled_at', 'kind', 'at', 'seq', 'changes', 'subject_id', 'os_number'])
    .select('service_orders.company_id')
    .execute()
}

const OF_NETWORK: Record<string, string> = {
  ABORT_ERR: 'sem resposta em 15 s',
  ECONNREFUSED: 'conexão recusada',
  ECONNRESET: 'conexão cortada',
  EAI_AGAIN: 'nome não encontrado',
  ENOTFOUND: 'nome não encontrado',
  CERT_HAS_EXPIRED: 'certificado vencido',
  ERR_TLS_CERT_ALTNAME_INVALID: 'certificado de outro nome',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'certificado não confiável',
  SELF_SIGNED_CERT_IN_CHAIN: 'certificado não confiável',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'certificado não confiável',
}

interface End {
  sent_at?: Date
  next_at: Date | null
  status?: number
  error?: string | null
}

async function sendOne(ctx: Ctx, taken: Taken): Promise<void> {
  const { id, webhook_id, message_id, attempts, url, encrypted_secret, disabled_at } = taken
  const account = async (end: End) => {
    await ctx.db.updateTable('webhook_deliveries').set(end).where('id', '=', id).execute()
  }
  const message = messageOf(taken)
  if (!message) return account({ next_at: null, error: 'a OS foi eliminada' })
  if (disabled_at) return account({ next_at: null, error: 'o endereço está desativado' })
  const secret = decryptOwn(ctx.config, PURPOSE, encrypted_secret)
  if (secret === null) return account({ next_at: null, error: 'a chave que guarda o segredo foi esquecida' })
  const now = ctx.clock()
  const body = JSON.stringify(message)
  const headers = {
    'content-type': 'application/json',
    'user-agent': `Garantia/${productVersion()}`,
    'webhook-id': message_id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1_000)),
    'webhook-signature': new Signer(secret).sign(message_id, now, body),
  }
  const wait = RETRY_AFTER_SECONDS[attempts - 1]
  const next_at = wait === undefined ? null : new Date(now.getTime() + wait * 1_000)
  try {
    const status = await post(url, { body, headers, isPrivateAllowed: ctx.config.WEBHOOK_PRIVATE_ADDRESSES })
    if (status >= 200 && status < 300)
      return await account({ sent_at: ctx.clock(), next_at: null, status, error: null })
    await account({ next_at: status === GONE ? null : next_at, status, error: `respondeu ${status}` })
    if (status === GONE)
      await ctx.db.updateTable('webhooks').set({ disabled_at: now }).where('id', '=', webhook_id).execute()
  } catch (error) {
    if (error instanceof PrivateAddress)
      return account({
        next_at: null,
        error: 'o endereço não é https na internet (WEBHOOK_PRIVATE_ADDRESSES)',
      })
    const { code = '', name } = error as NodeJS.ErrnoException
    await account({ next_at, error: OF_NETWORK[code] ?? (code || name) })
  }
}

/** Only ids and the status: what else an event says may be personal. Null when its order is gone. */
function messageOf(taken: Taken): WebhookMessage | null {
  const { kind, at, seq, changes, subject_id: order_id, os_number, company_id } = taken
  if (os_number === null || company_id === null) return null
  const named = Object.entries((changes ?? {}) as Record<string, unknown>).filter(
    ([name, value]) => name === 'status' || (name.endsWith('_id') && typeof value === 'number'),
  )
  return {
    type: webhookTypeOf(kind),
    timestamp: at.toISOString(),
    data: { ...Object.fromEntries(named), order_id, os_number, company_id, seq },
  }
}

/** Removes what was sent or given up before the last thirty days. */
export async function forgetOldDeliveries(ctx: Ctx) {
  const before = new Date(ctx.clock().getTime() - KEPT_DAYS * 86_400_000)
  await ctx.db
    .deleteFrom('webhook_deliveries')
    .using('events')
    .whereRef('events.id', '=', 'webhook_deliveries.event_id')
    .where('events.at', '<', before)
    .where('next_at', 'is', null)
    .execute()
}
