/** The most calls that are done together: the first of them must not wait long for the last. */
const MOST = 50

/**
 * Does the work for `item` together with the other items that wait under the same key: while the work of a
 * key runs, what comes waits and is the next batch. `work` gets the items in the order they came and returns
 * a result for each; when it throws, it throws for all of its batch.
 */
export type InBatches = <Item, Result>(
  key: string,
  item: Item,
  work: (items: readonly Item[]) => Promise<readonly Result[]>,
) => Promise<Result>

interface Waiting {
  item: unknown
  work: (items: readonly unknown[]) => Promise<readonly unknown[]>
  resolve: (result: unknown) => void
  reject: (error: unknown) => void
}

/** Keys belong to one kind of work: items and results of one key are all of the same type. */
export function createBatches(): InBatches {
  const queues = new Map<string, Waiting[]>()

  async function runAll(key: string, queue: Waiting[]) {
    while (queue.length > 0) {
      const batch = queue.splice(0, MOST)
      try {
        const results = (await batch[0]?.work(batch.map(({ item }) => item))) ?? []
        for (const [place, { resolve }] of batch.entries()) resolve(results[place])
      } catch (error) {
        for (const { reject } of batch) reject(error)
      }
    }
    queues.delete(key)
  }

  const inBatches = (key: string, item: unknown, work: Waiting['work']) =>
    new Promise((resolve, reject) => {
      const waiting = queues.get(key)
      const one = { item, work, resolve, reject }
      if (waiting) waiting.push(one)
      else {
        const queue = [one]
        queues.set(key, queue)
        void runAll(key, queue)
      }
    })
  return inBatches as InBatches
}
