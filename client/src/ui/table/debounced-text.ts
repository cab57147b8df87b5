import { useMatch, useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'

/**
 * What is typed shows at once and is passed on when the hand rests. A change from outside wins; one's own
 * text coming back does not, for more may have been typed meanwhile.
 */
export function useDebouncedText(committed: string, onCommit: (text: string) => void, delay = 250) {
  const router = useRouter()
  const pathname = useMatch({ strict: false, select: (match) => match.pathname })
  const [text, setText] = useState(committed)
  const [seen, setSeen] = useState(committed)
  const [awaited, setAwaited] = useState<readonly string[]>([])
  if (seen !== committed) {
    const place = awaited.lastIndexOf(committed)
    setSeen(committed)
    setAwaited(place < 0 ? [] : awaited.slice(place + 1))
    if (place < 0) setText(committed)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: only typing, and its coming back, restart the wait
  useEffect(() => {
    const wanted = text.trim()
    if (wanted === committed) return
    const timer = setTimeout(() => {
      // The screen stays while the next one loads; passing on now would call the person back.
      if (router.latestLocation.pathname !== pathname) return
      setAwaited((earlier) => [...earlier, wanted])
      onCommit(wanted)
    }, delay)
    return () => clearTimeout(timer)
  }, [text, committed])
  return [text, setText] as const
}
