import { Button } from '@blueprintjs/core'
import { RefreshIcon } from '@blueprintjs/icons'

interface Props {
  /** What is not shown: «Os prazos não carregaram». Null while nothing has failed. */
  failure: string | null
  onRetry: () => void
}

/** Beside the heading of figures that could not be loaded; the live region is there before it has a text. */
export const FailedFigures = ({ failure, onRetry }: Props) => (
  <span className="failed-figures" role="status">
    {failure !== null && (
      <>
        {failure}
        <Button
          variant="minimal"
          size="small"
          icon={<RefreshIcon size={14} />}
          text="Tentar novamente"
          onClick={onRetry}
        />
      </>
    )}
  </span>
)
