import { Button } from '@blueprintjs/core'
import { ExchangeIcon } from '@blueprintjs/icons'
import type { AppRouter } from '@garantia/server/router'
import { counted, dateTime } from '@garantia/shared/format'
import { TOPIC_LABEL, WEBHOOK_TOPICS } from '@garantia/shared/webhooks'
import type { inferRouterOutputs } from '@trpc/server'
import { useRef, useState } from 'react'
import { trpc } from '../../../lib/trpc.ts'
import { Badge } from '../../../ui/feedback/badge.tsx'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { ErrorState } from '../../../ui/feedback/error-state.tsx'
import { ConfirmDialog } from '../../../ui/overlay/confirm-dialog.tsx'
import { breakable } from '../../../ui/page/breakable.tsx'
import { removal } from './removal.ts'
import { SettingsList, SettingsRow } from './settings-list.tsx'
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
      <SettingsList
        ref={list}
        label="Webhooks"
        items={data}
        empty={
          <EmptyState icon={<ExchangeIcon size={20} />} title="Nenhum sistema é avisado">
            Crie um webhook acima quando outro sistema precisar saber o que acontece.
          </EmptyState>
        }
      >
        {(webhook) => (
          <Row
            key={webhook.id}
            webhook={webhook}
            onRead={() => setRead(webhook.id)}
            onRemove={() => setRemoved(webhook)}
          />
        )}
      </SettingsList>
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
    <SettingsRow
      icon={<ExchangeIcon size={18} />}
      title={breakable(url)}
      facts={
        <>
          <span>
            {topics.length === WEBHOOK_TOPICS.length
              ? 'Todos os assuntos'
              : topics.map((topic) => TOPIC_LABEL[topic]).join(', ')}
          </span>
          <span>{company ?? 'Todas as empresas'}</span>
          <span>Criado em {dateTime(created_at)}</span>
          {waiting > 0 && <span>{counted(waiting, 'mensagem espera', 'mensagens esperam')}</span>}
        </>
      }
    >
      {disabled_at !== null ? (
        <Badge colour="red">Desativado</Badge>
      ) : (
        failed > 0 && <Badge colour="orange">{counted(failed, 'falhou', 'falharam')}</Badge>
      )}
      <Button text="Mensagens" aria-label={`Mensagens: ${url}`} onClick={onRead} />
      <Button text="Remover" aria-label={`Remover: ${url}`} onClick={onRemove} />
    </SettingsRow>
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
  const refresh = () => utils.webhooks.list.invalidate()
  const remove = trpc.webhooks.remove.useMutation(
    removal({ title: 'Webhook removido', name: webhook?.url, refresh, onClose, onRemoved }),
  )
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
