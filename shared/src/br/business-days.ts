const DAY_MS = 86_400_000
const isoOf = (time: number) => new Date(time).toISOString().slice(0, 10)

/** Easter Sunday of the Gregorian calendar (Meeus, Jones, Butcher). */
function easter(year: number) {
  const a = year % 19
  const b = Math.floor(year / 100)
  const c = year % 100
  const d = b - Math.floor(b / 4) - Math.floor((b - Math.floor((b + 8) / 25) + 1) / 3)
  const h = (19 * a + d + 15) % 30
  const l = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - h - (c % 4)) % 7
  const m = Math.floor((a + 11 * h + 22 * l) / 451)
  const n = h + l - 7 * m + 114
  return Date.UTC(year, Math.floor(n / 31) - 1, (n % 31) + 1)
}

/** Leis 662/1949, 6.802/1980 and 14.759/2023 (20 November, since 2024). */
const FIXED = ['01-01', '04-21', '05-01', '09-07', '10-12', '11-02', '11-15', '12-25']
const CONSCIOUSNESS = '11-20'

/**
 * National holidays of a year as yyyy-mm-dd, Good Friday with them. Carnival and Corpus Christi are optional days of
 * the public service: counted as business days, so that a deadline is rather too early than too late.
 */
export const nationalHolidays = (year: number): readonly string[] =>
  [
    ...[...FIXED, ...(year >= 2024 ? [CONSCIOUSNESS] : [])].map((day) => `${year}-${day}`),
    isoOf(easter(year) - 2 * DAY_MS),
  ].sort()

/** Whether a day, yyyy-mm-dd, is neither at a weekend nor a national holiday. */
export function isBusinessDay(day: string) {
  const at = new Date(`${day}T00:00:00Z`)
  const isWeekend = at.getUTCDay() === 0 || at.getUTCDay() === 6
  return !isWeekend && !nationalHolidays(at.getUTCFullYear()).includes(day)
}

/** The nth business day after a day, which is itself not counted (Lei 9.784/1999, art. 66). */
export function businessDayAfter(day: string, n: number): string {
  let time = Date.parse(`${day}T00:00:00Z`)
  for (let left = n; left > 0; ) {
    time += DAY_MS
    if (isBusinessDay(isoOf(time))) left--
  }
  return isoOf(time)
}
