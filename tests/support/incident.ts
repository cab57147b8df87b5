import type { IncidentContent } from '@garantia/shared/privacy/incident'

/** What a report of an incident says when only what is required was filled in. */
export const incident = (fields: Partial<IncidentContent> = {}): IncidentContent => ({
  title: 'Notebook furtado',
  known_at: '2026-11-18T22:30:00-03:00',
  occurred: '',
  notice: 'undecided',
  is_small_agent: false,
  description: 'Furto no pátio',
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
  ...fields,
})
