import type { FastifyInstance } from 'fastify'

export interface Route {
  method: string
  /** As the specification writes it: «/evidence/{id}/download», without the base. */
  path: string
}

const BASE = '/api/v1'

/**
 * The REST calls a server really answers, read from its router. A call that is added later appears here by
 * itself, and the tests that go through this list ask for a decision about it.
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
