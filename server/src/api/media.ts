import type { FastifyInstance } from 'fastify'
import { openSignedLogo } from '../features/catalogue/companies/service.ts'
import { openSentDossier } from '../features/claims/claim/service.ts'
import { openSignedArchive } from '../features/evidence/archives/service.ts'
import { openMedia, openPreview } from '../features/evidence/files/service.ts'
import { openSignedExport } from '../features/records/privacy/service.ts'
import { FILE_POLICY, sendObject, sendShown } from '../http/send.ts'
import { anonymousContext } from '../http/session.ts'
import type { Ctx } from '../kernel/context.ts'

interface Address {
  Params: { id: string; copy: string; signature: string }
}
const idIn = (text: string) => (/^[1-9]\d{0,14}$/.test(text) ? Number(text) : 0)

/**
 * Serves previews, pictures and videos to pages of the app. Their HTML elements send no bearer header, so the
 * address is signed; so are those of a ZIP with several packages and of the dossier in the mail of a claim. 404 when the signature is wrong or expired.
 */
export function serveMedia(app: FastifyInstance, ctx: Ctx) {
  app.get<Address>('/media/:id/preview/:signature', async (request, reply) =>
    reply
      .header('cache-control', 'private, max-age=3600, immutable')
      .header('content-security-policy', FILE_POLICY)
      .type('image/webp')
      .send(
        await openPreview(anonymousContext(ctx, request), idIn(request.params.id), request.params.signature),
      ),
  )
  app.get<Address>('/media/packages/:id/:signature', async (request, reply) =>
    sendObject(
      ctx,
      await openSignedArchive(
        anonymousContext(ctx, request),
        idIn(request.params.id),
        request.params.signature,
      ),
      { request, reply },
    ),
  )
  app.get<Address>('/media/subjects/:id/:signature', async (request, reply) =>
    sendObject(
      ctx,
      await openSignedExport(
        anonymousContext(ctx, request),
        idIn(request.params.id),
        request.params.signature,
      ),
      { request, reply },
    ),
  )
  app.get<Address>('/media/logos/:id/:signature', async (request, reply) => {
    const { id, signature } = request.params
    return sendShown(ctx, await openSignedLogo(anonymousContext(ctx, request), idIn(id), signature), {
      request,
      reply,
    })
  })
  app.get<Address>('/media/claims/:id/:signature', async (request, reply) =>
    sendObject(
      ctx,
      await openSentDossier(
        anonymousContext(ctx, request),
        idIn(request.params.id),
        request.params.signature,
      ),
      { request, reply },
    ),
  )
  app.get<Address>('/media/:id/:copy/:signature', async (request, reply) => {
    const { id, copy, signature } = request.params
    return sendShown(ctx, await openMedia(anonymousContext(ctx, request), idIn(id), copy, signature), {
      request,
      reply,
    })
  })
}
