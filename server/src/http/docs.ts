import { createReadStream } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'

const PAGE = fileURLToPath(new URL('../../docs', import.meta.url))
const require = createRequire(import.meta.url)
const LIBRARY = dirname(require.resolve('swagger-ui-dist/package.json'))
const SERVED = new Set(['/start.js', '/swagger-ui.css', '/swagger-ui-bundle.js'])

/** Serves Swagger UI at `/docs`, from this origin and under the app's own CSP. */
export function serveDocs(app: FastifyInstance) {
  void app.register(async (docs) => {
    await docs.register(fastifyStatic, {
      root: [PAGE, LIBRARY],
      prefix: '/docs/',
      index: false,
      cacheControl: false,
      allowedPath: (path) => SERVED.has(path),
      setHeaders: (reply) => void reply.header('cache-control', 'no-cache'),
      decorateReply: false,
    })
  })
  app.get('/docs', (_request, reply) =>
    reply
      .header('cache-control', 'no-cache')
      .type('text/html; charset=utf-8')
      .send(createReadStream(join(PAGE, 'index.html'))),
  )
}
