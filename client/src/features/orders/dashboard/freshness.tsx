import { useEffect, useState } from 'react'

const MINUTE = 60
const ageText = (seconds: number) =>
  seconds < MINUTE ? `${seconds} s` : `${Math.floor(seconds / MINUTE)} min`

interface Props {
  /** When the figures were loaded, in ms since the epoch; 0 for never. */
  at: number
  hasFailedSince: boolean
}
/** «atualizado há 12 s»; not a live region, as a screen reader would speak every second. */
export function Freshness({ at, hasFailedSince }: Props) {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [])
  if (at === 0) return null
  const age = ageText(Math.max(0, Math.floor((now - at) / 1000)))
  return (
    <span className="muted numeric freshness">
      atualizado há {age}
      {hasFailedSince && ' · não foi possível atualizar'}
    </span>
  )
}
