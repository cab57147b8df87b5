import { Button, Tooltip } from '@blueprintjs/core'
import { HelpIcon } from '@blueprintjs/icons'
import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { Skeleton } from '../../../ui/feedback/skeleton.tsx'
import { useIsTouch } from '../../../ui/page/pointer.ts'
import type { Period } from './dashboard-search.ts'
import type { Figure } from './figures.ts'

interface Props {
  figure: Figure
  /** While loading, only the labels are shown. */
  isLoading: boolean
  /** The period of the list of exactly these orders that it links to; null for no link. */
  period: Period | null
}

export function FigureTile({ figure: { label, value, meaning, status }, isLoading, period }: Props) {
  const content = (
    <>
      <span className="figure-label">{label}</span>
      <span className="figure-value numeric">{isLoading ? <Skeleton width={45} /> : value}</span>
    </>
  )
  return (
    <li className="figure panel">
      {period && status !== undefined ? (
        <Link to="/lista-os" search={{ status, ...period }} className="figure-text">
          {content}
        </Link>
      ) : (
        <div className="figure-text">{content}</div>
      )}
      <Meaning label={label} meaning={meaning} />
    </li>
  )
}

/** Shown on hover and focus; by a finger, which ends no hover, until the next touch or the page moves. */
function Meaning({ label, meaning }: Pick<Figure, 'label' | 'meaning'>) {
  const isTouch = useIsTouch()
  const [isTouched, setIsTouched] = useState(false)
  useEffect(() => {
    if (!isTouched) return
    const end = () => setIsTouched(false)
    const events = ['pointerdown', 'scroll'] as const
    for (const event of events) window.addEventListener(event, end, true)
    return () => {
      for (const event of events) window.removeEventListener(event, end, true)
    }
  }, [isTouched])
  return (
    <Tooltip
      placement="bottom-end"
      hoverOpenDelay={150}
      {...(isTouch && { isOpen: isTouched })}
      content={<span className="figure-meaning">{meaning}</span>}
    >
      <Button
        className="figure-hint"
        size="small"
        variant="minimal"
        icon={<HelpIcon size={12} />}
        aria-label={`${label}: ${meaning}`}
        onClick={() => setIsTouched(true)}
      />
    </Tooltip>
  )
}
