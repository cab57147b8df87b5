import type { FastifyInstance } from 'fastify'
import {
  beginDirectorySignIn,
  DirectoryProblem,
  finishDirectorySignIn,
} from '../features/people/directory/service.ts'
import { directoryCookie } from '../http/directory-cookie.ts'
import { originOf } from '../http/session.ts'
import type { Ctx } from '../kernel/context.ts'

const COOKIE_SECONDS = 600

/**
 * Serves the two addresses that a browser visits on its way to the directory and back. The way back leads to the
 * sign-in page, with a code that opens the session once, or with the reason why not; both are in the fragment, which
 * reaches no log and no other site. 404 without a directory.
 */
export function serveDirectory(app: FastifyInstance, ctx: Ctx) {
  if (!ctx.config.OIDC_ISSUER) return
  const cookie = directoryCookie(ctx.config)

  app.get<{ Querystring: { redirect?: unknown; again?: unknown } }>(
    '/directory/start',
    async (request, reply) => {
      const { redirect, again } = request.query
      // The database keeps no NUL.
      const wanted = typeof redirect === 'string' ? redirect.replaceAll('\0', '').slice(0, 2000) : undefined
      const begun = await beginDirectorySignIn(
        ctx,
        { redirect: wanted, again: again !== undefined },
        originOf(request),
      ).catch((err: unknown) => {
        if (!(err instanceof Error) || err.name === 'AppError') throw err
        ctx.log.error({ err }, 'diretório fora do ar')
        return null
      })
      reply.header('cache-control', 'no-store')
      if (!begun) return reply.redirect('/login#problem=away')
      return reply.header('set-cookie', cookie.header(begun.state, COOKIE_SECONDS)).redirect(begun.url.href)
    },
  )

  app.get('/directory/callback', async (request, reply) => {
    reply.header('cache-control', 'no-store')
    const state = cookie.read(request.headers.cookie)
    try {
      const url = new URL(request.url, ctx.config.app_url)
      const { code, browser } = await finishDirectorySignIn(ctx, url, state, originOf(request))
      return reply
        .header('set-cookie', cookie.header(browser, COOKIE_SECONDS))
        .redirect(`/login#code=${code}`)
    } catch (error) {
      if (!(error instanceof DirectoryProblem)) throw error
      reply.header('set-cookie', cookie.header('', 0))
      return reply.redirect(`/login#problem=${error.reason}`)
    }
  })
}
