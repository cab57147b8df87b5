import pLimit from 'p-limit'

/** Where a job computes: so many at a time, the others wait their turn. A job that was stopped leaves. */
export interface CpuLimiter {
  run<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T>
}

export function createCpuLimiter(places: number): CpuLimiter {
  const turn = pLimit(places)
  return {
    run: (signal, work) =>
      turn(async () => {
        signal.throwIfAborted()
        return work()
      }),
  }
}
