import { z } from 'zod'
import { id, paging, text } from '../fields.ts'
import { day } from './metrics.ts'
import { CONVERSION_STATUSES, ORDER_STATUSES } from './status.ts'

/** Most values of one filter: a list of companies is the longest. */
export const CHOSEN_MAX = 100

const split = (list: string) => [...new Set(list.split(','))].filter((one) => one !== '')
export const chosenFrom = <T extends string>(known: readonly T[], unknown: string) =>
  z
    .string()
    .transform(split)
    .refine((list) => list.every((one) => known.includes(one as T)), unknown)
    .transform((list) => list as T[])

const ID = /^[1-9]\d{0,14}$/
const WRONG_IDS = 'Deve ser um número inteiro ou uma lista deles, separados por vírgula'
/** One id, or several, comma-separated. */
export const chosenIds = z.union(
  [
    id.transform((one) => [one]),
    z
      .string()
      .regex(/^[1-9]\d{0,14}(,[1-9]\d{0,14})*$/)
      .transform((list) => split(list).map(Number))
      .refine((list) => list.length <= CHOSEN_MAX, `Máximo de ${CHOSEN_MAX} por vez`),
  ],
  WRONG_IDS,
)

/** In the filter of responsible people: the caller, whoever that is, and nobody. */
export const MINE = 'me'
export const NOBODY = 'none'
const people = z
  .string()
  .transform(split)
  .refine((list) => list.every((one) => one === MINE || one === NOBODY || ID.test(one)), WRONG_IDS)
  .refine((list) => list.length <= CHOSEN_MAX, `Máximo de ${CHOSEN_MAX} por vez`)

const days = z.number().int().min(0).max(10_000)

/** Filter of the order list; each list is comma-separated in an address (D-28). */
export const orderCriteria = z.object({
  search: text(200).optional(),
  status: chosenFrom(ORDER_STATUSES, 'Status desconhecido').optional(),
  brand_id: chosenIds.optional(),
  company_id: chosenIds.optional(),
  conversion_status: chosenFrom(CONVERSION_STATUSES, 'Status de conversão desconhecido').optional(),
  /** Ids of responsible people, `me` for the caller, `none` for open orders that nobody is responsible for. */
  responsible: people.optional(),
  /** Opening days in São Paulo, both inclusive; no order lies in a period that ends before it starts. */
  start_date: day.optional(),
  end_date: day.optional(),
  /** Orders that are not closed and have been open for at least, or at most, this many calendar days. */
  min_days_open: days.optional(),
  max_days_open: days.optional(),
})
export type OrderCriteria = z.output<typeof orderCriteria>

export const ORDER_SORTS = ['opened_at', 'os_number', 'customer_name', 'total_value'] as const
export type OrderSort = (typeof ORDER_SORTS)[number]
export const DIRECTIONS = ['asc', 'desc'] as const
export type Direction = (typeof DIRECTIONS)[number]

/** Filter, sorting and page of the order list; newest first by default. */
export const orderFilter = paging.extend({
  ...orderCriteria.shape,
  sort: z.enum(ORDER_SORTS).optional(),
  direction: z.enum(DIRECTIONS).optional(),
})
export type OrderFilter = z.output<typeof orderFilter>

/** Rows of a page of the list: the first unless a person chooses another. */
export const ORDER_PAGE_SIZES = [10, 25, 50, 100] as const
export const ORDER_PAGE_SIZE = ORDER_PAGE_SIZES[0]

/** The list over REST, whose clients may ask for the number of all matches of a search (D-55). */
export const orderListQuery = orderFilter.extend({
  exact_total: z
    .boolean('Use true ou false')
    .optional()
    .describe(
      'Conta todos os resultados: 503 se demorar mais de 2 s. Sem isto, acima de 1.000 o total é 1.000.',
    ),
})
export type OrderListQuery = z.output<typeof orderListQuery>
