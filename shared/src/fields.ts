import { z } from 'zod'
import { isMasked, MASKED_VALUE } from './br/mask.ts'
import { isPhone } from './br/phone.ts'
import { bareDigits } from './br/tax-id.ts'

/** Largest id accepted, safe as a JSON number; ids are bigint identities in the database. */
export const id = z
  .number('Deve ser um número')
  .int('Deve ser um número inteiro')
  .positive('Deve ser maior que zero')
  .max(999_999_999_999_999)
export const byId = z.object({ id })

const NUL = String.fromCharCode(0)
/** PostgreSQL can neither store nor compare U+0000 and unpaired surrogates. */
export const isStorable = (value: string) => !value.includes(NUL) && !/\p{Surrogate}/u.test(value)

/** At most the first `most` UTF-16 units of a text, without half of a character, which cannot be stored. */
export const beginningOf = (value: string, most: number) =>
  value.slice(0, most).replace(/\p{Surrogate}$/u, '')

/** A trimmed text of at most `max` characters that PostgreSQL can store. */
export const text = (max: number, tooLong = `Máximo de ${max} caracteres`) =>
  z.string('Deve ser um texto').trim().max(max, tooLong).refine(isStorable, 'Contém caracteres inválidos')

/** Like `text`, but optional: blank is stored as null, so that "" and null mean the same. */
export const optionalText = (max: number) => nullWhenBlank(text(max))

/** Makes a text field optional and turns "" into null. */
export const nullWhenBlank = <T extends z.ZodType<string>>(field: T) =>
  field
    .transform((value) => (value === '' ? null : value))
    .nullable()
    .optional()

/** A text that is not the masked form of a value: what somebody was shown must not overwrite what they were not. */
export const unmaskedText = (max: number) =>
  text(max).refine((value) => !isMasked(value), { error: MASKED_VALUE, abort: true })

/** Accepted in any usual form, stored as digits, shown with its mask (D-52). */
export const phone = nullWhenBlank(
  unmaskedText(30)
    .refine((value) => value === '' || isPhone(value), 'Telefone inválido')
    .transform(bareDigits),
)

/** API paging: skip ≥ 0 rows, limit 1..100. The query defaults to skip 0 and limit 100. */
export const paging = z.object({
  skip: z.number().int().min(0).max(10_000_000).optional(),
  limit: z.number().int().min(1).max(100).optional(),
})
export const DEFAULT_LIMIT = 100

/** Response envelope for lists of users, companies and brands. */
export const listOf = <T extends z.ZodType>(item: T) =>
  z.object({ data: z.array(item), count: z.number().int() })
