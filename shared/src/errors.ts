/** One invalid field of an input, in the format of FastAPI clients. */
export interface Issue {
  loc: (string | number)[]
  msg: string
  type: string
}
/** A Portuguese sentence, or the list of invalid fields. */
export type Detail = string | Issue[]

export const ERROR_CODES = [
  'unauthenticated',
  'forbidden',
  'not_found',
  'rule',
  'conflict',
  'precondition',
  'invalid',
  'too_large',
  'unsupported',
  'too_many',
  'storage_full',
  'unavailable',
] as const
export type ErrorCode = (typeof ERROR_CODES)[number]

/** An expected refusal. Only the transports (REST, tRPC) translate `code` to their own status codes. */
export class AppError extends Error {
  override readonly name = 'AppError'
  readonly code: ErrorCode
  readonly detail: Detail
  /** Seconds after which a retry makes sense. */
  readonly retryAfter: number | undefined

  constructor(code: ErrorCode, detail: Detail, options?: ErrorOptions & { retryAfter?: number }) {
    super(typeof detail === 'string' ? detail : 'Validation Error', options)
    this.code = code
    this.detail = detail
    this.retryAfter = options?.retryAfter
  }
}

/** 404 in REST; also used for rows outside the caller's scope. */
export const notFound = (detail: string) => new AppError('not_found', detail)
/** 400 in REST: a business rule refuses the request. */
export const ruleViolation = (detail: string, options?: ErrorOptions) => new AppError('rule', detail, options)
/** 409 in REST: the current state does not allow the request. */
export const conflict = (detail: string) => new AppError('conflict', detail)
/** 403 in REST. */
export const forbidden = (detail = 'Você não tem permissão para esta ação.') =>
  new AppError('forbidden', detail)
/** 422 in REST; `loc` is the path of the invalid field, `msg` the message shown for it. */
export const invalid = (msg: string, ...loc: (string | number)[]) =>
  new AppError('invalid', [{ loc, msg, type: 'value_error' }])
/** 415 in REST: a file of a kind that is not accepted. */
export const unsupported = (detail: string) => new AppError('unsupported', detail)
/** 507 in REST. */
export const storageFull = (options?: ErrorOptions) =>
  new AppError('storage_full', 'Sem espaço em disco para gravar. Avise o administrador.', options)
/** 507 in REST: a limit of stored or announced bytes; `detail` says which and what helps. */
export const overQuota = (detail: string) => new AppError('storage_full', detail)
/** 413 in REST. */
export const tooLarge = (detail: string) => new AppError('too_large', detail)

/** 429 in REST, with `seconds` as Retry-After; the reason is one sentence. */
export const tooMany = (seconds: number, reason = 'Muitas tentativas.') =>
  new AppError('too_many', `${reason} Tente novamente em ${waitLabel(seconds)}.`, { retryAfter: seconds })
const waitLabel = (seconds: number) => {
  if (seconds < 60) return seconds === 1 ? '1 segundo' : `${seconds} segundos`
  const minutes = Math.ceil(seconds / 60)
  if (minutes >= 120) return `${Math.ceil(minutes / 60)} horas`
  return minutes === 1 ? '1 minuto' : `${minutes} minutos`
}

/** A detail as one text, for a toast or a terminal; messages are joined with « · ». */
export const textOf = (detail: Detail) =>
  typeof detail === 'string' ? detail : detail.map((issue) => issue.msg).join(' · ')
