import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'

const CLIENT = fileURLToPath(new URL('../../../client/dist', import.meta.url))
/** Whether a path belongs to the server, so that it is never a file or a route of the client. */
export const isServerAddress = (path: string) =>
  /^\/(api|trpc|media|live|livez|readyz|docs|directory)(\/|$)/.test(path)
const A_YEAR = 31_536_000

/**
 * Serves the built client; false when it has not been built. Hashed assets are cached for a year, everything
 * else is revalidated. Unknown paths are routes of the client.
 */
export async function serveClient(app: FastifyInstance) {
  if (!existsSync(join(CLIENT, 'index.html'))) return false
  await app.register(fastifyStatic, {
    root: CLIENT,
    preCompressed: true,
    cacheControl: false,
    setHeaders: (reply, path) => {
      const isHashed = path.includes('/assets/')
      reply.header('cache-control', isHashed ? `public, max-age=${A_YEAR}, immutable` : 'no-cache')
    },
  })
  return true
}
