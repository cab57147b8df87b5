import { expect, test } from 'vitest'
import { createFairQueue } from '../../server/src/kernel/fair-queue.ts'

/** Work that ends when the test says so, noted at its start. */
function queue() {
  const runInTurn = createFairQueue({ at_once: 2, most_waiting_per_caller: 20, most_waiting: 1_000 })
  const started: string[] = []
  const ends: (() => void)[] = []
  const add = (caller_key: string, name: string) =>
    runInTurn(caller_key, () => {
      started.push(name)
      return new Promise<void>((resolve) => ends.push(resolve))
    })
  const endNext = async () => {
    ends.shift()?.()
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { started, add, endNext }
}

test('two pieces of work run at once, and a caller who sends much does not delay another', async () => {
  const { started, add, endNext } = queue()
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

test('the caller who asked for least is next, by what was done and what waits', async () => {
  const { started, add, endNext } = queue()
  const works = ['c', 'c', 'c', 'c', 'd', 'e', 'd', 'c', 'f'].map((caller_key, n) =>
    add(caller_key, `${caller_key}${n}`),
  )
  for (let n = 0; n < works.length; n++) await endNext()
  await Promise.all(works)
  expect(started).toEqual(['c0', 'c1', 'e5', 'f8', 'd4', 'd6', 'c2', 'c3', 'c7'])
})

test('work whose result is free is not counted', async () => {
  const runInTurn = createFairQueue({ at_once: 1, most_waiting_per_caller: 20, most_waiting: 1_000 })
  const started: string[] = []
  const add = (caller_key: string, isFree: boolean) =>
    runInTurn(
      caller_key,
      async () => started.push(caller_key),
      () => isFree,
    )
  for (let n = 0; n < 3; n++) await add('good', true)
  await add('bad', false)
  await Promise.all([add('first', false), add('bad', false), add('good', false)])
  expect(started.slice(4)).toEqual(['first', 'good', 'bad'])
})

test('a caller with a full queue is refused with 429, another is not, and all of it is served in the end', async () => {
  const { started, add, endNext } = queue()
  const served = Array.from({ length: 22 }, (_, n) => add('a', `a${n}`))
  await expect(add('a', 'too many')).rejects.toMatchObject({ code: 'too_many', retryAfter: 2 })
  served.push(add('b', 'b'))
  for (let n = 0; n < 23; n++) await endNext()
  await Promise.all(served)
  expect(started).toHaveLength(23)
})

test('work that fails gives its place to the next', async () => {
  const runInTurn = createFairQueue({ at_once: 2, most_waiting_per_caller: 20, most_waiting: 1_000 })
  const failing = Array.from({ length: 5 }, () =>
    runInTurn('a', () => Promise.reject(new Error('no'))).catch(({ message }: Error) => message),
  )
  expect(await Promise.all(failing)).toEqual(Array(5).fill('no'))
  expect(await runInTurn('a', () => Promise.resolve('yes'))).toBe('yes')
})
