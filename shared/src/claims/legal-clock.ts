import { folded } from '../format.ts'
import { deadlineOf, LEGAL_DAYS } from '../orders/status.ts'

/**
 * The 30 days of the consumer code (CDC, art. 18 §1º) from the first manifestation of a defect to its effective repair.
 * Visits of the same vehicle for the same defect add up (STJ, REsp 1.684.132): the days between two visits do not
 * count, those that two visits share count once. Waiting for a part, or a loan car, stops nothing.
 */
export interface Visit {
  /** When the vehicle came. */
  from: Date
  /** When it was effectively repaired; null while it is not, also after an order was reopened. */
  until: Date | null
}

export interface LegalClock {
  /** Days counted so far, over all visits. */
  days: number
  /** Whether a visit is going on, so that the days rise. */
  is_running: boolean
  /** The day on which the limit is reached if the visit goes on, or was reached; null when neither is known. */
  due_on: string | null
  /** Null while there is time. */
  state: 'near' | 'overdue' | null
}

/** Time zones of Brazil by state; the others have that of Brasília. Since 2019 none has summer time. */
export const ZONE_OF_STATE: Readonly<Record<string, string>> = {
  AC: 'America/Rio_Branco',
  AM: 'America/Manaus',
  MS: 'America/Campo_Grande',
  MT: 'America/Cuiaba',
  RO: 'America/Porto_Velho',
  RR: 'America/Boa_Vista',
}
/** The time zone of a company, by its state. */
export const zoneOf = (state: string | null) => ZONE_OF_STATE[state ?? ''] ?? 'America/Sao_Paulo'

const DAY_MS = 86_400_000
const formats = new Map<string, Intl.DateTimeFormat>()
/** Calendar day in a time zone as yyyy-mm-dd. */
export function calendarDayIn(at: Date, zone: string) {
  const format = formats.get(zone) ?? new Intl.DateTimeFormat('sv-SE', { timeZone: zone })
  formats.set(zone, format)
  return format.format(at)
}
const dayNumber = (at: Date, zone: string) => Date.parse(calendarDayIn(at, zone)) / DAY_MS
const dayOf = (number: number) => new Date(number * DAY_MS).toISOString().slice(0, 10)

interface Stay {
  first: number
  last: number
}
/** Stays in the order of time, those that touch or overlap as one. */
function merged(stays: readonly Stay[]): Stay[] {
  const result: Stay[] = []
  for (const stay of [...stays].sort((a, b) => a.first - b.first)) {
    const before = result.at(-1)
    if (before && stay.first <= before.last) before.last = Math.max(before.last, stay.last)
    else result.push({ ...stay })
  }
  return result
}

/**
 * How the visits stand to the limit at a moment. The day on which a vehicle comes does not count, the last one does
 * (Código Civil, art. 132); days are those of the calendar in `zone`. Visits that begin later are left out.
 */
export function legalClock(
  visits: readonly Visit[],
  now: Date,
  zone: string,
  limit: number = LEGAL_DAYS,
): LegalClock {
  const today = dayNumber(now, zone)
  const begun = visits.filter(({ from }) => from <= now)
  const is_running = begun.some(({ until }) => until === null || until > now)
  const stays = merged(
    begun.map(({ from, until }) => ({
      first: dayNumber(from, zone),
      last: until === null || until > now ? today : Math.max(dayNumber(until, zone), dayNumber(from, zone)),
    })),
  )
  const days = stays.reduce((sum, { first, last }) => sum + last - first, 0)
  const state = days >= limit ? 'overdue' : limit === LEGAL_DAYS ? deadlineOf(days) : nearOf(days, limit)
  return { days, is_running, due_on: dueOn(stays, limit, is_running), state }
}

/** With another limit, urgent from two thirds of it on, as 20 are of 30. */
const nearOf = (days: number, limit: number) => (days * 3 >= limit * 2 ? 'near' : null)

function dueOn(stays: readonly Stay[], limit: number, is_running: boolean) {
  let left = limit
  for (const { first, last } of stays) {
    if (last - first >= left) return dayOf(first + left)
    left -= last - first
  }
  const current = stays.at(-1)
  return is_running && current ? dayOf(current.last + left) : null
}

/** Visits are proposed as one defect when the vehicle came again within so many months. */
export const SAME_DEFECT_MONTHS = 12
const SAME_DEFECT_SHARE = 0.5
const MEANINGLESS = new Set([
  'cliente',
  'veiculo',
  'relata',
  'relatou',
  'informa',
  'apresenta',
  'para',
  'quando',
])
const wordsOf = (description: string) =>
  new Set(
    (folded(description).match(/[a-z0-9]{4,}/g) ?? [])
      .filter((word) => !MEANINGLESS.has(word))
      .map((word) => word.replace(/(?:oes|ao|as|os|es|a|o|s)$/, '')),
  )

/** Whether two descriptions of a problem are alike enough to propose that they are of one defect: half of the words of the shorter one. */
export function isSimilarDefect(one: string | null, other: string | null) {
  const [short = new Set(), long = new Set()] = [wordsOf(one ?? ''), wordsOf(other ?? '')].sort(
    (a, b) => a.size - b.size,
  )
  const shared = [...short].filter((word) => long.has(word)).length
  return shared > 0 && shared / short.size >= SAME_DEFECT_SHARE
}
