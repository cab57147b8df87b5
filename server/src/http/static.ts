import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'

const CLIENT = fileURLToPath(new URL('../../../client/dist', import.meta.url))
const A_YEAR = 31_536_000

/** The script that the built client starts with, which is named by the content of all others; null when none is built. */
export function entryScript(): string | null {
  const manifest = join(CLIENT, '.vite', 'manifest.json')
  if (!existsSync(manifest)) return null
  const files = JSON.parse(readFileSync(manifest, 'utf8')) as Record<string, { file: string }>
  return files['index.html'] ? `/${files['index.html'].file}` : null
}

/**
 * Serves the built client; false when it has not been built. Hashed assets are cached for a year, everything
 * else is revalidated. Unknown paths are routes of the client.
 */
export async function serveClient(app: FastifyInstance) {
  if (!existsSync(join(CLIENT, 'index.html'))) return false
  await app.register(fastifyStatic, {
    root: CLIENT,
    preCompressed: true,
    // The list of the build's files, for this module alone.
    dotfiles: 'ignore',
    cacheControl: false,
    setHeaders: (reply, path) => {
      const isHashed = path.includes('/assets/')
      reply.header('cache-control', isHashed ? `public, max-age=${A_YEAR}, immutable` : 'no-cache')
    },
  })
  // Where a page has no service worker yet, what another app shares comes here: it is not kept, and the page says so.
  app.post('/compartilhar', (request, reply) => {
    request.raw.resume()
    return reply.redirect('/compartilhar?erro=app', 303)
  })
  return true
}
