import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  arrowOutline,
  countsOf,
  countWords,
  lengthOf,
  type Mark,
  marksInput,
  readMarks,
  storedMarksOf,
  turnedMark,
} from './marks.ts'

const share = fc.double({ min: 0, max: 1, noNaN: true })
const point = fc.record({ x: share, y: share })
const box = fc
  .record({ left: share, top: share, width: share, height: share })
  .map(({ left, top, width, height }) => ({
    ...{ left: left * 0.9, top: top * 0.9 },
    width: Math.max(0.01, width * (1 - left * 0.9)),
    height: Math.max(0.01, height * (1 - top * 0.9)),
  }))
const marks: fc.Arbitrary<Mark> = fc.oneof(
  fc
    .record({ kind: fc.constant('arrow' as const), from: point, to: point })
    .filter(({ from, to }) => lengthOf(from, to) > 0.006),
  fc.record({ kind: fc.constant('circle' as const), box }),
  fc.record({ kind: fc.constant('cover' as const), box }),
  fc.record({ kind: fc.constant('text' as const), at: point, text: fc.constant('Trinca') }),
)
const numbersIn = (mark: Mark) => JSON.stringify(mark).match(/-?\d+(\.\d+)?(e-?\d+)?/g) ?? []

test('a mark stays in the photo however it is turned, and four quarter turns bring it back', () => {
  fc.assert(
    fc.property(marks, fc.constantFrom(90, 180, 270), (mark, degrees) => {
      const turned = turnedMark(mark, degrees)
      expect(marksInput.safeParse({ marks: [turned] }).success).toBe(true)
      const back = turnedMark(turned, 360 - degrees)
      for (const [at, number] of numbersIn(back).entries())
        expect(Number(number)).toBeCloseTo(Number(numbersIn(mark)[at]), 9)
    }),
  )
})

test('a quarter turn to the right brings the upper left corner to the upper right', () => {
  expect(turnedMark({ kind: 'text', at: { x: 0.1, y: 0.2 }, text: 'a' }, 90)).toMatchObject({
    at: { x: 0.8, y: 0.1 },
  })
})

test('counts say what is drawn, in words, also of a kind that is not known here', () => {
  const cover: Mark = { kind: 'cover', box: { left: 0, top: 0, width: 0.1, height: 0.1 } }
  const counts = countsOf([cover, { kind: 'arrow', from: { x: 0, y: 0 }, to: { x: 1, y: 1 } }, cover])
  expect(counts).toEqual({ arrow: 1, cover: 2 })
  expect(countWords(counts)).toBe('1 seta, 2 partes encobertas')
  expect(countWords({ star: 2 })).toBe('2 star')
  expect(countWords({})).toBe('')
})

test('an arrow ends where it points to, and is nowhere thicker than its head', () => {
  const outline = arrowOutline([0, 0], [100, 0], 4)
  expect(outline).toContainEqual([100, 0])
  expect(Math.max(...outline.map(([, y]) => Math.abs(y)))).toBe(8)
})

test('what is stored and not readable is no mark', () => {
  expect(storedMarksOf(null)).toEqual([])
  expect(storedMarksOf([{ kind: 'star' }])).toEqual([])
  expect(readMarks([{ kind: 'star' }])).toBeNull()
})
