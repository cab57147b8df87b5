import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { ToolVersions } from '@garantia/shared/tools'
import type { FastifyInstance } from 'fastify'

const PAGE = fileURLToPath(new URL('../../docs', import.meta.url))
const CSP = 'content-security-policy'
const require = createRequire(import.meta.url)
const LIBRARY = dirname(require.resolve('swagger-ui-dist/package.json'))
const SERVED = new Set(['/start.js', '/swagger-ui.css', '/swagger-ui-bundle.js'])

/**
 * Serves Swagger UI at `/docs`, from this origin and under the app's own CSP, with the versions that files are
 * decoded with.
 */
export function serveDocs(app: FastifyInstance, toolsInUse: () => Promise<ToolVersions[]>) {
  const page = readFileSync(join(PAGE, 'index.html'), 'utf8')
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
  app.get('/docs', async (_request, reply) =>
    reply
      .header('cache-control', 'no-cache')
      .header(CSP, withoutTrustedTypes(String(reply.getHeader(CSP))))
      .type('text/html; charset=utf-8')
      // The page is there while the database is not.
      .send(page.replace('{{tools}}', describeTools(await toolsInUse().catch(() => [])))),
  )
}

/** Swagger UI writes markup as text, which it has cleaned itself. */
const withoutTrustedTypes = (policy: string) =>
  policy
    .split(';')
    .filter((directive) => !directive.includes('trusted-types'))
    .join(';')

/** Only what a version can have, so that a program's answer is no HTML. */
const plain = (version: string) => version.replace(/[^\w.+~:-]/g, '')

function describeTools(all: readonly ToolVersions[]) {
  if (all.length === 0) return 'Conversões: nenhum processo em execução informou suas versões.'
  return all
    .map((tools) => {
      const { garantia, ...decoders } = tools
      const known = Object.entries(decoders).map(
        ([name, version]) => `${name} ${plain(version ?? 'ausente')}`,
      )
      return `Garantia ${plain(garantia)}. Conversões: ${known.join(', ')}.`
    })
    .join(' ')
}
