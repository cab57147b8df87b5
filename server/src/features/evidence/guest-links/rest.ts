import { guestView } from '@garantia/shared/evidence/guest-link'
import { z } from 'zod'
import { guestHeaders, guestTokenOf } from '../../../http/guest.ts'
import { endpoint } from '../../../http/rest.ts'
import { sendStream } from '../../../http/send.ts'
import { asGuest, openGuestThumbnail, readAsGuest } from './service.ts'

/** What somebody without an account calls by a link; nothing else takes its token. */
export const guestEndpoints = [
  endpoint(
    {
      method: 'GET',
      path: '/guest',
      summary: 'O que a página de um link para fotos mostra',
      public: true,
      headers: guestHeaders,
      errors: ['not_found', 'forbidden', 'too_many'],
      reply: guestView,
    },
    async (ctx, _, { request }) => readAsGuest(await asGuest(ctx, guestTokenOf(request))),
  ),
  endpoint(
    {
      method: 'GET',
      path: '/guest/files/{id}/thumbnail',
      summary: 'Miniatura de um arquivo que chegou pelo link',
      public: true,
      headers: guestHeaders,
      errors: ['not_found', 'forbidden', 'too_many'],
      params: z.object({ id: z.uuid('Deve ser um identificador de envio') }),
      media: 'image/webp',
    },
    async (ctx, { params }, http) =>
      sendStream(http, await openGuestThumbnail(await asGuest(ctx, guestTokenOf(http.request)), params.id), {
        filename: 'miniatura.webp',
        mime: 'image/webp',
      }),
  ),
]
