import { z } from 'zod'
import { orderInput } from '../orders/schema.ts'
import { EVIDENCE_CATEGORIES } from './category.ts'

export const orderField = z.enum(Object.keys(orderInput.shape) as [keyof typeof orderInput.shape])
const ids = z.array(z.number().int())

/** The action that fixes a failed check: the screen makes a button of it, an API client a call. */
export const fix = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('convert'), evidence_ids: ids, force: z.boolean() }),
  z.object({ kind: z.literal('categorize'), evidence_ids: ids }),
  z.object({ kind: z.literal('upload'), category: z.enum(EVIDENCE_CATEGORIES).nullable() }),
  z.object({ kind: z.literal('edit'), fields: z.array(orderField) }),
  /** Needs a decision by a person: view these files, and remove or replace them. */
  z.object({ kind: z.literal('review'), evidence_ids: ids }),
])
export type Fix = z.output<typeof fix>

export const check = z.object({
  code: z.string(),
  severity: z.enum(['error', 'warning']),
  ok: z.boolean(),
  message: z.string(),
  evidence_ids: ids,
  fix: fix.nullable(),
})
export type Check = z.output<typeof check>

/** Response of validate (D-23): `errors` and `warnings` are the messages of the failed checks. */
export const validationResult = z.object({
  is_valid: z.boolean(),
  errors: z.array(z.string()),
  warnings: z.array(z.string()),
  checks: z.array(check),
})
export type ValidationResult = z.output<typeof validationResult>

/** A package is valid when no check of severity «error» fails; warnings never block. */
export const isPackageValid = (checks: readonly Check[]) =>
  checks.every(({ ok, severity }) => ok || severity === 'warning')

/** Whether it says that a photo confirms the order: the only check that is also shown when it passes (D-23 V18). */
export const isConfirmation = ({ ok, code }: Check) => ok && code === 'V18'

/** The validation response for these checks. */
export function resultOf(checks: Check[]): ValidationResult {
  const messagesOf = (severity: Check['severity']) =>
    checks.filter((one) => !one.ok && one.severity === severity).map(({ message }) => message)
  return {
    is_valid: isPackageValid(checks),
    errors: messagesOf('error'),
    warnings: messagesOf('warning'),
    checks,
  }
}

/** Message of each rule when it passes. */
const PASSED_MESSAGES = {
  V01: 'Há evidências na OS',
  V02: 'Categoria completa',
  V03: 'Quantidade de arquivos dentro do limite',
  V04: 'Quantidade de vídeos dentro do limite',
  V05: 'Pacote dentro do tamanho da marca',
  V06: 'Formatos aceitos pela marca',
  V07: 'Todos os arquivos convertidos',
  V08: 'Arquivos íntegros no armazenamento',
  V09: 'PowerPoint dentro do tamanho da marca',
  V10: 'Duração dos vídeos dentro do limite',
  V11: 'Dados da OS preenchidos',
  V12: 'Fotos grandes e nítidas',
  V13: 'Nenhuma foto de outra OS',
  V14: 'Datas das fotos coerentes com a OS',
  V15: 'Arquivos nas categorias da marca',
  V16: 'Antes e depois registrados',
  V17: 'Chassi e placa informados',
  V18: 'As fotos mostram o que a OS diz',
  V19: 'Nada a completar pelas fotos',
  V20: 'Nenhum texto de foto de outra OS',
}
type Code = keyof typeof PASSED_MESSAGES

interface Failure {
  message: string
  /** Message when the check passes, where the one in PASSED_MESSAGES is too general. */
  holds?: string
  failing_files?: readonly { id: number }[]
  fix?: Fix | null
}
/** One check of the list. A check that passes has no files and no fix. */
export const checkOf = (
  severity: Check['severity'],
  code: Code,
  ok: boolean,
  { message, holds = PASSED_MESSAGES[code], failing_files = [], fix = null }: Failure,
): Check =>
  ok
    ? { code, severity, ok, message: holds, evidence_ids: [], fix: null }
    : { code, severity, ok, message, evidence_ids: idsOf(failing_files), fix }

/** The ids of the files. */
export const idsOf = (files: readonly { id: number }[]) => files.map(({ id }) => id)
