import { afterEach, expect, test, vi } from 'vitest'
import { dueText } from './claim-words.ts'

afterEach(() => vi.useRealTimers())

test.each([
  ['2026-11-22T12:00:00-03:00', false, 'em 2 dias'],
  // Already the next day in UTC.
  ['2026-11-24T23:30:00-03:00', false, 'hoje'],
  ['2026-11-25T00:30:00-03:00', true, 'há 1 dia'],
])('at %s what is due on 24 November is late: %s', (now, isOverdue, left) => {
  vi.useFakeTimers({ now: new Date(now) })
  expect(dueText({ due_on: '2026-11-24', due_kind: 'answer' })).toEqual({
    what: 'Resposta esperada',
    on: '24/11/2026',
    isOverdue,
    left,
  })
})

test('of a claim that waits for nothing, nothing is due', () => {
  expect(dueText({ due_on: null, due_kind: null })).toBeNull()
})
