import { z } from 'zod'

/** How long an opening that is sent again with its key gets the order of the first. */
export const KEPT_HOURS = 24
export const KEY_HEADER = 'Idempotency-Key'
export const KEY_WRONG = 'Deve ser um UUID'
export const KEY_USED = 'Esta chave já foi usada com outros dados'

/** Made by the caller for one opening, and sent again with it when no answer came; each person has their own. */
export const idempotencyKey = z.uuid(KEY_WRONG).optional()

/** The key in the header's value, with or without the quotation marks of a structured field (RFC 9651). */
export const keyInHeader = (value: string | string[] | undefined) =>
  [value]
    .flat()[0]
    ?.trim()
    .replace(/^"(.*)"$/, '$1') || undefined
