import { useCallback, useRef, useState } from 'react'

/** Runs a call unless one with the same name is still running; prevents double clicks. */
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
