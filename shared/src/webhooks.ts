import { z } from 'zod'
import { id } from './fields.ts'

/** Groups of events that a system asks to be told of; `order` has all that is in no other. */
export const WEBHOOK_TOPICS = ['order', 'evidence', 'conversion', 'package', 'dossier', 'claim'] as const
export type WebhookTopic = (typeof WEBHOOK_TOPICS)[number]
export const TOPIC_LABEL: Record<WebhookTopic, string> = {
  order: 'OS',
  evidence: 'Evidências',
  conversion: 'Conversão',
  package: 'Pacotes',
  dossier: 'Dossiês',
  claim: 'Solicitações',
}

/** Seconds from one attempt to the next, as Standard Webhooks recommends: eight attempts in 32 hours. */
export const RETRY_AFTER_SECONDS = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400] as const

/** The type of a message: the kind of its event, «order.opened» for one without a group. */
export const webhookTypeOf = (kind: string) => (kind.includes('.') ? kind : `order.${kind}`)

/** The body of a message (JSON). It has ids and no personal data: whoever may read the order asks for the rest. */
export interface WebhookMessage {
  type: string
  /** When it happened (ISO 8601). */
  timestamp: string
  data: {
    order_id: number
    os_number: string
    company_id: number
    /** The event's place in the order's chain: messages may arrive in another order. */
    seq: number
    /** `[before, after]` where the event changed it. */
    status?: unknown
    /** Ids that the event names: `evidence_id`, `claim_id`, `dossier_id`. */
    [id: string]: unknown
  }
}

/** Said of plain http, which only an installation that allows it takes. */
export const NO_HTTPS = 'O endereço deve começar com https://'
/** Said of an address with a name or password, which would be kept and listed in clear. */
export const NO_PASSWORD = 'O endereço não pode ter usuário nem senha: quem recebe confere a assinatura.'
const MOST_CHARACTERS = 2_000
export const webhookInput = z.object({
  url: z
    .url({ protocol: /^https?$/, error: NO_HTTPS })
    .max(MOST_CHARACTERS, `No máximo ${MOST_CHARACTERS} caracteres.`),
  topics: z
    .array(z.enum(WEBHOOK_TOPICS, `Os assuntos são ${WEBHOOK_TOPICS.join(', ')}.`))
    .min(1, 'Escolha pelo menos um assunto.'),
  /** Null: those of all. */
  company_id: id.nullable(),
})
export type WebhookInput = z.output<typeof webhookInput>

/** Messages of an address that are listed, the newest first. */
export const MESSAGES_LISTED = 200
export const webhookMessages = z.object({ webhook_id: id, failed: z.boolean().default(false) })
export type WebhookMessages = z.output<typeof webhookMessages>

/** One message, or all that were given up when it is absent. */
export const resentWebhook = z.object({ webhook_id: id, delivery_id: id.optional() })
export type ResentWebhook = z.output<typeof resentWebhook>
