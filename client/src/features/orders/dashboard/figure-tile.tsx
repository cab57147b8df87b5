import { Button, Tooltip } from '@blueprintjs/core'
import { HelpIcon } from '@blueprintjs/icons'
import { Link } from '@tanstack/react-router'
import { Skeleton } from '../../../ui/feedback/skeleton.tsx'
import type { Figure } from './figures.ts'

interface Props {
  figure: Figure
  /** While loading, only the labels are shown. */
  isLoading: boolean
  /** Links to the list of exactly these orders. */
  isLink: boolean
}

export function FigureTile({ figure: { label, value, meaning, status }, isLoading, isLink }: Props) {
  const content = (
    <>
      <span className="figure-label">{label}</span>
      <span className="figure-value numeric">{isLoading ? <Skeleton width={45} /> : value}</span>
    </>
  )
  return (
    <li className="figure panel">
      {isLink && status !== undefined ? (
        <Link to="/lista-os" search={{ status }} className="figure-text">
          {content}
        </Link>
      ) : (
        <div className="figure-text">{content}</div>
      )}
      <Tooltip
        placement="bottom-end"
        hoverOpenDelay={150}
        content={<span className="figure-meaning">{meaning}</span>}
      >
        <Button
          className="figure-hint"
          size="small"
          variant="minimal"
          icon={<HelpIcon size={12} />}
          aria-label={`${label}: ${meaning}`}
        />
      </Tooltip>
    </li>
  )
}
