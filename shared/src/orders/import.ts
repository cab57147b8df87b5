import { z } from 'zod'
import { id, isStorable } from '../fields.ts'
import { integer } from '../format.ts'
import { IMPORT_FIELD_NAMES, type ImportField } from './import-line.ts'

/** Limits of a file of orders: its bytes, lines and columns, and the characters of a cell and of all together. */
export const IMPORT_LIMITS = {
  bytes: 10_000_000,
  lines: 10_000,
  columns: 200,
  cell: 10_000,
  text: 20_000_000,
} as const

export const TOO_MANY_COLUMNS = `No máximo ${IMPORT_LIMITS.columns} colunas.`
const TOO_MANY_LINES = `No máximo ${integer(IMPORT_LIMITS.lines)} linhas por arquivo: divida-o.`
/** The rows of a sheet as texts, with the headings first; empty rows are left out. */
export const sheetRows = z
  .array(
    z.object({
      line: z.number().int().positive(),
      cells: z
        .array(
          z
            .string()
            .max(IMPORT_LIMITS.cell, 'Uma célula tem texto demais.')
            .refine(isStorable, 'Uma célula tem caracteres inválidos.'),
        )
        .max(IMPORT_LIMITS.columns, TOO_MANY_COLUMNS),
    }),
  )
  .min(2, 'O arquivo não tem linhas abaixo dos títulos.')
  .max(IMPORT_LIMITS.lines + 1, TOO_MANY_LINES)
export type SheetRows = z.output<typeof sheetRows>

/** reading: queued to be read; read: waits for its mapping; running: orders are being opened. */
export const IMPORT_STATUSES = ['reading', 'read', 'running', 'done', 'failed'] as const
export type ImportStatus = (typeof IMPORT_STATUSES)[number]

const column = z.number('Escolha uma coluna').int().min(0).max(IMPORT_LIMITS.columns)
const mapping = z
  .object(
    Object.fromEntries(IMPORT_FIELD_NAMES.map((field) => [field, column.optional()])) as {
      [Field in ImportField]: z.ZodOptional<typeof column>
    },
  )
  .refine(({ os_number }) => os_number !== undefined, {
    message: 'Escolha a coluna do número da OS',
    path: ['os_number'],
  })

export const importCheck = z.object({ id, mapping, brand_id: id.nullable() })
export type ImportCheck = z.output<typeof importCheck>

/** valid: lines with problems are left out; all: one such line refuses the whole file. */
export const IMPORT_MODES = ['valid', 'all'] as const
/** By the columns that the person has checked, whatever others of the company have chosen meanwhile. */
export const importRun = importCheck.extend({ mode: z.enum(IMPORT_MODES, 'Escolha o que fazer') })
export type ImportRun = z.output<typeof importRun>

export const importView = z.object({
  id: z.number(),
  company_id: z.number(),
  company: z.string(),
  filename: z.string(),
  status: z.enum(IMPORT_STATUSES),
  /** Why the file could not be read or imported. */
  error: z.string().nullable(),
  headings: z.array(z.string()),
  /** The first lines, to recognise the columns by. */
  sample: z.array(z.array(z.string())),
  lines: z.number().int(),
  /** The last one used for these headings by the company, or the one proposed. */
  mapping: z.partialRecord(z.enum(IMPORT_FIELD_NAMES), z.number().int()),
  brand_id: z.number().nullable(),
  /** Lines that were dealt with. */
  progress: z.number().int(),
  created: z.number().int(),
  existing: z.number().int(),
  refused: z.number().int(),
  finished_at: z.string().nullable(),
  finished_by: z.string().nullable(),
  /** False once the content was removed: the file has to be sent again. */
  has_content: z.boolean(),
})
export type ImportView = z.output<typeof importView>

/** The dry run. Of the problems the first 200; the report as a file has all. */
export const importReport = z.object({
  lines: z.number().int(),
  valid: z.number().int(),
  /** Valid lines whose number the company has already: they change nothing. */
  existing: z.number().int(),
  refused: z.number().int(),
  problems: z.array(
    z.object({
      line: z.number().int(),
      os_number: z.string(),
      field: z.enum(IMPORT_FIELD_NAMES),
      value: z.string(),
      message: z.string(),
    }),
  ),
})
export type ImportReport = z.output<typeof importReport>
export const SHOWN_PROBLEMS = 200
