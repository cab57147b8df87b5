import type { FastifyInstance } from 'fastify'
import { verifierPage } from '../features/records/dossier/service.ts'
import type { Ctx } from '../kernel/context.ts'

const POLICY = /<meta http-equiv="content-security-policy" content="([^"]+)"/

/**
 * Serves the page that verifies dossiers, the same as in each of them, with the present keys of this house. Its own
 * policy admits its script and its style and no connection.
 */
export function serveVerifier(app: FastifyInstance, ctx: Ctx) {
  app.get('/verificar', async (_request, reply) => {
    const page = await verifierPage(ctx)
    if (page === null) return reply.code(404).send({ detail: 'Not Found' })
    const [, policy = "default-src 'none'"] = POLICY.exec(page) ?? []
    return reply
      .header('content-security-policy', `${policy}; frame-ancestors 'none'`)
      .header('cache-control', 'no-cache')
      .type('text/html; charset=utf-8')
      .send(page)
  })
}
