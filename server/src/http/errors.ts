import { AppError, type Detail, type ErrorCode, type Issue, storageFull } from '@garantia/shared/errors'
import { TRPCError } from '@trpc/server'
import type { $ZodIssue } from 'zod/v4/core'
import { isConnectionLoss } from '../kernel/connection-loss.ts'
import { StorageFault } from '../kernel/storage/storage.ts'

const MEANING = {
  unauthenticated: [401, 'UNAUTHORIZED'],
  forbidden: [403, 'FORBIDDEN'],
  not_found: [404, 'NOT_FOUND'],
  conflict: [409, 'CONFLICT'],
  precondition: [412, 'PRECONDITION_FAILED'],
  too_large: [413, 'PAYLOAD_TOO_LARGE'],
  unsupported: [415, 'UNSUPPORTED_MEDIA_TYPE'],
  invalid: [422, 'UNPROCESSABLE_CONTENT'],
  rule: [400, 'BAD_REQUEST'],
  too_many: [429, 'TOO_MANY_REQUESTS'],
  unavailable: [503, 'SERVICE_UNAVAILABLE'],
  storage_full: [507, 'INTERNAL_SERVER_ERROR'],
} as const satisfies Record<ErrorCode, readonly [number, TRPCError['code']]>

/** The HTTP status of an error code. */
export const statusOfCode = (code: ErrorCode) => MEANING[code][0]
export const statusOf = (error: AppError) => statusOfCode(error.code)
export const trpcErrorFrom = (error: AppError) =>
  new TRPCError({ code: MEANING[error.code][1], message: error.message, cause: error })

export const INTERNAL = 'Internal Server Error'
const STORAGE_DOWN = 'O armazenamento de arquivos está fora do ar. Tente novamente em instantes.'
const DATABASE_DOWN = 'O banco de dados está fora do ar. Tente novamente em instantes.'

/** The disk of this server, or PostgreSQL's («could not extend file»). */
const FULL_CODES = new Set(['ENOSPC', 'EDQUOT', '53100'])
/** The data folder, or a database that accepts only reads. */
const READ_ONLY_CODES = new Set(['EROFS', 'EACCES', '25006'])
const READ_ONLY =
  'O servidor não consegue gravar: a pasta de dados ou o banco só aceita leituras. Avise o administrador.'

/** A statement or a lock that took longer than it may, as beside a server that is frozen in a transaction. */
const SLOW_CODES = new Set(['57014', '55P03'])
const DATABASE_SLOW = 'O banco de dados está demorando a responder. Tente novamente em instantes.'

/**
 * The AppError an error stands for: itself, or 503 for a storage or database that is down or slow, 507 for a full
 * disk; also searched in its causes. Null for an unexpected error, which is answered as 500.
 */
export function refusalFrom(error: unknown): AppError | null {
  if (error instanceof AppError) return error
  if (!(error instanceof Error)) return null
  if (error instanceof StorageFault) return new AppError('unavailable', STORAGE_DOWN, { cause: error })
  const { code } = error as NodeJS.ErrnoException
  if (code && FULL_CODES.has(code)) return storageFull({ cause: error })
  if (code && READ_ONLY_CODES.has(code)) return new AppError('unavailable', READ_ONLY, { cause: error })
  if (code && SLOW_CODES.has(code)) return new AppError('unavailable', DATABASE_SLOW, { cause: error })
  if (isConnectionLoss(error)) return new AppError('unavailable', DATABASE_DOWN, { cause: error })
  return error.cause === undefined ? null : refusalFrom(error.cause)
}

const TYPES: Partial<Record<string, string>> = {
  string: 'string_type',
  boolean: 'bool_type',
  array: 'list_type',
}

/** The error type names of FastAPI clients (pydantic v2). */
function typeOf(issue: $ZodIssue, value: unknown): string {
  switch (issue.code) {
    case 'invalid_type':
      if (value === undefined) return 'missing'
      if (issue.expected === 'int') return 'int_type'
      if (issue.expected === 'number') return 'float_type'
      return TYPES[issue.expected] ?? 'model_attributes_type'
    case 'too_small':
      if (issue.origin === 'string') return 'string_too_short'
      return issue.inclusive === false ? 'greater_than' : 'greater_than_equal'
    case 'too_big':
      return issue.origin === 'string' ? 'string_too_long' : 'less_than_equal'
    case 'invalid_value':
      return issue.values.length === 1 ? 'literal_error' : 'enum'
    default:
      return 'value_error'
  }
}

/**
 * Zod issues in the shape FastAPI clients read. `given` is the checked value: it tells whether a field was
 * missing or wrong.
 */
export const issuesOf = (issues: readonly $ZodIssue[], where: string, given: unknown): Issue[] =>
  issues.map((issue) => ({
    loc: [where, ...issue.path.map((step) => (typeof step === 'number' ? step : String(step)))],
    msg: issue.message,
    type: typeOf(issue, issue.path.reduce(valueAt, given)),
  }))
const valueAt = (value: unknown, step: PropertyKey) =>
  (value as Partial<Record<PropertyKey, unknown>> | null | undefined)?.[step]

/**
 * Prefixes the location of each issue with where the field came from (`body`, `query`…), which only the
 * transport knows.
 */
export const placedIn = (detail: Detail, where: string): Detail =>
  typeof detail === 'string'
    ? detail
    : detail.map((issue) =>
        PLACES.has(String(issue.loc[0])) ? issue : { ...issue, loc: [where, ...issue.loc] },
      )
const PLACES = new Set(['body', 'query', 'path', 'header'])
