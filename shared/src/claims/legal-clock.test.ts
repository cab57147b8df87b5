import fc from 'fast-check'
import { expect, test } from 'vitest'
import { STATES } from '../br/states.ts'
import { isSimilarDefect, legalClock, type Visit, zoneOf } from './legal-clock.ts'

const SP = 'America/Sao_Paulo'
/** Noon in Brasília, so that the day is the same in every zone of Brazil. */
const at = (day: string) => new Date(`${day}T12:00:00-03:00`)
const visit = (from: string, until: string | null): Visit =>
  ({ from: at(from), until: until && at(until) }) as Visit
const clock = (visits: Visit[], now: string, zone = SP) => legalClock(visits, at(now), zone)

test('four visits of nine days are overdue', () => {
  const visits = [
    visit('2026-01-05', '2026-01-14'),
    visit('2026-02-02', '2026-02-11'),
    visit('2026-03-02', '2026-03-11'),
    visit('2026-04-06', '2026-04-15'),
  ]
  expect(clock(visits, '2026-11-01')).toEqual({
    days: 36,
    is_running: false,
    due_on: '2026-04-09',
    state: 'overdue',
  })
  expect(clock(visits.slice(0, 3), '2026-11-01')).toMatchObject({ days: 27, due_on: null, state: 'near' })
})

test.each<[string, Visit[], string, object]>([
  [
    'one visit that goes on',
    [visit('2026-05-01', null)],
    '2026-05-11',
    { days: 10, is_running: true, due_on: '2026-05-31', state: null },
  ],
  [
    'the day of arrival does not count',
    [visit('2026-05-01', null)],
    '2026-05-01',
    { days: 0, due_on: '2026-05-31' },
  ],
  [
    'the thirtieth day',
    [visit('2026-05-01', null)],
    '2026-05-31',
    { days: 30, state: 'overdue', due_on: '2026-05-31' },
  ],
  ['the day before it', [visit('2026-05-01', null)], '2026-05-30', { days: 29, state: 'near' }],
  [
    'repaired on the same day',
    [visit('2026-05-01', '2026-05-01')],
    '2026-09-01',
    { days: 0, state: null, due_on: null },
  ],
  [
    'two visits, the second goes on',
    [visit('2026-01-01', '2026-01-21'), visit('2026-03-01', null)],
    '2026-03-05',
    { days: 24, is_running: true, due_on: '2026-03-11', state: 'near' },
  ],
  [
    'overlapping visits count once',
    [visit('2026-01-01', '2026-01-11'), visit('2026-01-06', '2026-01-16')],
    '2026-02-01',
    { days: 15 },
  ],
  [
    'a visit within another adds nothing',
    [visit('2026-01-01', '2026-01-20'), visit('2026-01-05', '2026-01-08')],
    '2026-02-01',
    { days: 19 },
  ],
  [
    'visits that touch',
    [visit('2026-01-01', '2026-01-10'), visit('2026-01-10', '2026-01-20')],
    '2026-02-01',
    { days: 19 },
  ],
  [
    'reopened: it was not repaired',
    [visit('2026-01-01', null)],
    '2026-02-15',
    { days: 45, state: 'overdue', due_on: '2026-01-31' },
  ],
  [
    'over the end of a year',
    [visit('2025-12-20', null)],
    '2026-01-10',
    { days: 21, state: 'near', due_on: '2026-01-19' },
  ],
  ['over the end of a leap February', [visit('2028-02-20', '2028-03-05')], '2028-04-01', { days: 14 }],
  [
    'five visits',
    ['01', '03', '05', '07', '09'].map((month) => visit(`2026-${month}-01`, `2026-${month}-07`)),
    '2026-10-01',
    { days: 30, state: 'overdue', due_on: '2026-09-07' },
  ],
  [
    'a visit that begins later is left out',
    [visit('2026-05-01', '2026-05-04'), visit('2026-12-01', null)],
    '2026-06-01',
    { days: 3, is_running: false },
  ],
  [
    'a repair noted for later has not happened',
    [visit('2026-05-01', '2026-06-30')],
    '2026-05-11',
    { days: 10, is_running: true },
  ],
  ['no visit', [], '2026-05-11', { days: 0, is_running: false, due_on: null, state: null }],
])('%s', (_, visits, now, expected) => expect(clock(visits, now)).toMatchObject(expected))

test('each part of Brazil counts its own days', () => {
  // 1:30 in Brasília is 0:30 in Manaus, and 23:30 of the day before in Rio Branco.
  const visits = [{ from: new Date('2026-01-01T01:30:00-03:00'), until: null }]
  const now = new Date('2026-01-31T00:30:00-03:00')
  const found = (state: string) => legalClock(visits, now, zoneOf(state))
  expect(found('SP')).toMatchObject({ days: 30, due_on: '2026-01-31', state: 'overdue' })
  // In Manaus the vehicle came on 1 January at 0:30 and it is still 30 January.
  expect(found('AM')).toMatchObject({ days: 29, due_on: '2026-01-31', state: 'near' })
  // In Rio Branco it came on 31 December, and it is 30 January.
  expect(found('AC')).toMatchObject({ days: 30, due_on: '2026-01-30', state: 'overdue' })
  expect(new Set(STATES.map(zoneOf)).size).toBe(7)
  expect(zoneOf(null)).toBe(SP)
})

test('another limit of the company is kept, urgent from two thirds of it on', () => {
  const of = (day: string) => legalClock([visit('2026-05-01', null)], at(day), SP, 15)
  expect(of('2026-05-10')).toMatchObject({ days: 9, state: null, due_on: '2026-05-16' })
  expect(of('2026-05-11').state).toBe('near')
  expect(of('2026-05-16').state).toBe('overdue')
})

const DAY = 86_400_000
const START = at('2025-06-01').getTime()
const anyVisit = fc
  .tuple(fc.integer({ min: 0, max: 900 }), fc.option(fc.integer({ min: 0, max: 90 })))
  .map(([from, length]) => ({
    from: new Date(START + from * DAY),
    until: length === null ? null : new Date(START + (from + length) * DAY),
  }))
const anyVisits = fc.array(anyVisit, { maxLength: 5 })
const anyDay = fc.integer({ min: 0, max: 1_200 }).map((day) => new Date(START + day * DAY))

test('the days are those on which any visit was going on, whatever the order and overlap of the visits', () => {
  fc.assert(
    fc.property(anyVisits, anyDay, (visits, now) => {
      let counted = 0
      for (let day = START + DAY; day <= now.getTime(); day += DAY)
        if (
          visits.some(({ from, until }) => from.getTime() < day && (until === null || until.getTime() >= day))
        )
          counted++
      expect(legalClock(visits, now, SP).days).toBe(counted)
      expect(legalClock([...visits].reverse(), now, SP)).toEqual(legalClock(visits, now, SP))
    }),
  )
})

test('a day later the clock has risen by a day or not at all, and it is overdue exactly from the due day on', () => {
  fc.assert(
    fc.property(anyVisits, anyDay, (visits, now) => {
      const today = legalClock(visits, now, SP)
      const tomorrow = legalClock(visits, new Date(now.getTime() + DAY), SP)
      expect(tomorrow.days - today.days).toBeGreaterThanOrEqual(0)
      expect(tomorrow.days - today.days).toBeLessThanOrEqual(1)
      const day = now.toISOString().slice(0, 10)
      if (today.state === 'overdue') expect(today.due_on !== null && today.due_on <= day).toBe(true)
      else expect(today.due_on === null || today.due_on > day).toBe(true)
    }),
  )
})

test.each([
  ['Ruído na suspensão dianteira', 'Barulho/ruído suspensão dianteira ao passar em lombada', true],
  ['Cliente relata luz da injeção acesa', 'Cliente relata vazamento de óleo', false],
  ['Falha no módulo ABS', 'FALHA NO MODULO ABS (2ª vez)', true],
  ['', 'Falha no módulo', false],
  [null, null, false],
])('%s / %s: proposed as one defect: %s', (one, other, isOne) => {
  expect(isSimilarDefect(one, other)).toBe(isOne)
  expect(isSimilarDefect(other, one)).toBe(isOne)
})
