import { type ReactNode, useEffect, useState } from 'react'

/** One grey line; `width` in percent of its container. */
export const Skeleton = ({ width = 100 }: { width?: number }) => (
  <span className="skeleton" style={{ width: `${width}%` }} aria-hidden="true" />
)

/** Renders its children after `delay` ms: a brief flash of a skeleton is worse than none. */
export function Delayed({ children, delay = 150 }: { children: ReactNode; delay?: number }) {
  const [isDue, setIsDue] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setIsDue(true), delay)
    return () => clearTimeout(timer)
  }, [delay])
  return isDue ? children : null
}

const LINES = [38, 92, 84, 96, 70, 88]

/** Where a screen or list will stand that is being loaded. */
export const LoadingPanel = () => (
  <Delayed>
    <div className="panel loading-panel">
      {LINES.map((width) => (
        <Skeleton key={width} width={width} />
      ))}
    </div>
  </Delayed>
)
