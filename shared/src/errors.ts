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

  constructor(code: ErrorCode, detail: Detail, options?: ErrorOptions) {
    super(typeof detail === 'string' ? detail : 'Validation Error', options)
    this.code = code
    this.detail = detail
  }
}

export const notFound = (detail: string) => new AppError('not_found', detail)
export const breaksRule = (detail: string) => new AppError('rule', detail)
export const conflict = (detail: string) => new AppError('conflict', detail)
export const forbidden = (detail = 'Você não tem permissão para esta ação.') =>
  new AppError('forbidden', detail)
export const invalid = (msg: string, ...loc: (string | number)[]) =>
  new AppError('invalid', [{ loc, msg, type: 'value_error' }])
export const unsupported = (detail: string) => new AppError('unsupported', detail)
export const tooLarge = (detail: string) => new AppError('too_large', detail)

/** A detail as one readable text, for a toast or a terminal. */
export const textOf = (detail: Detail) =>
  typeof detail === 'string' ? detail : detail.map((issue) => issue.msg).join(' · ')
