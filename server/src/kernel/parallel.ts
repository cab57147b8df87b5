/**
 * The results of the work for each, in their order, at most `at_once` at a time. A failure is thrown when
 * none is running any more; what had not begun by then is left out.
 */
export async function inParallel<T, R>(
  list: readonly T[],
  at_once: number,
  work: (one: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = []
  const left = list.entries()
  const failures: unknown[] = []
  const runner = async () => {
    for (const [place, one] of left) {
      try {
        results[place] = await work(one)
      } catch (error) {
        failures.push(error)
      }
      if (failures.length > 0) return
    }
  }
  await Promise.all(Array.from({ length: Math.min(at_once, list.length) }, runner))
  if (failures.length > 0) throw failures[0]
  return results
}
