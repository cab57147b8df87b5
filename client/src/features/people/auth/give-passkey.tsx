import { Button, Callout } from '@blueprintjs/core'
import { KeyIcon } from '@blueprintjs/icons'
import { Link } from '@tanstack/react-router'
import { messageOf } from '../../../lib/messages.ts'
import { canUsePasskeys } from '../../../lib/passkeys.ts'
import { trpc } from '../../../lib/trpc.ts'
import { AuthCard } from './auth-card.tsx'
import { usePasskey } from './use-passkey.ts'

/** Asks somebody who came in by the password for the passkey they have. */
export function GivePasskey({ onSignOut }: { onSignOut: () => void }) {
  const utils = trpc.useUtils()
  const confirm = trpc.passkeys.confirm.useMutation({ onSuccess: () => utils.invalidate() })
  const passkey = usePasskey((response) => confirm.mutateAsync({ response }))
  const problem = passkey.problem ?? (confirm.error && messageOf(confirm.error))
  return (
    <AuthCard
      title="Falta um passo para entrar"
      description="A sua função exige mais do que a senha: use a chave de acesso que você cadastrou. O navegador pede a digital, o rosto ou o PIN do aparelho em que ela está."
      links={
        <>
          <Button variant="minimal" size="small" text="Sair" onClick={onSignOut} />
          <Link to="/ajuda/$page" params={{ page: 'perdi-o-celular' }}>
            Perdi o celular
          </Link>
        </>
      }
    >
      {problem && (
        <Callout compact intent="danger" role="alert">
          {problem}
        </Callout>
      )}
      {canUsePasskeys() ? (
        <Button
          intent="primary"
          size="large"
          icon={<KeyIcon />}
          text="Usar a chave de acesso"
          loading={passkey.isBusy}
          onClick={passkey.give}
        />
      ) : (
        <Callout compact intent="warning">
          Este endereço não aceita chaves de acesso: abra o sistema por um nome (https://…), não por um
          número.
        </Callout>
      )}
      <p className="muted">
        Quem perdeu a chave pede a um administrador que a remova em Usuários, e cadastra outra ao entrar de
        novo.
      </p>
    </AuthCard>
  )
}
