import { isoDay, timeOfDay } from '@garantia/shared/format'
import { type IncidentContent, incidentContent, KNOWN_IN_FUTURE } from '@garantia/shared/privacy/incident'
import { formOf } from '../../../lib/forms.ts'

/** As it is typed: numbers and moments are texts, those of São Paulo. */
export type IncidentFields = {
  [Name in keyof IncidentContent]: IncidentContent[Name] extends boolean ? boolean : string
}

/** The value of a field for date and time; São Paulo has had no summer time since 2019. */
const localOf = (iso: string | null) => (iso ? `${isoDay(new Date(iso))}T${timeOfDay(iso)}` : '')
const momentOf = (local: string) => (local === '' ? null : `${local}:00-03:00`)
const countOf = (text: string) => (text.trim() === '' ? null : Number(text))

export function fieldsOf(content: IncidentContent): IncidentFields {
  const { known_at, authority_at, subjects_at, subjects_affected, subjects_total } = content
  return {
    ...content,
    known_at: localOf(known_at),
    authority_at: localOf(authority_at),
    subjects_at: localOf(subjects_at),
    subjects_affected: subjects_affected?.toString() ?? '',
    subjects_total: subjects_total?.toString() ?? '',
  }
}

const inputOf = (fields: IncidentFields) => ({
  ...fields,
  known_at: momentOf(fields.known_at) ?? '',
  authority_at: momentOf(fields.authority_at),
  subjects_at: momentOf(fields.subjects_at),
  subjects_affected: countOf(fields.subjects_affected),
  subjects_total: countOf(fields.subjects_total),
})
export const incidentForm = formOf<IncidentFields, IncidentContent>(
  incidentContent,
  inputOf,
  ({ known_at }) => ({
    known_at: known_at !== '' && new Date(`${known_at}:00-03:00`) > new Date() ? KNOWN_IN_FUTURE : null,
  }),
)

export const newIncident = (now: Date): IncidentContent => ({
  title: '',
  known_at: now.toISOString(),
  occurred: '',
  notice: 'undecided',
  is_small_agent: false,
  description: '',
  nature: '',
  subjects_affected: null,
  subjects_detail: '',
  subjects_total: null,
  measures: '',
  risks: '',
  mitigation: '',
  officer: '',
  controller: '',
  operator: '',
  delay_reason: '',
  authority_at: null,
  authority_protocol: '',
  subjects_at: null,
  is_closed: false,
})
export const INCIDENT_FIELDS = Object.keys(newIncident(new Date(0))) as (keyof IncidentFields)[]
