import { useMatch, useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'

/**
 * Text input that is committed after a pause of `delay` ms. A committed value from outside replaces the text;
 * the component's own value coming back does not, as more may have been typed since.
 */
export function useDebouncedText(committed: string, onCommit: (text: string) => void, delay = 250) {
  const router = useRouter()
  const pathname = useMatch({ strict: false, select: (match) => match.pathname })
  const [text, setText] = useState(committed)
  const [seen, setSeen] = useState(committed)
  const [pendingCommits, setPendingCommits] = useState<readonly string[]>([])
  if (seen !== committed) {
    const index = pendingCommits.lastIndexOf(committed)
    setSeen(committed)
    setPendingCommits(index < 0 ? [] : pendingCommits.slice(index + 1))
    if (index < 0) setText(committed)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: onCommit must not restart the delay
  useEffect(() => {
    const wanted = text.trim()
    if (wanted === committed) return
    const timer = setTimeout(() => {
      // The screen stays mounted while the next one loads; committing now would navigate back to it.
      if (router.latestLocation.pathname !== pathname) return
      setPendingCommits((earlier) => [...earlier, wanted])
      onCommit(wanted)
    }, delay)
    return () => clearTimeout(timer)
  }, [text, committed])
  return [text, setText] as const
}
