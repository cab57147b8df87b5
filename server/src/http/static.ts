import { existsSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'

const CLIENT = join(import.meta.dirname, '../../../client/dist')
/** Addresses that are never a file or a screen of the app. */
export const isServerAddress = (path: string) => /^\/(api|trpc|media|live|docs)(\/|$)/.test(path)
const A_YEAR = 31_536_000

/** The built client: hashed assets for ever, everything else asked for anew. Unknown paths are the app's own routes. */
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
