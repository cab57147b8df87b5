import { z } from 'zod'
import { id, optionalText, text } from '../fields.ts'
import { decisionView, submissionView } from './answers.ts'
import { WINDOW_EVENTS } from './deadlines.ts'
import { entryView } from './entries.ts'
import { positiveAmount } from './money.ts'
import { CLAIM_STATES, CLAIM_TYPES, LINE_KINDS } from './state.ts'
import { CLAIM_STEPS } from './steps.ts'

export const LINES_MAX = 200

const description = text(255).min(1, 'Descreva o item')
/** Of an appeal: the line of the claim before that is contested. */
const common = {
  description,
  claimed: positiveAmount.describe('Valor total do item, em R$.'),
  previous_line_id: id.nullable().optional(),
}
const decimal = (most: number, places: number, wrong: string) =>
  z
    .number(wrong)
    .positive(wrong)
    .max(most, 'Valor acima do máximo permitido')
    .refine((value) => Math.abs(Math.round(value * 10 ** places) - value * 10 ** places) < 1e-6, wrong)

export const partLine = z.object({
  kind: z.literal('part'),
  ...common,
  part_number: text(60).min(1, 'Informe o número da peça'),
  quantity: decimal(9_999_999, 3, 'Informe a quantidade, com até três casas decimais'),
  /** The part that caused the defect. */
  is_causal: z.boolean().optional(),
})
export const labourLine = z.object({
  kind: z.literal('labour'),
  ...common,
  labour_code: text(60).min(1, 'Informe o código de tempo (TMO)'),
  hours: decimal(9_999, 2, 'Informe as horas, com até duas casas decimais'),
})
export const thirdPartyLine = z.object({
  kind: z.literal('third_party'),
  ...common,
  supplier: optionalText(255),
  /** Number of the supplier's invoice. */
  document: optionalText(60),
})
export const claimLineInput = z.discriminatedUnion('kind', [partLine, labourLine, thirdPartyLine], {
  error: 'Tipo de item desconhecido',
})
export type ClaimLineInput = z.output<typeof claimLineInput>

const lines = z.array(claimLineInput).max(LINES_MAX, `Máximo de ${LINES_MAX} itens`)
/** One line at most is the causal part. */
const hasOneCausalPart = (list: readonly ClaimLineInput[]) =>
  list.filter((line) => line.kind === 'part' && line.is_causal).length <= 1
const claimLines = lines.refine(hasOneCausalPart, 'Só uma peça pode ser a causal')

/** A new claim of an order: type 1, or with the one before it type 2 or 3. It is a draft, which may still have no lines. */
export const claimInput = z
  .object({
    type: z.enum(CLAIM_TYPES, 'Tipo desconhecido'),
    previous_id: id.nullable().optional(),
    note: optionalText(5_000),
    lines: claimLines,
  })
  .refine(({ type, previous_id }) => (type === 'normal') === (previous_id == null), {
    path: ['previous_id'],
    error: 'Reconsideração e complemento nomeiam a solicitação anterior; a normal não tem anterior',
  })
export type ClaimInput = z.output<typeof claimInput>

/** An appeal of a claim; without lines, all that can be contested is carried over. */
export const appealInput = z.object({ note: optionalText(5_000), lines: claimLines.optional() })
export type AppealInput = z.output<typeof appealInput>

/** A change of a draft: lines, when given, replace all. */
export const claimChange = z.object({
  note: optionalText(5_000),
  lines: claimLines.optional(),
})
export type ClaimChange = z.output<typeof claimChange>
export const claimEdit = z.object({
  id,
  version: z.number().int().positive().optional(),
  change: claimChange,
})
export type ClaimEdit = z.output<typeof claimEdit>

/** A step with its reason: withdrawing, reconciling. */
export const claimReason = z.object({ reason: text(500).min(1, 'Informe o motivo') })
export type ClaimReason = z.output<typeof claimReason>

const sums = {
  claimed: z.number(),
  authorised: z.number(),
  paid: z.number(),
  debited: z.number(),
  written_off: z.number(),
  carried: z.number(),
}

export const claimLineView = z.object({
  id,
  n: z.number().int(),
  kind: z.enum(LINE_KINDS),
  previous_line_id: id.nullable(),
  description: z.string(),
  part_number: z.string().nullable(),
  quantity: z.number().nullable(),
  is_causal: z.boolean(),
  labour_code: z.string().nullable(),
  hours: z.number().nullable(),
  supplier: z.string().nullable(),
  document: z.string().nullable(),
  ...sums,
  /** Null until the brand has decided. */
  authorised: z.number().nullable(),
  reason: z.string().nullable(),
})
export type ClaimLineView = z.output<typeof claimLineView>

/** A row of the list. */
export const claimRow = z.object({
  id,
  order_id: id,
  os_number: z.string(),
  n: z.number().int(),
  type: z.enum(CLAIM_TYPES),
  state: z.enum(CLAIM_STATES),
  previous_id: id.nullable(),
  brand_number: z.string().nullable(),
  brand_id: id,
  brand: z.object({ id, display_name: z.string() }),
  company_id: id,
  company: z.object({ id, trading_name: z.string() }),
  ...sums,
  open_amount: z.number(),
  sent_at: z.string().nullable(),
  answered_at: z.string().nullable(),
  /** Calendar days since the first sending; null for a draft. */
  age_days: z.number().int().nullable(),
  due_on: z.string().nullable(),
  due_kind: z.string().nullable(),
  due_awaits: z
    .enum(WINDOW_EVENTS)
    .nullable()
    .describe('O fato de que correrá o prazo da reconsideração, enquanto não houve.'),
  credit_note_on: z.string().nullable(),
  mail_failed_at: z
    .string()
    .nullable()
    .describe('Quando o e-mail do último envio falhou de vez; `null` se saiu, ou se a marca já respondeu.'),
  created_at: z.string(),
  version: z.number().int(),
})
export type ClaimRow = z.output<typeof claimRow>

/** `total_is_exact` is false when the count stopped at 1 000, as for orders (D-55). */
export const claimPage = z.object({
  items: z.array(claimRow),
  total: z.number().int(),
  total_is_exact: z.boolean().describe('`false`: há mais resultados do que `total`.'),
  skip: z.number().int(),
  limit: z.number().int(),
})
export type ClaimPage = z.output<typeof claimPage>

/** A claim with everything that its page shows. */
export const claimView = claimRow.extend({
  note: z.string().nullable(),
  created_by: id.nullable(),
  actor_name: z.string(),
  lines: z.array(claimLineView),
  submissions: z.array(submissionView),
  decisions: z.array(decisionView),
  entries: z.array(entryView),
  /** The steps that the state allows and the caller may take. */
  steps: z.array(z.enum(CLAIM_STEPS)),
})
export type ClaimView = z.output<typeof claimView>

/**
 * What is different since the dossier that went along with a claim was sealed: names of the package's files, and
 * fields of the order that a dossier has.
 */
export const claimDifference = z.object({
  dossier_n: z.number().int(),
  sealed_at: z.string(),
  added: z.array(z.string()),
  removed: z.array(z.string()),
  changed: z.array(z.string()),
  fields: z.array(z.string()).describe('Campos da OS que mudaram.'),
})
export type ClaimDifference = z.output<typeof claimDifference>

/** The claims of an order, oldest first. */
export const orderClaims = z.object({ data: z.array(claimView), count: z.number().int() })
export type OrderClaims = z.output<typeof orderClaims>
