import pLimit from 'p-limit'

/** Where a job computes: so many at a time, the others wait their turn. A job that was stopped leaves. */
export interface Desk {
  at<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T>
}

export function openDesk(places: number): Desk {
  const turn = pLimit(places)
  return {
    at: (signal, work) =>
      turn(async () => {
        signal.throwIfAborted()
        return work()
      }),
  }
}
