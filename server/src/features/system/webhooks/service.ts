import { randomBytes } from 'node:crypto'
import { invalid, notFound } from '@garantia/shared/errors'
import { authorize } from '@garantia/shared/policy'
import {
  MESSAGES_LISTED,
  NO_HTTPS,
  NO_PASSWORD,
  type ResentWebhook,
  type WebhookInput,
  type WebhookMessages,
  type WebhookTopic,
} from '@garantia/shared/webhooks'
import { type Ctx, enqueue, inTransaction } from '../../../kernel/context.ts'
import { decrypt, decryptOwn, encrypt } from '../../../kernel/encryption.ts'
import { recordEvent } from '../../../kernel/events.ts'
import { PURPOSE } from './sending.ts'

export { forgetOldDeliveries, sendDueWebhooks } from './sending.ts'

/** Standard Webhooks: between 24 and 64. */
const SECRET_BYTES = 32
const NO_WEBHOOK = 'Webhook não encontrado.'

/**
 * Adds an address that is told of what happens from now on, and returns its id and the secret by which the receiver
 * verifies messages (`whsec_…`), which is shown only here. 403 but for superusers with a recent sign-in; 404 for a company that does not
 * exist; 422 for plain http without WEBHOOK_PRIVATE_ADDRESSES, and for a name or password in the address.
 */
export async function createWebhook(ctx: Ctx, { topics, ...input }: WebhookInput) {
  authorize(ctx.actor, 'webhook.open')
  const { company_id } = input
  if (input.url.startsWith('http:') && !ctx.config.WEBHOOK_PRIVATE_ADDRESSES) throw invalid(NO_HTTPS, 'url')
  const { username, password } = new URL(input.url)
  if (username || password) throw invalid(NO_PASSWORD, 'url')
  const company =
    company_id === null ||
    (await ctx.db.selectFrom('companies').where('id', '=', company_id).select('id').executeTakeFirst())
  if (!company) throw notFound('Empresa não encontrada.')
  const secret = `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`
  const { id } = await inTransaction(ctx, async (ctx) => {
    const made = await ctx.db
      .insertInto('webhooks')
      .values({
        ...input,
        topics: [...new Set(topics)],
        encrypted_secret: encrypt(ctx.config.SIGNING_KEY, PURPOSE, secret),
        created_at: ctx.clock(),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await recordOfCaller(ctx, 'webhook.created', { webhook: hostOf(input.url), topics, company_id })
    return made
  })
  note(ctx, 'webhook criado', { webhook_id: id })
  return { id, secret }
}

/**
 * All addresses, with the number of messages that wait and that were given up; `disabled_at` is when the receiver said
 * that it is gone (410), `company` null for those of all companies. 403 but for superusers.
 */
export async function listWebhooks(ctx: Ctx) {
  authorize(ctx.actor, 'installation.read')
  const rows = await ctx.db
    .selectFrom('webhooks')
    .leftJoin('companies', 'companies.id', 'webhooks.company_id')
    .select(['webhooks.id', 'company_id', 'trading_name as company', 'url', 'topics'])
    .select(['webhooks.created_at', 'disabled_at'])
    .select(({ selectFrom, fn }) => {
      const ofWebhook = selectFrom('webhook_deliveries').whereRef('webhook_id', '=', 'webhooks.id')
      return [
        ofWebhook.where('next_at', 'is not', null).select(fn.countAll<number>().as('n')).as('waiting'),
        ofWebhook
          .where('next_at', 'is', null)
          .where('sent_at', 'is', null)
          .select(fn.countAll<number>().as('n'))
          .as('failed'),
      ]
    })
    .orderBy('webhooks.id')
    .execute()
  return rows.map(({ created_at, disabled_at, topics, waiting, failed, ...row }) => ({
    ...row,
    topics: topics as WebhookTopic[],
    created_at: created_at.toISOString(),
    disabled_at: disabled_at?.toISOString() ?? null,
    waiting: waiting ?? 0,
    failed: failed ?? 0,
  }))
}

/** Removes an address and what waits for it. 403 but for superusers; 404 when there is none. */
export async function removeWebhook(ctx: Ctx, id: number) {
  authorize(ctx.actor, 'installation.operate')
  await inTransaction(ctx, async (ctx) => {
    const removed = await ctx.db
      .deleteFrom('webhooks')
      .where('id', '=', id)
      .returning('url')
      .executeTakeFirst()
    if (!removed) throw notFound(NO_WEBHOOK)
    await recordOfCaller(ctx, 'webhook.removed', { webhook: hostOf(removed.url) })
  })
  note(ctx, 'webhook removido', { webhook_id: id })
}

/** The newest messages of an address, `failed` without those that arrived. 403 but for superusers; 404 when there is none. */
export async function deliveriesOf(ctx: Ctx, { webhook_id, failed }: WebhookMessages) {
  authorize(ctx.actor, 'installation.read')
  await assertThere(ctx, webhook_id)
  const rows = await ctx.db
    .selectFrom('webhook_deliveries')
    .innerJoin('events', 'events.id', 'webhook_deliveries.event_id')
    .leftJoin('service_orders', 'service_orders.id', 'events.subject_id')
    .where('webhook_id', '=', webhook_id)
    .$if(failed, (found) => found.where('sent_at', 'is', null).where('attempts', '>', 0))
    .select(['webhook_deliveries.id', 'message_id', 'kind', 'at', 'subject_id as order_id', 'os_number'])
    .select(['attempts', 'next_at', 'sent_at', 'webhook_deliveries.status', 'error'])
    .orderBy('webhook_deliveries.id', 'desc')
    .limit(MESSAGES_LISTED)
    .execute()
  return rows.map(({ at, next_at, sent_at, ...row }) => ({
    ...row,
    at: at.toISOString(),
    next_at: next_at?.toISOString() ?? null,
    sent_at: sent_at?.toISOString() ?? null,
  }))
}

/**
 * Sends messages once more, with all their attempts and under the same id: one, or all of an address that were given
 * up, and returns their number. An address that was disabled is enabled again. 403 but for superusers; 404 when there
 * is none.
 */
export async function resendDeliveries(ctx: Ctx, { webhook_id, delivery_id }: ResentWebhook) {
  authorize(ctx.actor, 'installation.operate')
  const count = await inTransaction(ctx, async (ctx) => {
    await assertThere(ctx, webhook_id)
    const { numUpdatedRows } = await ctx.db
      .updateTable('webhook_deliveries')
      .set({ next_at: ctx.clock(), sent_at: null, attempts: 0, status: null, error: null })
      .where('webhook_id', '=', webhook_id)
      .where((eb) =>
        delivery_id === undefined
          ? eb.and([eb('next_at', 'is', null), eb('sent_at', 'is', null)])
          : eb('id', '=', delivery_id),
      )
      .executeTakeFirst()
    await ctx.db.updateTable('webhooks').set({ disabled_at: null }).where('id', '=', webhook_id).execute()
    await enqueue(ctx, 'send-webhooks', {}, { key: 'send-webhooks' })
    return Number(numUpdatedRows)
  })
  note(ctx, 'mensagens de webhook reenviadas', { webhook_id, delivery_id, count })
  return { count }
}

async function assertThere(ctx: Ctx, id: number) {
  const found = await ctx.db.selectFrom('webhooks').where('id', '=', id).select('id').executeTakeFirst()
  if (!found) throw notFound(NO_WEBHOOK)
}

/** The rest of an address may be a secret of its receiver. */
const hostOf = (url: string) => new URL(url).origin

/** In the trail of the person who did it; an operator's command is in the log alone. */
async function recordOfCaller(ctx: Ctx, kind: string, changes: Record<string, unknown>) {
  if (ctx.actor.kind === 'user')
    await recordEvent(ctx, { subject: 'user', subject_id: ctx.actor.id, kind, changes })
}

const note = ({ actor, log }: Ctx, what: string, about: object) =>
  log.info({ user_id: actor.kind === 'user' ? actor.id : null, ...about }, what)

/** Encrypts with the present key what a former one has encrypted, so that the former may be forgotten. */
export async function reencryptWebhooks(ctx: Ctx) {
  const { SIGNING_KEY, SIGNING_KEY_PREVIOUS } = ctx.config
  if (SIGNING_KEY_PREVIOUS.length === 0) return
  const rows = await ctx.db.selectFrom('webhooks').select(['id', 'encrypted_secret']).execute()
  for (const { id, encrypted_secret } of rows) {
    if (decrypt(SIGNING_KEY, PURPOSE, encrypted_secret) !== null) continue
    const secret = decryptOwn(ctx.config, PURPOSE, encrypted_secret)
    if (secret === null) continue
    await ctx.db
      .updateTable('webhooks')
      .set({ encrypted_secret: encrypt(SIGNING_KEY, PURPOSE, secret) })
      .where('id', '=', id)
      .execute()
  }
}
