import type { FastifyInstance } from 'fastify'

export interface Route {
  method: string
  /** As in the specification, without the base: «/evidence/{id}/download». */
  path: string
}

const BASE = '/api/v1'

/**
 * The REST calls of a running server, read from its router: a call added later is in this list automatically,
 * so that the tests over the list fail until it is decided there.
 */
export function restRoutes(app: FastifyInstance): Route[] {
  const branch: string[] = []
  return app
    .printRoutes({ commonPrefix: false })
    .split('\n')
    .flatMap((line) => {
      const found = /^([│ ]*)[├└]── (\S+) \(([^)]+)\)/.exec(line)
      if (!found) return []
      const [, indent = '', part = '', methods = ''] = found
      branch.splice(indent.length / 4, Number.POSITIVE_INFINITY, part)
      const path = branch.join('')
      if (!path.startsWith(BASE)) return []
      return methods
        .split(', ')
        .filter((method, _, all) => method !== 'HEAD' || !all.includes('GET'))
        .map((method) => ({
          method,
          path: path
            .slice(BASE.length)
            .replace(/:email/, '{email}')
            .replace(/:status/, '{status}')
            .replace(/:[\w|:]+/g, '{id}'),
        }))
    })
}
