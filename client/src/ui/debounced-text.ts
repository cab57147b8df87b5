import { useEffect, useState } from 'react'

/** What is typed shows at once and is passed on when the hand rests; a change from outside wins. */
export function useDebouncedText(settled: string, onSettle: (text: string) => void, delay = 250) {
  const [text, setText] = useState(settled)
  const [seen, setSeen] = useState(settled)
  if (seen !== settled) {
    setSeen(settled)
    setText(settled)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: only typing restarts the wait
  useEffect(() => {
    if (text.trim() === settled) return
    const timer = setTimeout(() => onSettle(text.trim()), delay)
    return () => clearTimeout(timer)
  }, [text])
  return [text, setText] as const
}
