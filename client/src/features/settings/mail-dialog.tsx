import { DialogBody } from '@blueprintjs/core'
import { dateTime } from '@garantia/shared/format'
import { trpc } from '../../lib/trpc.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { Modal } from '../../ui/modal.tsx'
import { AfterAMoment, Skeleton } from '../../ui/skeleton.tsx'
import type { Mail } from './mail-state.ts'

/** The text may carry a link that changes a password, so it is fetched on opening and not kept. */
export function MailDialog({ mail, onClose }: { mail: Mail; onClose: () => void }) {
  const { data, error, refetch } = trpc.mail.one.useQuery({ id: mail.id }, { gcTime: 0 })
  return (
    <Modal isOpen title={mail.subject} width="wide" onClose={onClose}>
      <DialogBody>
        <dl className="settings-facts mail-head">
          <dt>Para</dt>
          <dd>{mail.recipient}</dd>
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
          <p className="mail-body">{data.body}</p>
        ) : error ? (
          <ErrorState title="Erro ao abrir a mensagem" error={error} onRetry={() => void refetch()} />
        ) : (
          <AfterAMoment>
            <Skeleton width={70} />
          </AfterAMoment>
        )}
      </DialogBody>
    </Modal>
  )
}
