import type { $ZodErrorMap, $ZodIssue } from 'zod/v4/core'

const TYPES: Partial<Record<string, string>> = {
  string: 'um texto',
  number: 'um número',
  int: 'um número inteiro',
  boolean: 'verdadeiro ou falso',
  array: 'uma lista',
  object: 'um objeto',
}

/**
 * Default validation messages in Brazilian Portuguese, for fields without their own: Zod's Portuguese locale
 * is European.
 */
export const zodErrorMap: $ZodErrorMap = (issue) => messageFor(issue as $ZodIssue)

function messageFor(issue: $ZodIssue) {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined
        ? 'Campo obrigatório'
        : `Deve ser ${TYPES[issue.expected] ?? 'de outro tipo'}`
    case 'too_small':
      return issue.origin === 'string'
        ? `Mínimo de ${issue.minimum} caracteres`
        : `Deve ser ${issue.inclusive === false ? 'maior que' : 'no mínimo'} ${issue.minimum}`
    case 'too_big':
      return issue.origin === 'string'
        ? `Máximo de ${issue.maximum} caracteres`
        : `Deve ser ${issue.inclusive === false ? 'menor que' : 'no máximo'} ${issue.maximum}`
    case 'invalid_value':
      return `Deve ser ${issue.values.map(String).join(' ou ')}`
    default:
      return 'Valor inválido'
  }
}
