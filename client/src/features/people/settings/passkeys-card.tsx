import { Button } from '@blueprintjs/core'
import { KeyIcon } from '@blueprintjs/icons'
import {
  type FactorsView,
  PASSKEY_NAME_MAX,
  type PasskeyInput,
  type PasskeyView,
  passkeyName,
} from '@garantia/shared/auth/second-factor'
import { dateTime } from '@garantia/shared/format'
import { zodResolver } from '@hookform/resolvers/zod'
import { useState } from 'react'
import { messageOf } from '../../../lib/messages.ts'
import { canUsePasskeys, makePasskey, passkeyProblem } from '../../../lib/passkeys.ts'
import { trpc } from '../../../lib/trpc.ts'
import { toast } from '../../../ui/feedback/toaster.tsx'
import { Field } from '../../../ui/form/field.tsx'
import { TextInput } from '../../../ui/form/inputs.tsx'
import { useForm } from '../../../ui/form/use-form.ts'
import { ConfirmDialog } from '../../../ui/overlay/confirm-dialog.tsx'
import { submitting, usePress } from '../../../ui/press.ts'
import { deviceOf } from './device.ts'

/** Passkeys of the account: added on this device, and removed. */
export function PasskeysCard({ passkeys }: Pick<FactorsView, 'passkeys'>) {
  const [toRemove, setToRemove] = useState<PasskeyView | null>(null)
  return (
    <section className="settings-card panel" aria-labelledby="passkeys-title">
      <h2 id="passkeys-title">Chaves de acesso</h2>
      <p className="muted">
        Entre com a impressão digital, o rosto ou o PIN deste aparelho, ou com uma chave de segurança, em vez
        da senha.
      </p>
      {passkeys.length > 0 && (
        <ul className="passkeys" aria-label="Chaves de acesso cadastradas">
          {passkeys.map((passkey) => (
            <Passkey key={passkey.id} passkey={passkey} onRemove={() => setToRemove(passkey)} />
          ))}
        </ul>
      )}
      {canUsePasskeys() ? (
        <PasskeyForm />
      ) : (
        <p className="muted">
          Este endereço não aceita chaves de acesso: abra o sistema por um nome (https://…), não por um
          número.
        </p>
      )}
      <PasskeyRemoval passkey={toRemove} onClose={() => setToRemove(null)} />
    </section>
  )
}

function Passkey({ passkey, onRemove }: { passkey: PasskeyView; onRemove: () => void }) {
  const { name, created_at, last_used_at } = passkey
  return (
    <li className="session">
      <span className="session-icon" aria-hidden="true">
        <KeyIcon size={18} />
      </span>
      <div className="session-text">
        <strong>{name}</strong>
        <span className="muted numeric">
          <span>Cadastrada em {dateTime(created_at)}</span>
          <span>{last_used_at ? `Usada em ${dateTime(last_used_at)}` : 'Nunca usada'}</span>
        </span>
      </div>
      <Button text="Remover" aria-label={`Remover: ${name}`} onClick={onRemove} />
    </li>
  )
}

function PasskeyForm() {
  const utils = trpc.useUtils()
  const { register, handleSubmit, formState, reset } = useForm({
    resolver: zodResolver(passkeyName),
    defaultValues: { name: deviceOf(navigator.userAgent) },
  })
  const begin = trpc.passkeys.begin.useMutation()
  const add = trpc.passkeys.add.useMutation()
  const make = async (name: string) => {
    try {
      const options = await begin.mutateAsync()
      const response = await makePasskey(options).catch((error: unknown) => {
        const description = passkeyProblem(error)
        if (description) toast.error({ title: 'Chave de acesso não cadastrada', description })
        return null
      })
      if (!response) return
      await add.mutateAsync({ name, response: response as PasskeyInput['response'] })
      toast.success({ title: 'Chave de acesso cadastrada', description: name })
      reset()
      await Promise.all([utils.account.factors.invalidate(), utils.account.me.invalidate()])
    } catch (error) {
      toast.error({ title: 'Erro', description: messageOf(error) })
    }
  }
  const { press, isBusy } = usePress(handleSubmit(({ name }) => make(name)))
  return (
    <form noValidate className="settings-form" onSubmit={submitting(press)}>
      <Field
        label="Nome"
        isRequired
        error={formState.errors.name?.message}
        help="Para você reconhecer o aparelho depois."
      >
        {(control) => <TextInput control={control} field={register('name')} maxLength={PASSKEY_NAME_MAX} />}
      </Field>
      <div className="settings-actions">
        <Button type="submit" text="Cadastrar chave de acesso" loading={isBusy} />
      </div>
    </form>
  )
}

function PasskeyRemoval({ passkey, onClose }: { passkey: PasskeyView | null; onClose: () => void }) {
  const utils = trpc.useUtils()
  const remove = trpc.passkeys.remove.useMutation({
    onSuccess: () => toast.success({ title: 'Chave de acesso removida', description: passkey?.name }),
    onError: (error) => toast.error({ title: 'Erro', description: messageOf(error) }),
    onSettled: () => {
      onClose()
      void utils.account.factors.invalidate()
    },
  })
  return (
    <ConfirmDialog
      isOpen={passkey !== null}
      title={`Remover «${passkey?.name ?? ''}»?`}
      confirmText="Remover"
      onConfirm={() => passkey && remove.mutateAsync({ id: passkey.id })}
      onCancel={onClose}
    >
      Ela deixa de abrir a sua conta. Apague-a também no aparelho, que não sabe que foi removida.
    </ConfirmDialog>
  )
}
