import { traceId } from '@garantia/shared/tracing'
import { type DestinationStream, type Logger, pino } from 'pino'
import { INSTANCE } from './instance.ts'

/** Fields removed from every log line: credentials and personal data. */
const SECRETS = [
  'password',
  'new_password',
  'current_password',
  'token',
  'access_token',
  'authorization',
  'cookie',
  'cpf',
  'customer_document',
  'password_hash',
]

/**
 * Only the code and the location of a database error are logged: its `detail` and `where` repeat row values.
 */
function errorForLog(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: String(error) }
  const { code, constraint, table, cause } = error as Error & {
    code?: unknown
    constraint?: unknown
    table?: unknown
  }
  return {
    type: error.name,
    message: error.message,
    stack: error.stack,
    code,
    constraint,
    table,
    cause: cause === undefined ? undefined : errorForLog(cause),
  }
}

/** Each write of lines costs as much as fifty of them; a line waits for others this long at most. */
const GATHERED_BYTES = 4_096
const GATHERED_MS = 250

/**
 * A JSON logger to stdout, or a readable one on a terminal. Credentials and personal data are replaced by
 * «[oculto]». Lines to stdout are gathered for a quarter of a second; those of a process that is killed are lost.
 */
export function openLog(level: string, name: string, destination?: DestinationStream): Logger {
  const isTerminal = destination === undefined && process.stdout.isTTY
  return pino(
    {
      name,
      level,
      base: { name, instance: INSTANCE },
      mixin: () => ({ trace_id: traceId() }),
      redact: {
        paths: SECRETS.flatMap((secret) => [secret, `*.${secret}`, `*.*.${secret}`]),
        censor: '[oculto]',
      },
      serializers: { err: errorForLog },
      ...(isTerminal && { transport: { target: 'pino-pretty', options: { ignore: 'pid,hostname' } } }),
    },
    ...(destination ? [destination] : isTerminal ? [] : [gathering()]),
  )
}
const gathering = () =>
  pino.destination({ fd: 1, sync: false, minLength: GATHERED_BYTES, periodicFlush: GATHERED_MS })

export type { Logger }
