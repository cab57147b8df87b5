import { useCallback, useRef, useState } from 'react'

/** A call by name: while it runs, a second click on the same button does nothing. */
export function useSingleFlight() {
  const running = useRef(new Set<string>())
  const [busy, setBusy] = useState<ReadonlySet<string>>(new Set())
  const once = useCallback(async (call: string, work: () => Promise<void>) => {
    if (running.current.has(call)) return
    const publishBusy = () => setBusy(new Set(running.current))
    running.current.add(call)
    publishBusy()
    try {
      await work()
    } finally {
      running.current.delete(call)
      publishBusy()
    }
  }, [])
  return { busy, once }
}
