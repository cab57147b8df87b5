import { trpc } from '../../../lib/trpc.ts'
import { ErrorState } from '../../../ui/feedback/error-state.tsx'
import { LoadingPanel } from '../../../ui/feedback/skeleton.tsx'
import { PasskeysCard } from './passkeys-card.tsx'
import { TotpCard } from './totp-card.tsx'

/** What opens the account besides the password. */
export function FactorsTab() {
  const { data, error, refetch } = trpc.account.factors.useQuery()
  if (error && !data)
    return <ErrorState title="Erro ao carregar a segurança" error={error} onRetry={() => void refetch()} />
  if (!data)
    return (
      <div className="settings" aria-busy>
        <LoadingPanel />
      </div>
    )
  return (
    <div className="settings">
      <TotpCard totp={data.totp} />
      <PasskeysCard passkeys={data.passkeys} />
    </div>
  )
}
