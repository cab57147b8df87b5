import { Button, DialogBody } from '@blueprintjs/core'
import type { AppRouter } from '@garantia/server/router'
import { counted, dateTime } from '@garantia/shared/format'
import { MESSAGES_LISTED, webhookTypeOf } from '@garantia/shared/webhooks'
import type { inferRouterOutputs } from '@trpc/server'
import { useRef } from 'react'
import { messageOf } from '../../../lib/messages.ts'
import { trpc } from '../../../lib/trpc.ts'
import { Badge } from '../../../ui/feedback/badge.tsx'
import { ErrorState } from '../../../ui/feedback/error-state.tsx'
import { Delayed, Skeleton } from '../../../ui/feedback/skeleton.tsx'
import { toast } from '../../../ui/feedback/toaster.tsx'
import { Modal } from '../../../ui/overlay/modal.tsx'
import { usePress } from '../../../ui/press.ts'

type Message = inferRouterOutputs<AppRouter>['webhooks']['messages'][number]

const SEEN_EVERY_MS = 5_000

interface Props {
  /** Null keeps the dialog closed. It stays mounted so that focus can return to the element that opened it. */
  webhook_id: number | null
  onClose: () => void
}

/** What one system was told, with its answers, and sending again. */
export function MessagesDialog({ webhook_id, onClose }: Props) {
  const last = useRef(webhook_id)
  if (webhook_id !== null) last.current = webhook_id
  const shown = webhook_id ?? last.current
  return (
    <Modal isOpen={webhook_id !== null} title="Mensagens do webhook" width="wide" onClose={onClose}>
      <DialogBody>{shown !== null && <Messages webhook_id={shown} />}</DialogBody>
    </Modal>
  )
}

function Messages({ webhook_id }: { webhook_id: number }) {
  const list = useRef<HTMLUListElement>(null)
  const { data, error, refetch } = trpc.webhooks.messages.useQuery(
    { webhook_id },
    { refetchInterval: SEEN_EVERY_MS },
  )
  if (error && !data)
    return <ErrorState title="Erro ao carregar mensagens" error={error} onRetry={() => void refetch()} />
  if (!data)
    return (
      <Delayed>
        <Skeleton width={70} />
      </Delayed>
    )
  const isAnyGivenUp = data.some((one) => one.sent_at === null && one.next_at === null)
  return (
    <div className="settings-form">
      {isAnyGivenUp && (
        <div className="settings-actions">
          <Resend
            webhook_id={webhook_id}
            text="Reenviar as que falharam"
            onResent={() => list.current?.focus()}
          />
        </div>
      )}
      {data.length === 0 ? (
        <p className="muted">Nada foi enviado nos últimos 30 dias.</p>
      ) : (
        <ul ref={list} tabIndex={-1} className="system-list" aria-label="Mensagens">
          {data.map((message) => (
            <li key={message.id} className="system-row">
              <State message={message} />
              <div className="system-text">
                <strong>{webhookTypeOf(message.kind)}</strong>
                <span className="muted numeric">
                  OS {message.os_number ?? message.order_id} · {dateTime(message.at)}
                  {message.attempts > 0 && ` · ${counted(message.attempts, 'tentativa', 'tentativas')}`}
                  {message.error && ` · ${message.error}`}
                  {message.next_at && message.attempts > 0 && ` · próxima ${dateTime(message.next_at)}`}
                </span>
              </div>
              <Resend
                webhook_id={webhook_id}
                delivery_id={message.id}
                text="Reenviar"
                label={`Reenviar ${webhookTypeOf(message.kind)} da OS ${message.os_number ?? message.order_id}`}
                onResent={() => list.current?.focus()}
              />
            </li>
          ))}
        </ul>
      )}
      {data.length === MESSAGES_LISTED && (
        <p className="muted">São mostradas as {MESSAGES_LISTED} mais novas.</p>
      )}
    </div>
  )
}

function State({ message: { sent_at, next_at, attempts } }: { message: Message }) {
  if (sent_at) return <Badge colour="green">Aceita</Badge>
  if (next_at === null) return <Badge colour="red">Desistiu</Badge>
  return <Badge colour={attempts > 0 ? 'orange' : 'gray'}>{attempts > 0 ? 'Falhou' : 'Espera'}</Badge>
}

interface ResendProps {
  webhook_id: number
  /** All that were given up when absent. */
  delivery_id?: number
  text: string
  label?: string
  onResent: () => void
}
function Resend({ webhook_id, delivery_id, text, label, onResent }: ResendProps) {
  const utils = trpc.useUtils()
  const resend = trpc.webhooks.resend.useMutation({
    onSuccess: ({ count }) => {
      toast.success({
        title: 'Reenvio pedido',
        description: counted(count, 'mensagem na fila', 'mensagens na fila'),
      })
      onResent()
    },
    onError: (error) => toast.error({ title: 'Erro', description: messageOf(error) }),
    onSettled: () => utils.webhooks.invalidate(),
  })
  const { press, isBusy } = usePress(() => resend.mutateAsync({ webhook_id, delivery_id }))
  return <Button text={text} aria-label={label} loading={isBusy} onClick={press} />
}
