import { JUDGED_SIDE } from '@garantia/shared/evidence/sharpness'
import { expect, test } from 'vitest'
import { problemsOf } from './picture-problems.ts'

const [WIDTH, HEIGHT] = [JUDGED_SIDE, 720]
/** A grey picture, as a canvas gives it. */
function picture(levelAt: (x: number, y: number) => number) {
  const data = new Uint8ClampedArray(WIDTH * HEIGHT * 4)
  for (let y = 0; y < HEIGHT; y++)
    for (let x = 0; x < WIDTH; x++) data.fill(levelAt(x, y), 4 * (y * WIDTH + x), 4 * (y * WIDTH + x) + 3)
  return { data, width: WIDTH, height: HEIGHT, channels: 4 as const }
}
const letters = (x: number, y: number) => ((x >> 3) + (y >> 3)) % 2 === 0
const isIn = (x: number, y: number, left: number, top: number, side: number) =>
  x >= left && x < left + side && y >= top && y < top + side

test('a sharp, evenly lit picture has no problem', () => {
  expect(
    problemsOf(
      picture((x, y) => (letters(x, y) ? 200 : 60)),
      true,
    ),
  ).toEqual([])
})

test('without an edge in it a picture is blurred', () => {
  expect(
    problemsOf(
      picture((x) => 60 + Math.round((140 * x) / WIDTH)),
      true,
    ),
  ).toEqual(['blurred'])
})

test('a reflection counts in the middle, where it hides what is photographed', () => {
  const lit = (left: number, top: number) =>
    picture((x, y) => (isIn(x, y, left, top, 240) ? 255 : letters(x, y) ? 200 : 60))
  expect(problemsOf(lit(360, 240), true)).toEqual(['glare'])
  expect(problemsOf(lit(0, 0), true)).toEqual([])
  // A white label is none.
  expect(problemsOf(lit(360, 240), false)).toEqual([])
  // White letters are no reflection.
  expect(
    problemsOf(
      picture((x, y) => (letters(x, y) ? 255 : 60)),
      true,
    ),
  ).toEqual([])
})

test('of a dark picture nothing else is said', () => {
  expect(
    problemsOf(
      picture((x, y) => (letters(x, y) ? 30 : 10)),
      true,
    ),
  ).toEqual(['dark'])
})
