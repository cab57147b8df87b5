/** One place of a refused input and why, in the shape FastAPI clients read. */
export interface Issue {
  loc: (string | number)[]
  msg: string
  type: string
}
/** What the caller is told: a sentence, or the list of places when the input is invalid. */
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

/** An expected refusal. Doors translate `code` to their own numbers; nothing else may. */
export class AppError extends Error {
  override readonly name = 'AppError'
  readonly code: ErrorCode
  readonly detail: Detail
  /** Seconds after which trying again makes sense. */
  readonly retryAfter: number | undefined

  constructor(code: ErrorCode, detail: Detail, options?: ErrorOptions & { retryAfter?: number }) {
    super(typeof detail === 'string' ? detail : 'Validation Error', options)
    this.code = code
    this.detail = detail
    this.retryAfter = options?.retryAfter
  }
}

export const notFound = (detail: string) => new AppError('not_found', detail)
export const ruleViolation = (detail: string) => new AppError('rule', detail)
export const conflict = (detail: string) => new AppError('conflict', detail)
export const forbidden = (detail = 'Você não tem permissão para esta ação.') =>
  new AppError('forbidden', detail)
export const invalid = (msg: string, ...loc: (string | number)[]) =>
  new AppError('invalid', [{ loc, msg, type: 'value_error' }])
export const unsupported = (detail: string) => new AppError('unsupported', detail)
export const storageFull = (options?: ErrorOptions) =>
  new AppError('storage_full', 'Sem espaço em disco para gravar. Avise o administrador.', options)
export const tooLarge = (detail: string) => new AppError('too_large', detail)

export const tooMany = (seconds: number) =>
  new AppError('too_many', `Muitas tentativas. Tente novamente em ${waitLabel(seconds)}.`, {
    retryAfter: seconds,
  })
const waitLabel = (seconds: number) => {
  if (seconds < 60) return seconds === 1 ? '1 segundo' : `${seconds} segundos`
  const minutes = Math.ceil(seconds / 60)
  return minutes === 1 ? '1 minuto' : `${minutes} minutos`
}

/** A detail as one readable text, for a toast or a terminal. */
export const textOf = (detail: Detail) =>
  typeof detail === 'string' ? detail : detail.map((issue) => issue.msg).join(' · ')
