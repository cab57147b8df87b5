import { z } from 'zod'
import { id, paging, text } from '../fields.ts'
import { chosenIds } from '../orders/criteria.ts'
import { IMPORT_LIMITS } from '../orders/import.ts'
import { day } from '../orders/metrics.ts'
import { AMOUNT_MAX, centsOf } from './money.ts'
import { DIFFERENCES } from './reasons.ts'

/** Columns of a remittance, each with headings by which brands name it. The limits of a file are those of an import of orders. */
export const REMITTANCE_FIELDS = {
  brand_number: {
    label: 'Número da solicitação na marca',
    headings: [
      'sg',
      'numero sg',
      'nr sg',
      'n sg',
      'claim',
      'protocolo',
      'solicitacao',
      'numero da solicitacao',
    ],
  },
  os_number: { label: 'Número da OS', headings: ['os', 'numero os', 'ordem de servico', 'nr os'] },
  chassis: { label: 'Chassi', headings: ['chassis', 'vin', 'final do chassi', 'chassi final'] },
  amount: { label: 'Valor pago', headings: ['valor', 'valor creditado', 'credito', 'vlr pago', 'total'] },
  document: { label: 'Documento', headings: ['nota', 'nf', 'titulo', 'lancamento'] },
} as const
export type RemittanceField = keyof typeof REMITTANCE_FIELDS
export const REMITTANCE_FIELD_NAMES = Object.keys(REMITTANCE_FIELDS) as RemittanceField[]

const column = z.number('Escolha uma coluna').int().min(0).max(IMPORT_LIMITS.columns)
export const remittanceMapping = z
  .object(
    Object.fromEntries(REMITTANCE_FIELD_NAMES.map((field) => [field, column.optional()])) as {
      [Field in RemittanceField]: z.ZodOptional<typeof column>
    },
  )
  .refine(({ amount }) => amount !== undefined, { path: ['amount'], error: 'Escolha a coluna do valor' })
  .refine(({ brand_number, os_number }) => brand_number !== undefined || os_number !== undefined, {
    path: ['brand_number'],
    error: 'Escolha a coluna do número na marca ou a do número da OS',
  })
export type RemittanceMapping = z.output<typeof remittanceMapping>

const signedAmount = z
  .number('Deve ser um valor em reais')
  .min(-AMOUNT_MAX, 'Valor abaixo do mínimo permitido')
  .max(AMOUNT_MAX, 'Valor acima do máximo permitido')
  .refine((value) => Math.abs(centsOf(value) - value * 100) < 1e-4, 'Use no máximo duas casas decimais')
  .refine((value) => centsOf(value) !== 0, 'O valor não pode ser zero')
const number = text(60)
  .transform((value) => value || null)
  .nullable()
  .optional()
/** One line of a remittance. A negative amount takes money back. */
export const remittanceLineInput = z
  .object({
    brand_number: number,
    os_number: number,
    /** The last characters of the chassis, or all of it. */
    chassis_end: number,
    amount: signedAmount,
  })
  .refine(({ brand_number, os_number }) => Boolean(brand_number || os_number), {
    path: ['brand_number'],
    error: 'Informe o número na marca ou o da OS',
  })
export type RemittanceLineInput = z.output<typeof remittanceLineInput>

/** Booked within the request; more lines come as a file, which a job books. */
export const TYPED_MAX = 1_000
/** Whose remittance a file is. */
export const remittanceOwner = z.object({ company_id: id, brand_id: id })
export type RemittanceOwner = z.output<typeof remittanceOwner>

/** Lines that are typed, as they are compared with the claims of the brand. */
export const typedLines = remittanceOwner.extend({
  lines: z
    .array(remittanceLineInput)
    .min(1, 'Informe ao menos uma linha')
    .max(TYPED_MAX, 'Mais de 1.000 linhas: envie um arquivo'),
})
export type TypedLines = z.output<typeof typedLines>
/** A remittance that is typed. */
export const remittanceInput = typedLines.extend({ number, paid_on: day })
export type RemittanceInput = z.output<typeof remittanceInput>

/** Without the id, which is in the path of the REST calls. */
export const remittanceColumns = z.object({ mapping: remittanceMapping })
export type RemittanceColumns = z.output<typeof remittanceColumns>
export const remittanceBooking = remittanceColumns.extend({ number, paid_on: day })
export type RemittanceBooking = z.output<typeof remittanceBooking>
export const remittanceReason = z.object({ reason: text(500).min(1, 'Informe o motivo') })
export type RemittanceReason = z.output<typeof remittanceReason>

export const REMITTANCE_STATUSES = ['reading', 'read', 'running', 'done', 'failed', 'undone'] as const
/** differing: found, but not paid as authorised; unknown: no claim, or more than one; already_paid: nothing left of it. */
export const LINE_OUTCOMES = ['matched', 'differing', 'unknown', 'duplicate', 'already_paid'] as const
export type LineOutcome = (typeof LINE_OUTCOMES)[number]
export const LINE_OUTCOME: Record<LineOutcome, string> = {
  matched: 'Confere',
  differing: 'Diverge',
  unknown: 'Não encontrada',
  duplicate: 'Repetida',
  already_paid: 'Já paga',
}
/** What a person makes of a difference: books the payment anyway, with or without writing off the rest, or leaves it. */
export const RESOLUTIONS = ['booked', 'written_off', 'ignored'] as const
export type Resolution = (typeof RESOLUTIONS)[number]

const outcomes = z.object(
  Object.fromEntries(LINE_OUTCOMES.map((outcome) => [outcome, z.number().int()])) as {
    [Outcome in LineOutcome]: z.ZodNumber
  },
)
export const remittanceView = z.object({
  id,
  company: z.object({ id, trading_name: z.string() }),
  brand: z.object({ id, display_name: z.string() }),
  number: z.string().nullable(),
  paid_on: z.string().nullable(),
  filename: z.string().nullable(),
  status: z.enum(REMITTANCE_STATUSES),
  error: z.string().nullable(),
  headings: z.array(z.string()),
  sample: z.array(z.array(z.string())),
  mapping: z.partialRecord(z.enum(REMITTANCE_FIELD_NAMES), z.number().int()),
  lines: z.number().int(),
  /** Lines without an amount or a number, which are left out. */
  refused: z.number().int(),
  progress: z.number().int(),
  total: z.number(),
  outcomes,
  /** The amount of the lines that were booked, at once or by a decision. */
  booked: z.number(),
  /** Lines that wait for a decision. */
  waiting: z.number().int(),
  /** False once the content was removed: the file has to be sent again. */
  has_content: z.boolean(),
  actor_name: z.string(),
  created_at: z.string(),
  finished_at: z.string().nullable(),
  undone_at: z.string().nullable(),
  undone_by_name: z.string().nullable(),
  undo_reason: z.string().nullable(),
})
export type RemittanceView = z.output<typeof remittanceView>

export const remittanceLineView = z.object({
  id,
  remittance_id: id,
  /** The remittance's own number, or the name of its file; null of one that was typed without a number. */
  remittance: z.string().nullable(),
  company: z.object({ id, trading_name: z.string() }),
  brand: z.object({ id, display_name: z.string() }),
  line: z.number().int(),
  brand_number: z.string().nullable(),
  os_number: z.string().nullable(),
  chassis_end: z.string().nullable(),
  document: z.string().nullable(),
  amount: z.number(),
  outcome: z.enum(LINE_OUTCOMES),
  claim_id: id.nullable(),
  /** «SG 000123-1». */
  claim: z.string().nullable(),
  /** What was still authorised and not paid. */
  expected: z.number().nullable(),
  difference: z.enum(DIFFERENCES).nullable(),
  resolution: z.enum(RESOLUTIONS).nullable(),
  resolution_note: z.string().nullable(),
  resolved_at: z.string().nullable(),
  resolved_by_name: z.string().nullable(),
})
export type RemittanceLineView = z.output<typeof remittanceLineView>

/** Of the lines that do not match, and of those that cannot be read, this many are shown. */
export const SHOWN_DIFFERENCES = 200
/** The dry run: nothing is booked. */
export const remittanceReport = z.object({
  lines: z.number().int(),
  total: z.number(),
  outcomes,
  differences: z.array(
    remittanceLineView.pick({
      line: true,
      brand_number: true,
      os_number: true,
      chassis_end: true,
      document: true,
      amount: true,
      outcome: true,
      claim_id: true,
      claim: true,
      expected: true,
      difference: true,
    }),
  ),
  /** Lines that would be left out. */
  refused: z.number().int(),
  problems: z.array(z.object({ line: z.number().int(), value: z.string(), message: z.string() })),
})
export type RemittanceReport = z.output<typeof remittanceReport>

export const remittanceFilter = paging.extend({
  company_id: chosenIds.optional(),
  brand_id: chosenIds.optional(),
})
export type RemittanceFilter = z.output<typeof remittanceFilter>
export const remittancePage = z.object({
  items: z.array(remittanceView),
  total: z.number().int(),
  skip: z.number().int(),
  limit: z.number().int(),
})
export type RemittancePage = z.output<typeof remittancePage>

/** The queue of differences of all remittances. */
export const differenceFilter = remittanceFilter.extend({ remittance_id: id.optional() })
export type DifferenceFilter = z.output<typeof differenceFilter>
export const differencePage = remittancePage.extend({ items: z.array(remittanceLineView) })
export type DifferencePage = z.output<typeof differencePage>
export const differenceResolution = z.object({
  resolution: z.enum(RESOLUTIONS, 'Escolha o que fazer'),
  /** The claim meant, where none or several were found. */
  claim_id: id.optional(),
  note: text(500).min(1, 'Informe o motivo'),
})
export type DifferenceResolution = z.output<typeof differenceResolution>
