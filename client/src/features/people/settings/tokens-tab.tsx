import { Button } from '@blueprintjs/core'
import { KeyIcon } from '@blueprintjs/icons'
import { dateTime } from '@garantia/shared/format'
import type { ApiTokenView } from '@garantia/shared/tokens/schema'
import { TOKEN_SCOPE_LABEL } from '@garantia/shared/tokens/scope'
import { useRef, useState } from 'react'
import { trpc } from '../../../lib/trpc.ts'
import { Badge } from '../../../ui/feedback/badge.tsx'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { ErrorState } from '../../../ui/feedback/error-state.tsx'
import { ConfirmDialog } from '../../../ui/overlay/confirm-dialog.tsx'
import { removal } from './removal.ts'
import { SettingsList, SettingsRow } from './settings-list.tsx'
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
      <SettingsList
        ref={list}
        label="Tokens de API"
        items={data?.data}
        empty={
          <EmptyState icon={<KeyIcon size={20} />} title="Nenhum token criado">
            Crie um acima quando outro sistema precisar trabalhar em seu nome.
          </EmptyState>
        }
      >
        {(token) => <Token key={token.id} token={token} onRevoke={() => setTokenToRevoke(token)} />}
      </SettingsList>
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
    <SettingsRow
      icon={<KeyIcon size={18} />}
      title={name}
      facts={
        <>
          <code>{prefix}…</code>
          <span>{TOKEN_SCOPE_LABEL[scope]}</span>
          {networks.length > 0 && <span>Só de {networks.join(', ')}</span>}
          <span>Criado em {dateTime(created_at)}</span>
          <span>{last_used_at ? `Usado em ${dateTime(last_used_at)}` : 'Nunca usado'}</span>
          <span>
            {isExpired ? 'Expirou' : 'Expira'} em {dateTime(expires_at)}
          </span>
        </>
      }
    >
      {isExpired && <Badge colour="gray">Expirado</Badge>}
      <Button text="Revogar" aria-label={`Revogar: ${name}`} onClick={onRevoke} />
    </SettingsRow>
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
  const refresh = () => utils.tokens.list.invalidate()
  const revoke = trpc.tokens.revoke.useMutation(
    removal({ title: 'Token revogado', name: token?.name, refresh, onClose, onRemoved: onRevoked }),
  )
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
