import { Button } from '@blueprintjs/core'
import { STANDING_LABEL } from '@garantia/shared/auth/schema'
import type { MeView } from '@garantia/shared/users/schema'
import { zodResolver } from '@hookform/resolvers/zod'
import { messageOf } from '../../../lib/messages.ts'
import { trpc } from '../../../lib/trpc.ts'
import { toast } from '../../../ui/feedback/toaster.tsx'
import { Field } from '../../../ui/form/field.tsx'
import { PasswordInput } from '../../../ui/form/password-input.tsx'
import { SwitchInput } from '../../../ui/form/toggles.tsx'
import { useForm } from '../../../ui/form/use-form.ts'
import { useKeyHint } from '../../../ui/keys/key-hint.ts'
import { useShortcut } from '../../../ui/keys/shortcut.ts'
import { submitting, usePress } from '../../../ui/press.ts'
import { NewPasswordFields } from '../auth/new-password-fields.tsx'
import { passwordForm } from '../auth/password-forms.ts'

const BLANK = { current_password: '', new_password: '', confirm_password: '', revoke_tokens: true }

export function PasswordTab({ me }: { me: MeView }) {
  const utils = trpc.useUtils()
  const { register, handleSubmit, formState, reset, trigger } = useForm({
    resolver: zodResolver(passwordForm),
    mode: 'onTouched',
    defaultValues: BLANK,
  })
  const { errors, touchedFields } = formState
  const change = trpc.account.changePassword.useMutation({
    onSuccess: (_, { revoke_tokens }) => {
      reset(BLANK)
      void utils.account.sessions.invalidate()
      if (revoke_tokens) void utils.tokens.list.invalidate()
      toast.success({
        title: 'Senha alterada com sucesso.',
        description: revoke_tokens
          ? 'As suas outras sessões, tokens de API, links para fotos e o calendário foram encerrados.'
          : 'As suas outras sessões foram encerradas.',
      })
    },
    onError: (error) => toast.error({ title: 'Erro', description: messageOf(error) }),
  })
  const { press, isBusy } = usePress(handleSubmit((input) => change.mutateAsync(input)))
  useShortcut(['mod+s', 'mod+enter'], press, { worksInFields: true, label: 'Salvar' })
  const hint = useKeyHint()
  return (
    <div className="settings">
      <section className="settings-card panel" aria-label="Trocar a senha">
        <form noValidate className="settings-form" onSubmit={submitting(press)}>
          {/* Tells password managers which account this password belongs to. */}
          <input hidden readOnly autoComplete="username" value={me.email} />
          <Field label="Senha atual" isRequired error={errors.current_password?.message}>
            {(control) => (
              <PasswordInput
                control={control}
                field={register('current_password')}
                autoComplete="current-password"
              />
            )}
          </Field>
          <NewPasswordFields
            label="Nova senha"
            password={{
              field: () =>
                register('new_password', {
                  onChange: () => void (touchedFields.confirm_password && trigger('confirm_password')),
                }),
              error: errors.new_password?.message,
            }}
            confirmation={{
              field: () => register('confirm_password'),
              error: errors.confirm_password?.message,
            }}
            isRequired
          />
          <SwitchInput
            field={register('revoke_tokens')}
            label={STANDING_LABEL}
            help="Quem soube a senha pode ter criado um."
          />
          <div className="settings-actions">
            <Button
              type="submit"
              intent="primary"
              text="Salvar"
              {...hint('Salvar', 'mod+s')}
              loading={isBusy}
            />
          </div>
        </form>
      </section>
    </div>
  )
}
