import { Button, Callout } from '@blueprintjs/core'
import { KeyIcon } from '@blueprintjs/icons'
import { messageOf } from '../../../lib/messages.ts'
import { canUsePasskeys } from '../../../lib/passkeys.ts'
import { trpc } from '../../../lib/trpc.ts'
import { usePasskey } from './use-passkey.ts'

/** Asks somebody who came in by the password for the passkey they have. */
export function GivePasskey() {
  const utils = trpc.useUtils()
  const confirm = trpc.passkeys.confirm.useMutation({ onSuccess: () => utils.invalidate() })
  const passkey = usePasskey((response) => confirm.mutateAsync({ response }))
  const problem = passkey.problem ?? (confirm.error && messageOf(confirm.error))
  return (
    <>
      <p className="muted">
        A sua função exige mais do que a senha. Use a sua chave de acesso para seguir; quem a perdeu fala com
        um administrador.
      </p>
      {problem && (
        <Callout compact intent="danger" role="alert">
          {problem}
        </Callout>
      )}
      {canUsePasskeys() ? (
        <Button
          intent="primary"
          icon={<KeyIcon />}
          text="Usar a chave de acesso"
          loading={passkey.isBusy}
          onClick={passkey.give}
        />
      ) : (
        <p className="muted">
          Este endereço não aceita chaves de acesso: abra o sistema por um nome (https://…), não por um
          número.
        </p>
      )}
    </>
  )
}
