import { Button } from '@blueprintjs/core'
import { ExchangeIcon } from '@blueprintjs/icons'
import type { AppRouter } from '@garantia/server/router'
import { counted, dateTime } from '@garantia/shared/format'
import { TOPIC_LABEL, WEBHOOK_TOPICS } from '@garantia/shared/webhooks'
import type { inferRouterOutputs } from '@trpc/server'
import { useRef, useState } from 'react'
import { messageOf } from '../../../lib/messages.ts'
import { trpc } from '../../../lib/trpc.ts'
import { Badge } from '../../../ui/feedback/badge.tsx'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { ErrorState } from '../../../ui/feedback/error-state.tsx'
import { Delayed, Skeleton } from '../../../ui/feedback/skeleton.tsx'
import { toast } from '../../../ui/feedback/toaster.tsx'
import { ConfirmDialog } from '../../../ui/overlay/confirm-dialog.tsx'
import { breakable } from '../../../ui/page/breakable.tsx'
import { WebhookForm } from './webhook-form.tsx'
import { MessagesDialog } from './webhook-messages.tsx'

type Webhook = inferRouterOutputs<AppRouter>['webhooks']['list'][number]

const SEEN_EVERY_MS = 10_000

/** Other systems that are told of what happens to orders, for superusers. */
export function WebhooksTab() {
  const { data, error, refetch } = trpc.webhooks.list.useQuery(undefined, { refetchInterval: SEEN_EVERY_MS })
  const [read, setRead] = useState<number | null>(null)
  const [removed, setRemoved] = useState<Webhook | null>(null)
  const list = useRef<HTMLUListElement>(null)
  if (error && !data)
    return <ErrorState title="Erro ao carregar webhooks" error={error} onRetry={() => void refetch()} />
  return (
    <div className="settings">
      <p className="muted">
        Avisa outros sistemas, como o DMS, do que acontece com as OS. Cada mensagem é assinada e leva só
        números e o status; o sistema busca o resto pela{' '}
        <a href="/docs" target="_blank" rel="noreferrer">
          API
        </a>
        .
      </p>
      <WebhookForm />
      <ul ref={list} tabIndex={-1} className="sessions panel" aria-label="Webhooks" aria-busy={!data}>
        {!data && (
          <Delayed>
            <li className="session">
              <Skeleton width={40} />
            </li>
          </Delayed>
        )}
        {data?.length === 0 && (
          <li>
            <EmptyState icon={<ExchangeIcon size={20} />} title="Nenhum sistema é avisado">
              Crie um webhook acima quando outro sistema precisar saber o que acontece.
            </EmptyState>
          </li>
        )}
        {data?.map((webhook) => (
          <Row
            key={webhook.id}
            webhook={webhook}
            onRead={() => setRead(webhook.id)}
            onRemove={() => setRemoved(webhook)}
          />
        ))}
      </ul>
      <MessagesDialog webhook_id={read} onClose={() => setRead(null)} />
      <RemoveDialog
        webhook={removed}
        onClose={() => setRemoved(null)}
        onRemoved={() => list.current?.focus()}
      />
    </div>
  )
}

interface RowProps {
  webhook: Webhook
  onRead: () => void
  onRemove: () => void
}
function Row({ webhook, onRead, onRemove }: RowProps) {
  const { url, topics, company, created_at, disabled_at, waiting, failed } = webhook
  return (
    <li className="session">
      <span className="session-icon" aria-hidden="true">
        <ExchangeIcon size={18} />
      </span>
      <div className="session-text">
        <strong>{breakable(url)}</strong>
        <span className="muted numeric">
          <span>
            {topics.length === WEBHOOK_TOPICS.length
              ? 'Todos os assuntos'
              : topics.map((topic) => TOPIC_LABEL[topic]).join(', ')}
          </span>
          <span>{company ?? 'Todas as empresas'}</span>
          <span>Criado em {dateTime(created_at)}</span>
          {waiting > 0 && <span>{counted(waiting, 'mensagem espera', 'mensagens esperam')}</span>}
        </span>
      </div>
      {disabled_at !== null ? (
        <Badge colour="red">Desativado</Badge>
      ) : (
        failed > 0 && <Badge colour="orange">{counted(failed, 'falhou', 'falharam')}</Badge>
      )}
      <Button text="Mensagens" aria-label={`Mensagens: ${url}`} onClick={onRead} />
      <Button text="Remover" aria-label={`Remover: ${url}`} onClick={onRemove} />
    </li>
  )
}

interface RemovalProps {
  /** Null keeps the dialog closed. It stays mounted so that focus can return to the element that opened it. */
  webhook: Webhook | null
  onClose: () => void
  onRemoved: () => void
}
function RemoveDialog({ webhook, onClose, onRemoved }: RemovalProps) {
  const utils = trpc.useUtils()
  const remove = trpc.webhooks.remove.useMutation({
    onSuccess: async () => {
      toast.success({ title: 'Webhook removido', description: webhook?.url })
      onClose()
      await utils.webhooks.list.invalidate()
      onRemoved()
    },
    onError: (error) => {
      onClose()
      toast.error({ title: 'Erro', description: messageOf(error) })
      void utils.webhooks.list.invalidate()
    },
  })
  return (
    <ConfirmDialog
      isOpen={webhook !== null}
      title="Remover o webhook?"
      confirmText="Remover"
      onConfirm={() => webhook && remove.mutateAsync({ id: webhook.id })}
      onCancel={onClose}
    >
      {breakable(webhook?.url ?? '')} não é mais avisado, e o que ainda espera não é enviado. Isso não pode
      ser desfeito.
    </ConfirmDialog>
  )
}
