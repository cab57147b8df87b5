import pLimit from 'p-limit'

/** Limits how many jobs compute at once; the others wait. One that was aborted while waiting rejects. */
export interface CpuLimiter {
  run<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T>
}

export function createCpuLimiter(concurrency: number): CpuLimiter {
  const limit = pLimit(concurrency)
  return {
    run: (signal, work) =>
      limit(async () => {
        signal.throwIfAborted()
        return work()
      }),
  }
}
