import { AnchorButton, Button, Callout, DialogBody, DialogFooter } from '@blueprintjs/core'
import { confirmInput } from '@garantia/shared/auth/schema'
import { CODE_NEEDED, CODE_WRONG, CONFIRMED_MINUTES } from '@garantia/shared/auth/second-factor'
import { zodResolver } from '@hookform/resolvers/zod'
import { useEffect } from 'react'
import { useActor } from '../../../lib/actor.ts'
import { detailOf, messageOf } from '../../../lib/messages.ts'
import { canUsePasskeys } from '../../../lib/passkeys.ts'
import { TOKEN_KEY } from '../../../lib/session.ts'
import { trpc } from '../../../lib/trpc.ts'
import { Field } from '../../../ui/form/field.tsx'
import { PasswordInput } from '../../../ui/form/password-input.tsx'
import { useForm } from '../../../ui/form/use-form.ts'
import { Modal } from '../../../ui/overlay/modal.tsx'
import './auth.css'
import { usePress } from '../../../ui/press.ts'
import { CodeField } from './code-field.tsx'
import { usePasskey } from './use-passkey.ts'

interface Props {
  isOpen: boolean
  onClose: (isConfirmed: boolean) => void
}

/** Asks who uses this session to prove it, before an action that asks for a recent sign-in. */
export const IdentityDialog = ({ isOpen, onClose }: Props) => (
  <Modal isOpen={isOpen} title="Confirme que é você" onClose={() => onClose(false)}>
    <IdentityForm onClose={onClose} />
  </Modal>
)

function IdentityForm({ onClose }: Pick<Props, 'onClose'>) {
  const { data: ways } = trpc.auth.ways.useQuery()
  const me = useActor()
  const { client } = trpc.useUtils()
  // The directory is in another tab, so that nothing is lost that was typed here; this one uses its token from then on.
  useEffect(() => {
    const listener = async ({ key, newValue }: StorageEvent) => {
      if (key !== TOKEN_KEY || newValue === null) return
      const other = await client.account.me.query()
      if (me.kind === 'user' && me.id === other.id) onClose(true)
      else location.reload()
    }
    window.addEventListener('storage', listener)
    return () => window.removeEventListener('storage', listener)
  })
  const { register, handleSubmit, formState } = useForm({
    resolver: zodResolver(confirmInput),
    defaultValues: { password: '' },
  })
  const { errors } = formState
  const confirm = trpc.account.confirm.useMutation({ onSuccess: () => onClose(true) })
  const byPasskey = trpc.passkeys.confirm.useMutation({ onSuccess: () => onClose(true) })
  const passkey = usePasskey((response) => byPasskey.mutateAsync({ response }))
  const detail = detailOf(confirm.error)
  const needsCode = detail === CODE_NEEDED || detail === CODE_WRONG
  const problem =
    passkey.problem ??
    (byPasskey.error && messageOf(byPasskey.error)) ??
    (confirm.error && detail !== CODE_NEEDED && detail !== CODE_WRONG ? messageOf(confirm.error) : null)
  const { press, isBusy: isSending } = usePress(handleSubmit((input) => confirm.mutateAsync(input)))
  const isBusy = isSending || passkey.isBusy
  return (
    <form
      noValidate
      onSubmit={(event) => {
        // React passes events of a dialog on to the form that opened it.
        event.stopPropagation()
        event.preventDefault()
        press()
      }}
    >
      <DialogBody className="identity">
        <p>
          Isto muda quem pode entrar, leva dados para fora ou não pode ser desfeito. Como você entrou há mais
          de {CONFIRMED_MINUTES} minutos, confirme a sua senha.
        </p>
        {problem && (
          <Callout compact intent="danger" role="alert">
            {problem}
          </Callout>
        )}
        <Field label="Senha" error={errors.password?.message}>
          {(control) => (
            <PasswordInput
              control={control}
              field={register('password')}
              autoComplete="current-password"
              autoFocus
            />
          )}
        </Field>
        {needsCode && (
          <CodeField
            field={register('code')}
            error={errors.code?.message ?? (detail === CODE_WRONG ? CODE_WRONG : undefined)}
          />
        )}
        {canUsePasskeys() && (
          <Button
            variant="outlined"
            text="Confirmar com chave de acesso"
            disabled={isBusy}
            onClick={passkey.give}
          />
        )}
        {ways?.directory && (
          <AnchorButton
            variant="outlined"
            text={`Entrar de novo com ${ways.directory}, em outra aba`}
            target="_blank"
            href={`/directory/start?again=1&redirect=${encodeURIComponent(location.pathname + location.search)}`}
          />
        )}
      </DialogBody>
      <DialogFooter
        actions={
          <>
            <Button text="Cancelar" onClick={() => onClose(false)} />
            <Button type="submit" intent="primary" text="Confirmar" loading={isBusy} />
          </>
        }
      />
    </form>
  )
}
