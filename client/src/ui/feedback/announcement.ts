import { useEffect, useRef, useState } from 'react'

/** Often enough to show progress, rarely enough not to interrupt. */
const EVERY_MS = 10_000

/** Text for a live region: updated at once when `urgency` changes, otherwise every ten seconds. */
export function useAnnouncement(text: string, urgency: string) {
  const [announced, setAnnounced] = useState('')
  const announcedAt = useRef(Number.NEGATIVE_INFINITY)
  const before = useRef(urgency)
  useEffect(() => {
    const announce = () => {
      announcedAt.current = performance.now()
      setAnnounced(text)
    }
    const isUrgent = before.current !== urgency
    before.current = urgency
    const wait = isUrgent ? 0 : announcedAt.current + EVERY_MS - performance.now()
    const timer = setTimeout(announce, Math.max(0, wait))
    return () => clearTimeout(timer)
  }, [text, urgency])
  return announced
}
