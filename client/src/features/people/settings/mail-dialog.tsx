import { DialogBody } from '@blueprintjs/core'
import { dateTime } from '@garantia/shared/format'
import { useRef } from 'react'
import { trpc } from '../../../lib/trpc.ts'
import { ErrorState } from '../../../ui/feedback/error-state.tsx'
import { Delayed, Skeleton } from '../../../ui/feedback/skeleton.tsx'
import { Modal } from '../../../ui/overlay/modal.tsx'
import { breakable } from '../../../ui/page/breakable.tsx'
import { CopyButton } from '../../../ui/page/copy-button.tsx'
import type { Mail } from './mail-state.ts'

interface Props {
  /**
   * Null keeps the dialog closed. It stays mounted so that focus can return to the element that opened it.
   */
  mail: Mail | null
  onClose: () => void
}

export function MailDialog({ mail, onClose }: Props) {
  const last = useRef(mail)
  if (mail) last.current = mail
  const shown = mail ?? last.current
  return (
    <Modal isOpen={mail !== null} title={shown?.subject ?? ''} width="wide" onClose={onClose}>
      <DialogBody>{shown && <MailText mail={shown} />}</DialogBody>
    </Modal>
  )
}

/** The text may contain a password reset link, so it is fetched on opening and not cached. */
function MailText({ mail }: { mail: Mail }) {
  const { data, error, refetch } = trpc.mail.one.useQuery({ id: mail.id }, { gcTime: 0 })
  return (
    <>
      <dl className="settings-facts mail-head">
        <dt>Para</dt>
        <dd>{breakable(mail.recipient)}</dd>
        <dt>Escrita em</dt>
        <dd className="numeric">{dateTime(mail.created_at)}</dd>
        {mail.sent_at && (
          <>
            <dt>Enviada em</dt>
            <dd className="numeric">{dateTime(mail.sent_at)}</dd>
          </>
        )}
        {mail.error && (
          <>
            <dt>Última falha</dt>
            <dd>{mail.error}</dd>
          </>
        )}
      </dl>
      {data ? (
        <>
          <div className="mail-text-head">
            <h3>Texto</h3>
            <CopyButton what="texto da mensagem" text={data.body} />
          </div>
          <p className="mail-body">{data.body}</p>
        </>
      ) : error ? (
        <ErrorState title="Erro ao abrir a mensagem" error={error} onRetry={() => void refetch()} />
      ) : (
        <Delayed>
          <Skeleton width={70} />
        </Delayed>
      )}
    </>
  )
}
