import type { IncomingMessage, ServerResponse } from 'node:http'
import { CLIENT_SCRIPT_HEADER } from '@garantia/shared/client-script'
import type { FastifyInstance } from 'fastify'
import helmet from 'helmet'
import { entryScript } from './static.ts'

/** A year (ASVS 5.0, 3.4.1). */
const HTTPS_ONLY_SECONDS = 365 * 24 * 3600

/**
 * Sets the headers that every response has unless its handler says otherwise: those of helmet, the id of the request,
 * which client this server brings, so that a page which was kept on a device knows that it is old, and that nothing is
 * stored, since access tokens and the data of customers are among the answers. helmet computes its headers anew for each
 * response; these are the same for all, and are computed once.
 */
export function registerDefaultHeaders(app: FastifyInstance, { isHttps }: { isHttps: boolean }) {
  const secured = securityHeaders(isHttps)
  const script = entryScript()
  const stored = {
    ...secured,
    'cache-control': 'no-store',
    ...(script && { [CLIENT_SCRIPT_HEADER]: script }),
  }
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(request.method === 'OPTIONS' ? secured : stored).header('x-request-id', request.id)
    done()
  })
}

function securityHeaders(isHttps: boolean) {
  const headers: Record<string, string> = {}
  const response = {
    setHeader: (name: string, value: string) => Object.assign(headers, { [name.toLowerCase()]: value }),
    removeHeader: () => undefined,
  }
  const setHeaders = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'"],
        // Blueprint and Popper position elements with style attributes; style sheets of other origins stay
        // blocked.
        styleSrc: ["'self'"],
        styleSrcAttr: ["'unsafe-inline'"],
        imgSrc: ["'self'", 'data:', 'blob:'],
        mediaSrc: ["'self'", 'blob:'],
        fontSrc: ["'self'"],
        connectSrc: ["'self'"],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
        // No text becomes markup or a script: the one policy there may be names the service worker's file.
        requireTrustedTypesFor: ["'script'"],
        trustedTypes: ['service-worker'],
      },
    },
    crossOriginEmbedderPolicy: false,
    referrerPolicy: { policy: 'no-referrer' },
    // A browser that has seen it refuses plain HTTP from then on.
    strictTransportSecurity: isHttps && { maxAge: HTTPS_ONLY_SECONDS, includeSubDomains: false },
  })
  // Its headers depend neither on the request nor on the response.
  setHeaders({} as IncomingMessage, response as unknown as ServerResponse, (error) => {
    if (error) throw error
  })
  return headers
}
