import { ERROR_CODES, type ErrorCode } from '@garantia/shared/errors'
import { statusOfCode } from '../errors.ts'
import type { JsonSchema } from './schemas.ts'

const WORDS: Record<ErrorCode, [name: string, description: string]> = {
  unauthenticated: ['Unauthenticated', 'Sem token, ou com um token desconhecido, vencido ou revogado.'],
  forbidden: ['Forbidden', 'Você não tem permissão para esta ação.'],
  not_found: ['NotFound', 'Não existe, ou está fora do seu alcance.'],
  rule: ['BrokenRule', 'O pedido contraria uma regra; `detail` diz qual.'],
  conflict: ['Conflict', 'O estado atual não permite; `detail` diz por quê.'],
  precondition: ['Precondition', 'Falta uma condição do protocolo; `detail` diz qual.'],
  invalid: ['Invalid', 'Um ou mais campos estão errados; cada um com seu lugar e motivo.'],
  too_large: ['TooLarge', 'O corpo ou o arquivo é grande demais.'],
  unsupported: ['Unsupported', 'Tipo de conteúdo ou de arquivo não aceito.'],
  too_many: ['TooMany', 'Muitas tentativas; `Retry-After` diz em quantos segundos tentar de novo.'],
  unavailable: ['Unavailable', 'O banco de dados está fora do ar; tente de novo em instantes.'],
  storage_full: ['StorageFull', 'Sem espaço em disco para gravar.'],
}
const WITH_RETRY: readonly ErrorCode[] = ['too_many', 'unavailable']

const retryAfter = {
  'Retry-After': { description: 'Segundos até a próxima tentativa.', schema: { type: 'integer' } },
}
const body = (schema: string) => ({
  'application/json': { schema: { $ref: `#/components/schemas/${schema}` } },
})

/** Every error response once; operations refer to them. */
export const refusalResponses = {
  ...Object.fromEntries(
    ERROR_CODES.map((code) => {
      const [name, description] = WORDS[code]
      return [
        name,
        {
          description,
          ...(WITH_RETRY.includes(code) && { headers: retryAfter }),
          content: body(code === 'invalid' ? 'ValidationProblem' : 'Problem'),
        },
      ]
    }),
  ),
  Late: { description: 'O corpo demorou demais para chegar.', content: body('Problem') },
  Failure: { description: 'Falha inesperada; cite o `x-request-id` ao relatá-la.', content: body('Problem') },
}

export const refusalSchemas: Record<string, JsonSchema> = {
  Problem: {
    type: 'object',
    required: ['detail'],
    properties: { detail: { type: 'string', description: 'O motivo, para ser lido por uma pessoa.' } },
  },
  ValidationProblem: {
    type: 'object',
    required: ['detail'],
    properties: {
      detail: {
        type: 'array',
        items: {
          type: 'object',
          required: ['loc', 'msg', 'type'],
          properties: {
            loc: { type: 'array', items: { type: ['string', 'integer'] } },
            msg: { type: 'string' },
            type: { type: 'string' },
          },
        },
      },
    },
  },
}

const pointTo = (name: string) => ({ $ref: `#/components/responses/${name}` })

/** References to the error responses of one operation, by status. */
export const refusalsOf = (codes: Iterable<ErrorCode>, hasBody: boolean) =>
  Object.fromEntries([
    ...[...codes].map((code) => [String(statusOfCode(code)), pointTo(WORDS[code][0])]),
    ...(hasBody ? [['408', pointTo('Late')]] : []),
    ['500', pointTo('Failure')],
  ])
