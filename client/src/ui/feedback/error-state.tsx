import { Button } from '@blueprintjs/core'
import { RefreshIcon, WarningSignIcon } from '@blueprintjs/icons'
import { isAwayError, messageOf } from '../../lib/messages.ts'
import { focusMainOnUnmount } from '../overlay/focus-return.ts'

interface Props {
  title: string
  error?: unknown
  /** Replaces the error's own message. */
  message?: string
  onRetry?: () => void
}

/** Error of a failed query, with a retry button when `onRetry` is given. */
export const ErrorState = ({ title, error, message, onRetry }: Props) => (
  <div ref={focusMainOnUnmount} className="empty-state" role="alert">
    <span className="empty-state-icon is-error" aria-hidden="true">
      <WarningSignIcon size={20} />
    </span>
    <p className="empty-state-title">{title}</p>
    <div className="muted">
      {message ?? (isAwayError(error) ? 'Carrega quando a conexão voltar.' : messageOf(error))}
    </div>
    {onRetry && <Button icon={<RefreshIcon />} text="Tentar novamente" onClick={onRetry} />}
  </div>
)
