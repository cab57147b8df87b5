import { expect, test } from 'vitest'
import { createBatches } from '../../server/src/kernel/batches.ts'

const after = () => new Promise<void>((resolve) => setImmediate(resolve))

test('what comes while the work of a key runs is done together afterwards, and each gets its own result', async () => {
  const inBatches = createBatches()
  const batches: string[][] = []
  const work = async (items: readonly string[]) => {
    batches.push([...items])
    await after()
    return items.map((item) => `${item}!`)
  }
  const results = ['a', 'b', 'c'].map((item) => inBatches('one', item, work))
  const other = inBatches('other', 'x', work)
  expect(await Promise.all([...results, other])).toEqual(['a!', 'b!', 'c!', 'x!'])
  expect(batches).toEqual([['a'], ['x'], ['b', 'c']])
  expect(await inBatches('one', 'd', work)).toBe('d!')
  expect(batches.at(-1)).toEqual(['d'])
})

test('a batch that fails fails for its own items alone', async () => {
  const inBatches = createBatches()
  let calls = 0
  const work = async (items: readonly number[]) => {
    await after()
    if (++calls === 2) throw new Error('second')
    return items
  }
  const first = inBatches('key', 1, work)
  const second = [2, 3].map((item) => inBatches('key', item, work))
  expect(await first).toBe(1)
  expect((await Promise.allSettled(second)).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(await inBatches('key', 4, work)).toBe(4)
})
