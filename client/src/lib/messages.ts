import { type Detail, textOf } from '@garantia/shared/errors'
import { isServerAway } from './connection.ts'

export const UNEXPECTED = 'Ocorreu um erro inesperado. Tente novamente.'
/** While no call is answered: that it is so, the bar says once for the whole screen. */
export const AWAY = 'Não foi feito. Tente de novo quando a conexão voltar.'
export const UNREACHABLE = 'Não foi possível falar com o servidor. Verifique a conexão e tente novamente.'

/** Names of the statuses this product responds with; 422 has its own (ERR-1, ERR-2). */
const STATUS_TEXT: Record<number, string> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  409: 'Conflict',
  413: 'Payload Too Large',
  415: 'Unsupported Media Type',
  422: 'Validation Error',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  507: 'Insufficient Storage',
}
/** Message for the console: status, its name and the body (ERR-3). */
const genericMessage = (status: number, body: string) =>
  `status: ${status}; status text: ${STATUS_TEXT[status] ?? 'Unknown'}; body: ${body}`

/** An unsuccessful response of a REST call; status 0 means that there was no response. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  readonly detail: Detail | undefined

  constructor(status: number, detail: Detail | undefined, body = detail === undefined ? '' : textOf(detail)) {
    super(genericMessage(status, body))
    this.status = status
    this.detail = detail
  }
}

/** Details that are English on the wire, as they are shown. */
const PORTUGUESE: Record<string, string> = {
  'Incorrect email or password': 'Usuário ou senha incorretos.',
  'Inactive user': 'Usuário inativo.',
  'Not authenticated': 'Sua sessão terminou. Entre novamente.',
  'Not enough permissions': 'Você não tem permissão para esta ação.',
  'Not Found': 'Não encontrado.',
  'Internal Server Error': UNEXPECTED,
}

const isDetail = (value: unknown): value is Detail => typeof value === 'string' || Array.isArray(value)
const property = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined

/** The server's detail, from a REST or a tRPC error. */
export function detailOf(error: unknown): Detail | undefined {
  const detail = error instanceof ApiError ? error.detail : property(property(error, 'data'), 'detail')
  return isDetail(detail) ? detail : undefined
}

/** HTTP status of a failed call; undefined when there was no response. */
export function statusOf(error: unknown): number | undefined {
  if (error instanceof ApiError) return error.status || undefined
  const data = property(error, 'data')
  const status = property(data, 'http_status') ?? property(data, 'httpStatus')
  return typeof status === 'number' ? status : undefined
}

/** Whether a call had no answer because the server is away, which the bar says already. */
export const isAwayError = (error: unknown) =>
  error != null && statusOf(error) === undefined && isServerAway()

/** The text to show: the server's detail in Portuguese, else the given fallback. */
export function messageOf(error: unknown, fallback?: string) {
  const detail = detailOf(error)
  if (detail !== undefined) {
    const text = textOf(detail)
    return PORTUGUESE[text] ?? text
  }
  if (fallback !== undefined) return fallback
  if (isAwayError(error)) return AWAY
  return statusOf(error) !== undefined ? UNEXPECTED : UNREACHABLE
}
