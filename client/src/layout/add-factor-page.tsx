import { Button } from '@blueprintjs/core'
import { FactorsTab } from '../features/people/settings/factors-tab.tsx'
import { useDocumentTitle } from '../ui/page/document-title.ts'
import { useSignOut } from './sign-out.ts'
import '../features/people/settings/settings.css'

/** All that somebody sees whose role needs a second factor, until they have one. */
export function AddFactorPage() {
  useDocumentTitle('Verificação em duas etapas')
  const signOut = useSignOut()
  return (
    <main className="add-factor">
      <div className="add-factor-head">
        <h1>Falta um passo para entrar</h1>
        <Button variant="minimal" text="Sair" onClick={signOut} />
      </div>
      <p className="muted">
        A sua função exige mais do que a senha. Ative os códigos de um aplicativo autenticador, ou cadastre
        uma chave de acesso neste aparelho; depois você segue para o sistema.
      </p>
      <FactorsTab />
    </main>
  )
}
