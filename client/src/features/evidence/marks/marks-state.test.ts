import { type Mark, marksInput } from '@garantia/shared/evidence/marks'
import { expect, test } from 'vitest'
import {
  drawnMark,
  joinedMarks,
  markAfterKey,
  markInMiddle,
  marksAfter,
  movedMark,
  resizedMark,
  roundedMark,
  startOf,
} from './marks-state.ts'

const ARROW: Mark = { kind: 'arrow', from: { x: 0.8, y: 0.9 }, to: { x: 0.9, y: 0.8 } }
const CIRCLE: Mark = { kind: 'circle', box: { left: 0.5, top: 0.5, width: 0.25, height: 0.25 } }

test('each step is undone, the last one first', () => {
  const steps = [
    { do: 'add', mark: ARROW },
    { do: 'add', mark: CIRCLE },
    { do: 'change', index: 0, mark: CIRCLE },
    { do: 'remove', index: 1 },
  ] as const
  let state = startOf([])
  const before: (readonly Mark[])[] = []
  for (const step of steps) {
    before.push(state.marks)
    state = marksAfter(state, step)
  }
  expect(state).toMatchObject({ marks: [CIRCLE], chosen: 0 })
  for (const marks of before.reverse()) {
    state = marksAfter(state, { do: 'undo' })
    expect(state.marks).toEqual(marks)
  }
  expect(marksAfter(state, { do: 'undo' })).toBe(state)
})

test('a thirty-first mark is not added', () => {
  const full = startOf(Array.from({ length: 30 }, () => ARROW))
  expect(marksAfter(full, { do: 'add', mark: CIRCLE })).toBe(full)
})

test('a press draws nothing but a text, and that only when it is written', () => {
  const at = { x: 0.5, y: 0.5 }
  expect(drawnMark('arrow', at, { x: 0.501, y: 0.5 }, '')).toBeNull()
  expect(drawnMark('cover', at, { x: 0.9, y: 0.5 }, '')).toBeNull()
  expect(drawnMark('text', at, at, '')).toBeNull()
  expect(drawnMark('text', at, at, 'Trinca')).toEqual({ kind: 'text', at, text: 'Trinca' })
  expect(drawnMark('cover', { x: 0.9, y: 0.8 }, { x: 0.4, y: 0.6 }, '')).toMatchObject({
    box: { left: 0.4, top: 0.6, width: 0.5 },
  })
  expect(markInMiddle('circle', '')).toMatchObject({ kind: 'circle' })
})

test('nothing is moved or resized beyond the photo', () => {
  expect(movedMark(ARROW, 0.5, 0.5)).toMatchObject({
    from: { x: 0.9, y: 1 },
    to: { x: expect.closeTo(1), y: expect.closeTo(0.9) },
  })
  expect(movedMark(CIRCLE, 1, -1)).toMatchObject({ box: { left: 0.75, top: 0, width: 0.25 } })
  expect(resizedMark(CIRCLE, 1, -1)).toMatchObject({ box: { width: 0.5, height: 0.01 } })
})

test('arrow keys move, with shift they resize, and other keys do neither', () => {
  const key = (key: string, shiftKey = false) => markAfterKey(CIRCLE, { key, shiftKey })
  expect(key('ArrowLeft')).toMatchObject({ box: { left: 0.49, width: 0.25 } })
  expect(key('ArrowRight', true)).toMatchObject({ box: { left: 0.5, width: 0.26 } })
  expect(key('Enter')).toBeNull()
})

test('an arrow keeps some length', () => {
  const short: Mark = { kind: 'arrow', from: { x: 0.5, y: 0.5 }, to: { x: 0.51, y: 0.5 } }
  expect(resizedMark(short, -0.01, 0)).toBe(short)
})

test('no box leaves the photo by being rounded, wherever it begins', () => {
  for (let start = 0; start < 632; start++) {
    const left = start / 640
    const mark: Mark = { kind: 'cover', box: { left, top: left, width: 1 - left, height: 1 - left } }
    expect(marksInput.safeParse({ marks: [roundedMark(mark)] }).success).toBe(true)
  }
})

test('of what two people have drawn at once nothing is lost, and what one has removed does not come back', () => {
  const COVER: Mark = { kind: 'cover', box: { left: 0, top: 0, width: 0.1, height: 0.1 } }
  expect(joinedMarks([], [ARROW], [COVER])).toEqual([COVER, ARROW])
  expect(joinedMarks([CIRCLE], [ARROW], [CIRCLE, COVER])).toEqual([COVER, ARROW])
  expect(joinedMarks([CIRCLE], [CIRCLE, ARROW], [])).toEqual([ARROW])
  expect(joinedMarks([], [ARROW], [ARROW])).toEqual([ARROW])
})

test('a mark is sent with numbers of five digits', () => {
  expect(roundedMark({ ...ARROW, to: { x: 1 / 3, y: 0.1 + 0.2 } })).toEqual({
    ...ARROW,
    to: { x: 0.33333, y: 0.3 },
  })
})
