import { expect, test } from 'vitest'
import { createTurns } from '../../server/src/kernel/turns.ts'

/** Work that ends when the test says so, noted at its start. */
function bench() {
  const takeTurn = createTurns({ at_once: 2, waiting_per_lane: 20, waiting: 1_000 })
  const started: string[] = []
  const ends: (() => void)[] = []
  const add = (lane: string, name: string) =>
    takeTurn(lane, () => {
      started.push(name)
      return new Promise<void>((resolve) => ends.push(resolve))
    })
  const endNext = async () => {
    ends.shift()?.()
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { started, add, endNext }
}

test('two pieces of work run at once, and a lane that sends many does not delay another', async () => {
  const { started, add, endNext } = bench()
  const many = Array.from({ length: 8 }, (_, n) => add('a', `a${n}`))
  const one = add('b', 'b')
  expect(started).toEqual(['a0', 'a1'])
  await endNext()
  await endNext()
  expect(started).toEqual(['a0', 'a1', 'b', 'a2'])
  for (let n = 0; n < 9; n++) await endNext()
  await Promise.all([...many, one])
  expect(started.at(-1)).toBe('a7')
})

test('the lane that asked for least is next, by what it got and what it waits for', async () => {
  const { started, add, endNext } = bench()
  const works = ['c', 'c', 'c', 'c', 'd', 'e', 'd', 'c', 'f'].map((lane, n) => add(lane, `${lane}${n}`))
  for (let n = 0; n < works.length; n++) await endNext()
  await Promise.all(works)
  expect(started).toEqual(['c0', 'c1', 'e5', 'f8', 'd4', 'd6', 'c2', 'c3', 'c7'])
})

test('work whose result is free is not counted', async () => {
  const takeTurn = createTurns({ at_once: 1, waiting_per_lane: 20, waiting: 1_000 })
  const started: string[] = []
  const add = (lane: string, isFree: boolean) =>
    takeTurn(
      lane,
      async () => started.push(lane),
      () => isFree,
    )
  for (let n = 0; n < 3; n++) await add('good', true)
  await add('bad', false)
  await Promise.all([add('first', false), add('bad', false), add('good', false)])
  expect(started.slice(4)).toEqual(['first', 'good', 'bad'])
})

test('a full lane is refused with 429, another is not, and all of it is served in the end', async () => {
  const { started, add, endNext } = bench()
  const served = Array.from({ length: 22 }, (_, n) => add('a', `a${n}`))
  await expect(add('a', 'too many')).rejects.toMatchObject({ code: 'too_many', retryAfter: 2 })
  served.push(add('b', 'b'))
  for (let n = 0; n < 23; n++) await endNext()
  await Promise.all(served)
  expect(started).toHaveLength(23)
})

test('work that fails gives its place to the next', async () => {
  const takeTurn = createTurns({ at_once: 2, waiting_per_lane: 20, waiting: 1_000 })
  const failing = Array.from({ length: 5 }, () =>
    takeTurn('a', () => Promise.reject(new Error('no'))).catch(({ message }: Error) => message),
  )
  expect(await Promise.all(failing)).toEqual(Array(5).fill('no'))
  expect(await takeTurn('a', () => Promise.resolve('yes'))).toBe('yes')
})
