import type { FastifyRequest } from 'fastify'
import { z } from 'zod'

/** A scheme of its own (RFC 9110, 11.4), so that the token of a link can never pass for one of a person. */
const GUEST = /^Guest +([\w-]{1,100})$/i

/** The token of a link for photos; empty without one, which no link has. */
export const guestTokenOf = (request: FastifyRequest) =>
  GUEST.exec(request.headers.authorization ?? '')?.[1] ?? ''

export const guestHeaders = z.object({
  authorization: z.string().optional().describe('`Guest` e a parte do endereço do link depois de `#`.'),
})
