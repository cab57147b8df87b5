import { date, dayIn, isoDay, timeOfDay } from '@garantia/shared/format'

export const WRONG_DAY = 'Informe uma data válida, dd/mm/aaaa'
export const WRONG_MOMENT = 'Informe data e hora, dd/mm/aaaa hh:mm'

/** A typed day as yyyy-mm-dd; null when blank; what is no day stays for the schema to refuse. */
export const typedDay = (text: string) => {
  if (text.trim() === '') return null
  const day = dayIn(text)
  return day ? isoDay(day) : text
}
/** The message for a typed day that does not exist; null for a blank one. */
export const wrongDay = (text: string) => (text.trim() === '' || dayIn(text) ? null : WRONG_DAY)

/** A moment as it is typed, in São Paulo time: «21/11/2026 14:05». */
export const momentText = (iso: string | null) => (iso === null ? '' : `${date(iso)} ${timeOfDay(iso)}`)
/** A typed moment, ISO; null when blank; undefined when there is no such moment. */
export function typedMoment(text: string) {
  if (text.trim() === '') return null
  const [, day = '', hours, minutes] = text.match(/^(\S+) ([01]\d|2[0-3]):([0-5]\d)$/) ?? []
  const start = dayIn(day)
  return start
    ? new Date(start.getTime() + (Number(hours) * 60 + Number(minutes)) * 60_000).toISOString()
    : undefined
}
