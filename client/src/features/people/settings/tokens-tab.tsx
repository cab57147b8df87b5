import { Button } from '@blueprintjs/core'
import { KeyIcon } from '@blueprintjs/icons'
import { dateTime } from '@garantia/shared/format'
import type { ApiTokenView } from '@garantia/shared/tokens/schema'
import { TOKEN_SCOPE_LABEL } from '@garantia/shared/tokens/scope'
import { useRef, useState } from 'react'
import { messageOf } from '../../../lib/messages.ts'
import { trpc } from '../../../lib/trpc.ts'
import { Badge } from '../../../ui/feedback/badge.tsx'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { ErrorState } from '../../../ui/feedback/error-state.tsx'
import { Delayed, Skeleton } from '../../../ui/feedback/skeleton.tsx'
import { toast } from '../../../ui/feedback/toaster.tsx'
import { ConfirmDialog } from '../../../ui/overlay/confirm-dialog.tsx'
import { TokenForm } from './token-form.tsx'

/** API tokens for scripts and other systems: rights of their owner, within a scope, without the password. */
export function TokensTab() {
  const { data, error, refetch } = trpc.tokens.list.useQuery()
  const [tokenToRevoke, setTokenToRevoke] = useState<ApiTokenView | null>(null)
  const list = useRef<HTMLUListElement>(null)
  if (error && !data)
    return <ErrorState title="Erro ao carregar tokens" error={error} onRetry={() => void refetch()} />
  return (
    <div className="settings">
      <p className="muted">
        Um token deixa outro sistema trabalhar em seu nome, dentro da permissão escolhida. Veja a{' '}
        <a href="/docs" target="_blank" rel="noreferrer">
          documentação da API
        </a>
        .
      </p>
      <TokenForm />
      <ul ref={list} tabIndex={-1} className="sessions panel" aria-label="Tokens de API" aria-busy={!data}>
        {!data && (
          <Delayed>
            <li className="session">
              <Skeleton width={40} />
            </li>
          </Delayed>
        )}
        {data?.data.length === 0 && (
          <li>
            <EmptyState icon={<KeyIcon size={20} />} title="Nenhum token criado">
              Crie um acima quando outro sistema precisar trabalhar em seu nome.
            </EmptyState>
          </li>
        )}
        {data?.data.map((token) => (
          <Token key={token.id} token={token} onRevoke={() => setTokenToRevoke(token)} />
        ))}
      </ul>
      <RevokeDialog
        token={tokenToRevoke}
        onClose={() => setTokenToRevoke(null)}
        onRevoked={() => list.current?.focus()}
      />
    </div>
  )
}

function Token({ token, onRevoke }: { token: ApiTokenView; onRevoke: () => void }) {
  const { name, prefix, scope, networks, created_at, expires_at, last_used_at } = token
  const isExpired = Date.parse(expires_at) <= Date.now()
  return (
    <li className="session">
      <span className="session-icon" aria-hidden="true">
        <KeyIcon size={18} />
      </span>
      <div className="session-text">
        <strong>{name}</strong>
        <span className="muted numeric">
          <code>{prefix}…</code>
          <span>{TOKEN_SCOPE_LABEL[scope]}</span>
          {networks.length > 0 && <span>Só de {networks.join(', ')}</span>}
          <span>Criado em {dateTime(created_at)}</span>
          <span>{last_used_at ? `Usado em ${dateTime(last_used_at)}` : 'Nunca usado'}</span>
          <span>
            {isExpired ? 'Expirou' : 'Expira'} em {dateTime(expires_at)}
          </span>
        </span>
      </div>
      {isExpired && <Badge colour="gray">Expirado</Badge>}
      <Button text="Revogar" aria-label={`Revogar: ${name}`} onClick={onRevoke} />
    </li>
  )
}

interface RevocationProps {
  /**
   * Null keeps the dialog closed. It stays mounted so that focus can return to the element that opened it.
   */
  token: ApiTokenView | null
  onClose: () => void
  onRevoked: () => void
}
function RevokeDialog({ token, onClose, onRevoked }: RevocationProps) {
  const utils = trpc.useUtils()
  const revoke = trpc.tokens.revoke.useMutation({
    onSuccess: async () => {
      toast.success({ title: 'Token revogado', description: token?.name })
      onClose()
      await utils.tokens.list.invalidate()
      onRevoked()
    },
    onError: (error) => {
      onClose()
      toast.error({ title: 'Erro', description: messageOf(error) })
      void utils.tokens.list.invalidate()
    },
  })
  return (
    <ConfirmDialog
      isOpen={token !== null}
      title={`Revogar «${token?.name ?? ''}»?`}
      confirmText="Revogar"
      onConfirm={() => token && revoke.mutateAsync({ id: token.id })}
      onCancel={onClose}
    >
      O sistema que usa este token deixa de ter acesso na hora. Isso não pode ser desfeito.
    </ConfirmDialog>
  )
}
