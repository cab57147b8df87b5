import { OfflineIcon } from '@blueprintjs/icons'
import { useWaitingSaves } from '../../lib/connection.ts'
import './connection-bar.css'

/** The one notice, on every screen, that the server does not answer. */
export function ConnectionBar() {
  const saves = useWaitingSaves()
  return (
    <div role="status" className="connection">
      {saves !== null && (
        <p className="connection-bar">
          <OfflineIcon size={14} aria-hidden="true" />
          <span>
            <strong>Sem conexão com o servidor.</strong>{' '}
            {saves === 0
              ? 'Tentando de novo.'
              : 'Nada se perdeu: o que você preencheu será salvo quando a conexão voltar.'}
          </span>
        </p>
      )}
    </div>
  )
}
