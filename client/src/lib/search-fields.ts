import { CHOSEN_MAX } from '@garantia/shared/orders/criteria'
import { z } from 'zod'

/** Search parameters of lists; an invalid one falls back to its default. */

/** Comma-separated list; unknown values are dropped. */
export const listOf = (isKnown: (one: string) => boolean) =>
  z.coerce
    .string()
    .transform((list) => [...new Set(list.split(','))].filter(isKnown).slice(0, CHOSEN_MAX).join(','))
    .default('')
    .catch('')
export const isId = (one: string) => /^[1-9]\d{0,14}$/.test(one)
export const number = (min: number, max: number) =>
  z.coerce.number().int().min(min).max(max).default(min).catch(min)
export const day = z
  .union([z.literal(''), z.iso.date()])
  .default('')
  .catch('')
export const pageSize = (sizes: readonly number[], usual: number) =>
  z.coerce
    .number()
    .refine((size) => sizes.includes(size))
    .default(usual)
    .catch(usual)
/** The values of a comma-separated filter. */
export const chosenOf = (list: string) => list.split(',').filter((one) => one !== '')
