import { useEffect, useRef, useState } from 'react'

/** Often enough to know that it goes on, seldom enough to work meanwhile. */
const EVERY_MS = 10_000

/** For a live region: what changed at once when it is urgent, the rest every ten seconds. */
export function useAnnouncement(text: string, urgency: string) {
  const [announced, setAnnounced] = useState('')
  const saidAt = useRef(Number.NEGATIVE_INFINITY)
  const before = useRef(urgency)
  useEffect(() => {
    const say = () => {
      saidAt.current = performance.now()
      setAnnounced(text)
    }
    const isUrgent = before.current !== urgency
    before.current = urgency
    const wait = isUrgent ? 0 : saidAt.current + EVERY_MS - performance.now()
    const timer = setTimeout(say, Math.max(0, wait))
    return () => clearTimeout(timer)
  }, [text, urgency])
  return announced
}
