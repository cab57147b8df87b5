import { Button } from '@blueprintjs/core'
import {
  ChevronLeftIcon,
  ChevronRightIcon,
  DoubleChevronLeftIcon,
  DoubleChevronRightIcon,
} from '@blueprintjs/icons'
import { useKeyHint } from '../keys/key-hint.ts'

interface Props {
  page: number
  pageCount: number
  onPage: (page: number) => void
}
const SHOWN = 5

/** At most five page numbers around the current one (LIST-20). */
export function pageWindow(page: number, pageCount: number) {
  const shown = Math.min(SHOWN, pageCount)
  const first = Math.min(Math.max(1, page - Math.floor(SHOWN / 2)), pageCount - shown + 1)
  return Array.from({ length: shown }, (_, i) => first + i)
}

/** Page numbers with first, previous, next and last; hidden when there is only one page. */
export function Pager({ page, pageCount, onPage }: Props) {
  const hint = useKeyHint()
  if (pageCount <= 1) return null
  const isFirst = page <= 1
  const isLast = page >= pageCount
  return (
    <nav aria-label="Paginação" className="pager">
      <div className="pager-buttons">
        <Button
          variant="minimal"
          className="is-edge"
          icon={<DoubleChevronLeftIcon />}
          aria-label="Primeira página"
          disabled={isFirst}
          onClick={() => onPage(1)}
        />
        <Button
          variant="minimal"
          icon={<ChevronLeftIcon />}
          aria-label="Página anterior"
          {...hint('Página anterior', '[')}
          disabled={isFirst}
          onClick={() => onPage(page - 1)}
        />
        {pageWindow(page, pageCount).map((number) => (
          <Button
            variant="minimal"
            key={number}
            text={number}
            active={number === page}
            aria-label={`Página ${number}`}
            aria-current={number === page ? 'page' : undefined}
            onClick={() => onPage(number)}
          />
        ))}
        <Button
          variant="minimal"
          icon={<ChevronRightIcon />}
          aria-label="Próxima página"
          {...hint('Próxima página', ']')}
          disabled={isLast}
          onClick={() => onPage(page + 1)}
        />
        <Button
          variant="minimal"
          className="is-edge"
          icon={<DoubleChevronRightIcon />}
          aria-label="Última página"
          disabled={isLast}
          onClick={() => onPage(pageCount)}
        />
      </div>
    </nav>
  )
}

interface StepProps {
  page: number
  isLast: boolean
  onPage: (page: number) => void
}

/** Previous and next only (COMP-12). */
export function StepPager({ page, isLast, onPage }: StepProps) {
  const hint = useKeyHint()
  return (
    <nav aria-label="Paginação" className="pager">
      <div className="pager-buttons">
        <Button
          icon={<ChevronLeftIcon />}
          text="Anterior"
          {...hint('Página anterior', '[')}
          disabled={page <= 1}
          onClick={() => onPage(page - 1)}
        />
        <span className="pager-position numeric" role="status">
          Página {page}
        </span>
        <Button
          endIcon={<ChevronRightIcon />}
          text="Próximo"
          {...hint('Próxima página', ']')}
          disabled={isLast}
          onClick={() => onPage(page + 1)}
        />
      </div>
    </nav>
  )
}
