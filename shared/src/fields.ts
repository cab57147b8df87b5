import { z } from 'zod'
import { isPhone } from './br/phone.ts'
import { bareDigits } from './br/tax-id.ts'

/** Largest JSON-safe id we hand out; ids are bigint identities in the database. */
export const id = z
  .number('Deve ser um número')
  .int('Deve ser um número inteiro')
  .positive('Deve ser maior que zero')
  .max(999_999_999_999_999)
export const byId = z.object({ id })

const NUL = String.fromCharCode(0)
/** PostgreSQL holds neither U+0000 nor half a surrogate pair, nor compares with them. */
export const isStorable = (value: string) => !value.includes(NUL) && !/\p{Surrogate}/u.test(value)

/** Text that PostgreSQL can hold: trimmed, bounded, without NUL. */
export const text = (max: number, tooLong = `Máximo de ${max} caracteres`) =>
  z.string('Deve ser um texto').trim().max(max, tooLong).refine(isStorable, 'Contém caracteres inválidos')

/** A blank optional text is stored as null, so that "" and absent mean the same. */
export const optionalText = (max: number) => nullWhenBlank(text(max))

export const nullWhenBlank = <T extends z.ZodType<string>>(field: T) =>
  field
    .transform((value) => (value === '' ? null : value))
    .nullable()
    .optional()

/** Typed in any usual way, kept as digits, shown with its mask (D-52). */
export const phone = nullWhenBlank(
  text(30)
    .refine((value) => value === '' || isPhone(value), 'Telefone inválido')
    .transform(bareDigits),
)

/** API paging: skip ≥ 0 rows, limit 1..100. Absent means skip 0 and limit 100; the reader applies it. */
export const paging = z.object({
  skip: z.number().int().min(0).max(10_000_000).optional(),
  limit: z.number().int().min(1).max(100).optional(),
})
export const DEFAULT_LIMIT = 100

/** The list envelope of users, companies and brands. */
export const listOf = <T extends z.ZodType>(item: T) =>
  z.object({ data: z.array(item), count: z.number().int() })
