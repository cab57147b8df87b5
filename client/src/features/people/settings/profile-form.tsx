import { Button } from '@blueprintjs/core'
import type { MeView } from '@garantia/shared/users/schema'
import { zodResolver } from '@hookform/resolvers/zod'
import { useWatch } from 'react-hook-form'
import { markRefused } from '../../../lib/forms.ts'
import { trpc } from '../../../lib/trpc.ts'
import { reportFailedSave } from '../../../ui/feedback/failed-save.ts'
import { toast } from '../../../ui/feedback/toaster.tsx'
import { Field } from '../../../ui/form/field.tsx'
import { TextInput } from '../../../ui/form/inputs.tsx'
import { UnsavedGuard } from '../../../ui/form/unsaved-guard.tsx'
import { useForm } from '../../../ui/form/use-form.ts'
import { useKeyHint } from '../../../ui/keys/key-hint.ts'
import { useShortcut } from '../../../ui/keys/shortcut.ts'
import { submitting, useSave } from '../../../ui/press.ts'
import { changesOf, profileForm } from './profile-change.ts'

export function ProfileForm({ me, onDone }: { me: MeView; onDone: () => void }) {
  const before = { full_name: me.full_name, email: me.email }
  const utils = trpc.useUtils()
  const { register, handleSubmit, control, formState, setError, setFocus } = useForm({
    resolver: zodResolver(profileForm(before)),
    mode: 'onTouched',
    defaultValues: before,
  })
  const { errors, isDirty } = formState
  const email = useWatch({ control, name: 'email' })
  const change = trpc.account.change.useMutation({
    onSuccess: (changed) => {
      utils.account.me.setData(undefined, changed)
      void utils.users.list.invalidate()
      toast.success({ title: 'Sucesso!', description: 'Usuário atualizado com sucesso.' })
      onDone()
    },
    onError: (error) => {
      const [first] = markRefused(setError, error, ['full_name', 'email'], () => 'email')
      if (first) setFocus(first)
      reportFailedSave('Erro', error)
    },
  })
  const { press, isBusy } = useSave(handleSubmit((after) => change.mutateAsync(changesOf(before, after))))
  const canSave = isDirty && email.trim() !== ''
  const save = () => {
    if (canSave) press()
  }
  useShortcut(['mod+s', 'mod+enter'], save, { worksInFields: true, label: 'Salvar' })
  const hint = useKeyHint()
  return (
    <form noValidate className="settings-form" onSubmit={submitting(press)}>
      <Field label="Nome completo" isRequired error={errors.full_name?.message}>
        {(control) => (
          <TextInput control={control} field={register('full_name')} autoComplete="name" autoFocus />
        )}
      </Field>
      <Field
        label="Email ou nome de usuário"
        isRequired
        error={errors.email?.message}
        help="É com ele que você entra. Só um email recebe a recuperação de senha."
      >
        {(control) => <TextInput control={control} field={register('email')} autoComplete="username" />}
      </Field>
      <div className="settings-actions">
        <Button
          type="submit"
          intent="primary"
          text="Salvar"
          {...hint('Salvar', 'mod+s')}
          disabled={!canSave}
          loading={isBusy}
        />
        <Button text="Cancelar" disabled={isBusy} onClick={onDone} />
      </div>
      <UnsavedGuard isDirty={isDirty && !change.isSuccess} unsavedLabel="os seus dados" />
    </form>
  )
}
