import { z } from 'zod'

/** Most months of one report. */
export const REPORT_MONTHS_MAX = 12

const month = z
  .string('Deve ser um mês (aaaa-mm)')
  .regex(/^(19|20)\d{2}-(0[1-9]|1[0-2])$/, { error: 'Deve ser um mês (aaaa-mm)', abort: true })

const MONTHS_OF_A_YEAR = 12
/** Months since the year 0, for a month as yyyy-mm. */
const numberOf = (text: string) => {
  const [year = 0, ofYear = 0] = text.split('-').map(Number)
  return year * MONTHS_OF_A_YEAR + ofYear - 1
}
const textOf = (number: number) =>
  `${Math.floor(number / MONTHS_OF_A_YEAR)}-${String((number % MONTHS_OF_A_YEAR) + 1).padStart(2, '0')}`
/** The month so many months after another, both as yyyy-mm. */
export const monthsAfter = (text: string, months: number) => textOf(numberOf(text) + months)
/** Both months and those between them, oldest first, as yyyy-mm. */
export const monthsBetween = (from: string, until: string) =>
  Array.from({ length: Math.max(0, numberOf(until) - numberOf(from) + 1) }, (_, index) =>
    monthsAfter(from, index),
  )

/** Calendar months in São Paulo, both inclusive. */
export const reportPeriod = z
  .object({ from: month, until: month })
  .refine(({ from, until }) => from <= until, {
    path: ['until'],
    error: 'O fim do período não pode vir antes do início',
  })
  .refine(({ from, until }) => numberOf(until) - numberOf(from) < REPORT_MONTHS_MAX, {
    path: ['until'],
    error: `Escolha no máximo ${REPORT_MONTHS_MAX} meses`,
  })
export type ReportPeriod = z.output<typeof reportPeriod>

/** What each line of a report counts, in the order of its columns (DECISIONS 152). */
export const REPORT_FIGURES = ['opened', 'completed', 'ready', 'refused'] as const
export type ReportFigure = (typeof REPORT_FIGURES)[number]
export const REPORT_FIGURE: Record<ReportFigure, { label: string; meaning: string }> = {
  opened: { label: 'Abertas', meaning: 'OS abertas no período.' },
  completed: { label: 'Concluídas', meaning: 'OS concluídas no período, qualquer que seja a abertura.' },
  ready: { label: 'Prontas', meaning: 'OS cujo pacote ficou pronto no período e continua disponível.' },
  refused: {
    label: 'Recusadas',
    meaning: 'Arquivos cuja conversão foi recusada ou falhou no período e que continuam assim.',
  },
}
export const NOBODY_RESPONSIBLE = 'Sem responsável'

const count = z.number().int()
const reportFigures = z.object({ opened: count, completed: count, ready: count, refused: count })
export type ReportFigures = z.output<typeof reportFigures>

/** One line; `id` is null for orders without a responsible person. */
const reportLine = reportFigures.extend({ id: z.number().nullable(), name: z.string() })
export type ReportLine = z.output<typeof reportLine>

/** The same facts by month, by brand, by company and by responsible person: each part adds up to `total`. */
export const monthlyReport = z.object({
  from: z.string(),
  until: z.string(),
  total: reportFigures,
  months: z.array(reportFigures.extend({ month: z.string() })),
  brands: z.array(reportLine),
  companies: z.array(reportLine),
  people: z.array(reportLine),
})
export type MonthlyReport = z.output<typeof monthlyReport>

const monthName = new Intl.DateTimeFormat('pt-BR', { timeZone: 'UTC', month: 'long', year: 'numeric' })
/** 2026-11 → «novembro de 2026». */
export const monthText = (text: string) => monthName.format(new Date(`${text}-01T00:00:00Z`))
