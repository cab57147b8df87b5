import { Button } from '@blueprintjs/core'
import { GivePasskey } from '../features/people/auth/give-passkey.tsx'
import { FactorsTab } from '../features/people/settings/factors-tab.tsx'
import { trpc } from '../lib/trpc.ts'
import { useDocumentTitle } from '../ui/page/document-title.ts'
import { useSignOutNow } from './sign-out.ts'
import '../features/people/settings/settings.css'

/**
 * All that somebody sees whose role needs a second factor, until they have one, or have given the one they
 * have.
 */
export function AddFactorPage() {
  const { press: signOut } = useSignOutNow()
  const factors = trpc.account.factors.useQuery()
  const hasPasskey = (factors.data?.passkeys.length ?? 0) > 0
  return hasPasskey ? <GivePasskey onSignOut={signOut} /> : <AddFactor onSignOut={signOut} />
}

function AddFactor({ onSignOut }: { onSignOut: () => void }) {
  useDocumentTitle('Verificação em duas etapas')
  return (
    <main className="add-factor">
      <div className="add-factor-head">
        <h1>Falta um passo para entrar</h1>
        <Button variant="minimal" text="Sair" onClick={onSignOut} />
      </div>
      <p className="muted">
        A sua função exige mais do que a senha. Ative os códigos de um aplicativo autenticador, ou cadastre
        uma chave de acesso neste aparelho; depois você segue para o sistema.
      </p>
      <FactorsTab />
    </main>
  )
}
