import { expect, test } from 'vitest'
import { type IncidentContent, incidentContent, incidentState, noticeDeadline } from './incident.ts'

const incident: IncidentContent = {
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
}

test('the deadline is the third business day after knowledge, by the calendar of São Paulo', () => {
  expect(noticeDeadline(incident)).toBe('2026-11-24')
  expect(noticeDeadline({ ...incident, is_small_agent: true })).toBe('2026-11-27')
})

test('the state follows the deadline, until both were told', () => {
  const at = (iso: string, change: Partial<IncidentContent> = {}) =>
    incidentState({ ...incident, ...change }, new Date(iso))
  expect(at('2026-11-24T23:59:00-03:00')).toBe('running')
  expect(at('2026-11-25T00:01:00-03:00')).toBe('late')
  const authority_at = '2026-11-20T10:00:00-03:00'
  expect(at('2026-11-25T00:01:00-03:00', { authority_at })).toBe('late')
  expect(at('2026-11-25T00:01:00-03:00', { authority_at, subjects_at: authority_at })).toBe('told')
  expect(at('2026-11-25T00:01:00-03:00', { notice: 'not_required' })).toBe('not_required')
  expect(at('2026-11-25T00:01:00-03:00', { is_closed: true })).toBe('closed')
})

test('nobody can be told before it was known', () => {
  const { error } = incidentContent.safeParse({ ...incident, authority_at: '2026-11-18T10:00:00-03:00' })
  expect(error?.issues).toMatchObject([{ path: ['authority_at'] }])
})
