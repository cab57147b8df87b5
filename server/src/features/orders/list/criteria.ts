import { daysBefore, isoDay, TIME_ZONE } from '@garantia/shared/format'
import { MINE, NOBODY, type OrderCriteria } from '@garantia/shared/orders/criteria'
import { isMaskedWhole, SHOWN_END, seesListsWhole } from '@garantia/shared/orders/masking'
import {
  CONVERSION_STATUSES,
  isClosed,
  OPEN_STATUSES,
  ORDER_STATUSES,
  type OrderStatus,
} from '@garantia/shared/orders/status'
import type { Actor } from '@garantia/shared/policy'
import { sql } from 'kysely'
import type { Ctx } from '../../../kernel/context.ts'
import { scopeIn, within } from '../../../kernel/scope.ts'

/** What criteria come to; the criteria of a query that is prepared have it in place of what it follows from. */
export interface Resolved {
  words?: SearchWords | undefined
  days?: OpeningDays | undefined
  /** Whether only orders that are not closed match. */
  is_open?: boolean | undefined
  people?: People | undefined
}

/** The words of a search: LIKE patterns that an index looks for, and numbers that the rows it finds must contain. */
export interface SearchWords {
  patterns: readonly string[]
  numbers: readonly string[]
  /** All words, where what the caller sees masked must not be found by a part of it. */
  limited: readonly string[]
}
/** Whether a search contains a word. */
export const hasWords = (search: string | undefined) => wordsOf(search).length > 0

/**
 * The words of a search by this caller; without any there are no patterns. Who sees lists masked is recorded with each
 * word that is a whole document, phone or chassis, of which the record has the end.
 */
export function searchWords(ctx: Searching, search: string | undefined): SearchWords {
  const words = wordsOf(search).map(bare)
  const isWhole = seesListsWhole(ctx.actor)
  for (const word of isWhole ? [] : words.filter(isMaskedWhole))
    ctx.securityLog?.note(ctx, {
      kind: 'customer.searched',
      details: { ends: word.slice(-SHOWN_END.customer_document) },
    })
  return {
    patterns: words.flatMap((word) => (LONG_NUMBER.test(word) ? endsOf(word) : pattern(word))),
    numbers: words.filter((word) => LONG_NUMBER.test(word)),
    limited: isWhole ? [] : words,
  }
}
/** Whose search it is, and where it is recorded. */
export type Searching = Pick<Ctx, 'actor' | 'clock'> & Partial<Pick<Ctx, 'securityLog' | 'origin'>>

/** Whether a search column contains all words. */
export const containsWords = (column: string, { patterns, numbers }: SearchWords) =>
  sql<boolean>`${sql.join(
    [
      ...patterns.map((one) => sql`${sql.ref(column)} like fold(${one})`),
      ...numbers.map((one) => sql`strpos(${sql.ref(column)}, ${one}) > 0`),
    ],
    sql` and `,
  )}`

/**
 * The parts of the search column, which indexes of a company contain (28): number and name, then document, plate, the
 * plate in the other pattern, chassis and phone, which have no spaces.
 */
const nthLast = (n: number) => sql`split_part(service_orders.search, ' ', ${sql.lit(-n)})`
const PHONE = nthLast(1)
const CHASSIS = nthLast(2)
const OTHER_PLATE = nthLast(3)
const PLATE = nthLast(4)
const DOCUMENT = nthLast(5)
const NUMBER_AND_NAME = sql`regexp_replace(service_orders.search, '( [^ ]*){5}$', '')`
const MASKED = [
  [CHASSIS, SHOWN_END.vehicle_chassis],
  [DOCUMENT, SHOWN_END.customer_document],
  [PHONE, SHOWN_END.customer_phone],
] as const
/**
 * Whether each word is in what an order shows to everybody, or is the whole, or the shown end, of what it masks:
 * otherwise a person could find out the masked signs one after the other. `own` is a further text that is shown.
 */
export const areFoundOpenly = (words: readonly string[], own = sql`''`) =>
  sql<boolean>`${sql.join(
    words.map(
      (word) => sql`(
        strpos(${NUMBER_AND_NAME} || ' ' || ${PLATE} || ' ' || ${OTHER_PLATE} || ' ' || fold(coalesce(${own}, '')),
          fold(${word})) > 0
        or fold(${word}) in (${sql.join(
          MASKED.flatMap(([value, shown]) => [value, sql`right(${value}, ${sql.lit(shown)})`]),
        )}))`,
    ),
    sql` and `,
  )}`

const LONG_NUMBER = /^\d{6,}$/
/**
 * Three trigrams are enough to find a number. Each of them is in every fortieth order, and reading through the lists of
 * all, four of an OS number and nine of a CPF, is what such a search takes.
 */
const endsOf = (number: string) => [`%${number.slice(0, 4)}%`, `%${number.slice(-3)}%`]

/** Without the punctuation of masks (529.982.247-25, ABC-1234) if it has a digit; a hyphen in a surname stays. */
const bare = (word: string) => (/\d/.test(word) ? word.replace(/[.\-/()]/g, '') : word)
/** Words of one or two letters have no inner trigram, so they match only the start of a word. */
function pattern(word: string) {
  const literal = word.replace(/[\\%_]/g, '\\$&')
  return word.length < 3 ? `% ${literal}%` : `%${literal}%`
}
const wordsOf = (search = '') => search.split(/\s+/).filter((word) => word.replace(/[.\-/()]/g, '') !== '')

/** Whether the criteria contain a search word. */
export const isSearch = ({ search }: OrderCriteria) => hasWords(search)

/** Whether counts can be read from the sums, which are kept per company, brand, status and opening day. */
export const isCoveredByTotals = (criteria: OrderCriteria) =>
  !isSearch(criteria) && !criteria.conversion_status?.length && !criteria.responsible?.length

/** Opening days in São Paulo as yyyy-mm-dd, both inclusive; an absent one is no limit. */
export interface OpeningDays {
  from?: string | undefined
  until?: string | undefined
}
/** The days in which an order that meets the criteria was opened. */
export function openingDays({ clock }: Pick<Ctx, 'clock'>, criteria: OrderCriteria): OpeningDays {
  const { start_date, end_date, min_days_open, max_days_open } = criteria
  const daysAgo = (days: number | undefined) =>
    days === undefined ? undefined : daysBefore(isoDay(clock()), days)
  const known = (...days: (string | undefined)[]) => days.filter((day) => day !== undefined).sort()
  return {
    from: known(start_date, daysAgo(max_days_open)).at(-1),
    until: known(end_date, daysAgo(min_days_open))[0],
  }
}

/** Days open are those of orders that are not closed. */
export const isOfOpenOnes = ({ min_days_open, max_days_open }: OrderCriteria) =>
  min_days_open !== undefined || max_days_open !== undefined

/** The statuses of orders that meet the criteria; undefined for all. */
export function statusesOf(criteria: OrderCriteria): OrderStatus[] | undefined {
  const { status } = criteria
  if (!isOfOpenOnes(criteria)) return status?.length ? status : undefined
  return status?.length ? status.filter((one) => !isClosed(one)) : OPEN_STATUSES
}

/** The people of a filter, each once, with the caller's id in place of `me`; and whether nobody is one of them. */
export function peopleFor(actor: Actor, people: readonly string[] | undefined): People | undefined {
  if (!people?.length) return undefined
  const me = actor.kind === 'user' ? actor.id : 0
  const named = people.filter((one) => one !== NOBODY).map((one) => (one === MINE ? me : Number(one)))
  return { ids: [...new Set(named)], includesNobody: people.includes(NOBODY) }
}
export interface People {
  ids: readonly number[]
  includesNobody: boolean
}

/**
 * Written as literals, in one order and each once: a plan that is kept is one for these values, which are of very
 * unequal number, and can use a partial index.
 */
export function isOneOf<T extends string>(column: string, all: readonly T[], chosen: readonly T[]) {
  const literals = all.filter((one) => chosen.includes(one)).map((one) => sql.lit(one))
  return literals.length === 0
    ? sql<boolean>`false`
    : sql<boolean>`${sql.ref(column)} in (${sql.join(literals)})`
}

/** What a query for orders depends on besides its criteria. */
export type Asking = Searching & Pick<Ctx, 'db'>

/**
 * A query for the orders in the caller's scope, not deleted, that match the criteria. Days open are calendar days
 * in São Paulo and only those of orders that are not closed.
 */
export function matching(
  ctx: Asking,
  criteria: OrderCriteria & Resolved,
  scope = scopeIn(ctx.actor, criteria.company_id),
) {
  const { search, status, brand_id, conversion_status, responsible } = criteria
  const {
    words = searchWords(ctx, search),
    days = openingDays(ctx, criteria),
    is_open = isOfOpenOnes(criteria),
    people = peopleFor(ctx.actor, responsible),
  } = criteria
  let query = ctx.db
    .selectFrom('service_orders')
    .where('service_orders.deleted_at', 'is', null)
    .where(within(scope, 'service_orders.company_id'))
  if (status?.length) query = query.where(isOneOf('service_orders.status', ORDER_STATUSES, status))
  if (brand_id?.length) query = query.where(isAnyOf('service_orders.brand_id', brand_id))
  if (conversion_status?.length)
    query = query.where(isOneOf('conversion_status', CONVERSION_STATUSES, conversion_status))
  if (people) query = query.where(isResponsible(people))
  // As it stands in the condition of the index of open orders.
  if (is_open) query = query.where(sql<boolean>`service_orders.status not in ('completed', 'cancelled')`)
  if (days.from !== undefined) query = query.where('service_orders.opened_at', '>=', startOfDay(days.from))
  if (days.until !== undefined)
    query = query.where('service_orders.opened_at', '<', startOfDay(days.until, 1))
  if (words.patterns.length > 0) query = query.where(containsWords('service_orders.search', words))
  if (words.limited.length > 0) query = query.where(areFoundOpenly(words.limited))
  return query
}

/** The first moment of a calendar day in São Paulo, or of the day after it. */
export const startOfDay = (day: string, later = 0) => sql<Date>`
  ((${day}::date + ${sql.lit(later)})::timestamp at time zone ${sql.lit(TIME_ZONE)})`

/** An equality for a single id, as only then an index on the column returns rows in its order. */
export const isAnyOf = (column: string, ids: readonly number[]) =>
  ids.length === 1
    ? sql<boolean>`${sql.ref(column)} = ${ids[0]}`
    : sql<boolean>`${sql.ref(column)} = any(${[...ids]}::bigint[])`

function isResponsible({ ids, includesNobody }: People) {
  const column = 'service_orders.responsible_user_id'
  const somebody = isAnyOf(column, ids)
  if (!includesNobody) return somebody
  // Only open orders need somebody; they have an index that knows who is responsible, the others none.
  const nobody = sql<boolean>`(${sql.ref(column)} is null
    and service_orders.status not in ('completed', 'cancelled'))`
  return ids.length === 0 ? nobody : sql<boolean>`(${nobody} or ${somebody})`
}
