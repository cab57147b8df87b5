/** Brazilian formats of numbers, dates and sizes; all times are in São Paulo's time zone (D-13). */
export const TIME_ZONE = 'America/Sao_Paulo'

const money = new Intl.NumberFormat('pt-BR', { style: 'currency', currency: 'BRL' })
/** 1234.5 → «R$ 1.234,50», with an ordinary space, so that copied text compares equal. */
export const brl = (value: number) => money.format(value).replace(/\u00a0/g, ' ')

const whole = new Intl.NumberFormat('pt-BR', { maximumFractionDigits: 0 })
/** A whole number with thousands separators, rounded: 12345 → «12.345». */
export const integer = (value: number) => whole.format(value)
const tenths = new Intl.NumberFormat('pt-BR', { maximumFractionDigits: 1 })
/** With one decimal at most. */
export const decimal = (value: number) => tenths.format(value)

const day = new Intl.DateTimeFormat('pt-BR', {
  timeZone: TIME_ZONE,
  day: '2-digit',
  month: '2-digit',
  year: 'numeric',
})
const dateTimeFormat = new Intl.DateTimeFormat('pt-BR', {
  timeZone: TIME_ZONE,
  day: '2-digit',
  month: '2-digit',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
})
/** Date in São Paulo: «21/11/2026». */
export const date = (iso: string | Date) => day.format(new Date(iso))
/** A day written yyyy-mm-dd as dd/mm/aaaa, whatever the time zone. */
export const dayText = (day: string) => day.split('-').reverse().join('/')
/** Start of a day written dd/mm/aaaa, in São Paulo time; null when there is no such day. */
export function dayIn(text: string) {
  const [, day, month, year] = text.match(/^(\d{2})\/(\d{2})\/(\d{4})$/) ?? []
  const start = new Date(`${year}-${month}-${day}T00:00:00-03:00`)
  // Date would accept 31/02 as 3 March.
  return !Number.isNaN(start.getTime()) && date(start) === text ? start : null
}

const timeFormat = new Intl.DateTimeFormat('pt-BR', {
  timeZone: TIME_ZONE,
  hour: '2-digit',
  minute: '2-digit',
})
/** Hour and minute in São Paulo: «14:05». */
export const timeOfDay = (iso: string | Date) => timeFormat.format(new Date(iso))
/** Date and time in São Paulo: «21/11/2026, 14:05». */
export const dateTime = (iso: string | Date) => dateTimeFormat.format(new Date(iso))

/** The locale that writes a date as ISO 8601 does. */
const isoDayFormat = new Intl.DateTimeFormat('sv-SE', { timeZone: TIME_ZONE })
/** Calendar day in São Paulo as yyyy-mm-dd. */
export const isoDay = (at: Date) => isoDayFormat.format(at)
/** The same as yyyymmdd, for file names and day counts. */
export const calendarDay = (at: Date) => isoDay(at).replaceAll('-', '')
const DAY_MS = 86_400_000
/** Intl takes as long for one day as a row of a list takes for everything else, and the same rows come again. */
const dayNumbers = new Map<number, number>()
const MOST_REMEMBERED = 2_000
function dayNumber(at: Date) {
  const time = at.getTime()
  const known = dayNumbers.get(time)
  if (known !== undefined) return known
  if (dayNumbers.size >= MOST_REMEMBERED) dayNumbers.clear()
  const number = Date.parse(isoDay(at)) / DAY_MS
  dayNumbers.set(time, number)
  return number
}
/** The day so many days before another, both as yyyy-mm-dd. */
export const daysBefore = (day: string, days: number) =>
  new Date(Date.parse(`${day}T00:00:00Z`) - days * DAY_MS).toISOString().slice(0, 10)
/** Calendar days in São Paulo between two times, as deadlines are counted (D-13). */
export const calendarDaysBetween = (from: Date, to: Date) => dayNumber(to) - dayNumber(from)

/** One megabyte is 1 000 000 bytes, in limits and on display (D-53). */
export const MEGABYTE = 1_000_000

const UNITS = ['B', 'KB', 'MB', 'GB'] as const
const oneDecimal = new Intl.NumberFormat('pt-BR', { maximumFractionDigits: 1 })
/** A size in bytes with its unit: 1536000 → «1,5 MB». */
export function bytes(size: number) {
  let value = size
  let unit = 0
  while (unit < UNITS.length - 1 && Math.round(value * 10) / 10 >= 1000) {
    value /= 1000
    unit++
  }
  return `${oneDecimal.format(unit === 0 ? Math.round(value) : value)} ${UNITS[unit]}`
}

/** Seconds as minutes and seconds, rounded down: 250 → «4m10s». */
export function duration(seconds: number) {
  const total = Math.max(0, Math.floor(seconds))
  const minutes = Math.floor(total / 60)
  const rest = total % 60
  if (minutes === 0) return `${rest}s`
  return rest === 0 ? `${minutes}m` : `${minutes}m${String(rest).padStart(2, '0')}s`
}

/** A number with its noun in singular or plural: «1 foto», «2 fotos». */
export const counted = (n: number, one: string, many: string) => `${integer(n)} ${n === 1 ? one : many}`

/** How much smaller the converted file is, in whole percent, 0–100. */
export const percentSaved = (original: number, converted: number) =>
  original > 0 ? Math.max(0, Math.round((1 - converted / original) * 100)) : 0

/** Without accents. */
export const unaccented = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '')
/** As one looks for it: without accents and case. */
export const folded = (text: string) => unaccented(text).toLowerCase()
