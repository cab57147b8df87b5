import type { Issue } from '@garantia/shared/errors'
// The package exports the router as a type only, so that the client cannot bundle it; a test that needs every
// procedure imports it from its file.
import { appRouter } from '../../server/src/api/router.ts'
import type { TestApp } from '../support/test-app.ts'

export interface Procedure {
  path: string
  type: 'query' | 'mutation'
}

/** At run time a flat record by dotted path, unlike its type. */
const flat = appRouter._def.procedures as unknown as Record<string, { _def: { type: Procedure['type'] } }>
export const procedures: Procedure[] = Object.entries(flat).map(([path, { _def }]) => ({
  path,
  type: _def.type,
}))

interface Failure {
  message: string
  code: number
  data: { code: string; detail: string | Issue[]; http_status: number }
}
export interface TrpcAnswer {
  status: number
  data: unknown
  error: Failure | undefined
}

/** Calls a procedure over HTTP, as the client's link does. */
export async function callProcedure(
  { app }: TestApp,
  token: string,
  path: string,
  input?: unknown,
): Promise<TrpcAnswer> {
  const isQuery = procedures.find((one) => one.path === path)?.type !== 'mutation'
  const query = input === undefined ? '' : `?input=${encodeURIComponent(JSON.stringify(input))}`
  const answer = await app.inject({
    method: isQuery ? 'GET' : 'POST',
    url: `/trpc/${path}${isQuery ? query : ''}`,
    headers: { ...(token && { authorization: `Bearer ${token}` }), 'content-type': 'application/json' },
    ...(!isQuery && input !== undefined && { payload: JSON.stringify(input) }),
  })
  const { result, error } = answer.json()
  return { status: answer.statusCode, data: result?.data, error }
}
