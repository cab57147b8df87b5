import { z } from 'zod'
import { nullWhenBlank, text } from '../fields.ts'

/** How long a nonce may be used: a phone may be without network for days. */
export const NONCE_DAYS = 7
/** Most nonces of one call. */
export const NONCES_MAX = 200
const NONCE_LENGTH_MAX = 200

/** How many photos the app's camera may need nonces for. */
export const noncesInput = z.object({
  count: z
    .number('Deve ser um número')
    .int('Deve ser um número inteiro')
    .min(1, 'Mínimo de 1')
    .max(NONCES_MAX, `Máximo de ${NONCES_MAX} por vez`),
})
/** Codes for one photo each, of one person for one order. */
export const captureNonces = z.object({ nonces: z.array(z.string()), expires_at: z.string() })

/**
 * What the app's own camera sends with a photo. A nonce that is unknown, expired or used is ignored, and so is a time
 * that is not between its issue and now: the photo is a file like others then, and is not lost.
 */
export const captureFields = z.object({
  capture_nonce: nullWhenBlank(text(NONCE_LENGTH_MAX, `Máximo de ${NONCE_LENGTH_MAX} caracteres`)),
  captured_at: nullWhenBlank(z.union([z.literal(''), z.iso.datetime('Deve ser uma data com hora em UTC')])),
})
export type CaptureFields = z.output<typeof captureFields>

/** How a photo of the app's own camera came: when its nonce was issued, and when the device says it was taken. */
export const appCapture = z.object({ nonce_issued_at: z.string(), captured_at: z.string().nullable() })
export type AppCapture = z.output<typeof appCapture>
