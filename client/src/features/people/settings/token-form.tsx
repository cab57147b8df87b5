import { Button } from '@blueprintjs/core'
import { counted } from '@garantia/shared/format'
import { apiTokenInput, TOKEN_DAYS, TOKEN_NAME_MAX } from '@garantia/shared/tokens/schema'
import { TOKEN_SCOPE_LABEL, TOKEN_SCOPES } from '@garantia/shared/tokens/scope'
import { zodResolver } from '@hookform/resolvers/zod'
import { chosen, formOf } from '../../../lib/forms.ts'
import { messageOf } from '../../../lib/messages.ts'
import { trpc } from '../../../lib/trpc.ts'
import { toast } from '../../../ui/feedback/toaster.tsx'
import { Field } from '../../../ui/form/field.tsx'
import { SelectInput, TextInput } from '../../../ui/form/inputs.tsx'
import { useForm } from '../../../ui/form/use-form.ts'
import { useKeyHint } from '../../../ui/keys/key-hint.ts'
import { useShortcut } from '../../../ui/keys/shortcut.ts'
import { submitting, usePress } from '../../../ui/press.ts'
import { ShownOnce } from './shown-once.tsx'

const BLANK = { name: '', expires_in_days: '90', scope: '', networks: '' }
const form = formOf(
  apiTokenInput,
  (fields: typeof BLANK) => ({
    ...fields,
    expires_in_days: chosen(fields.expires_in_days),
    networks: fields.networks.split(/[\s,;]+/).filter(Boolean),
  }),
  () => ({}),
)
const SCOPES = TOKEN_SCOPES.map((value) => ({ value, label: TOKEN_SCOPE_LABEL[value] }))
const DAYS = TOKEN_DAYS.map((days) => ({ value: days, label: counted(days, 'dia', 'dias') }))

export function TokenForm() {
  const utils = trpc.useUtils()
  const { register, handleSubmit, formState, reset } = useForm({
    resolver: zodResolver(form),
    defaultValues: BLANK,
  })
  const { errors } = formState
  const open = trpc.tokens.open.useMutation({
    onSuccess: async () => {
      reset(BLANK)
      await utils.tokens.list.invalidate()
    },
    onError: (error) => toast.error({ title: 'Erro', description: messageOf(error) }),
  })
  const { press, isBusy } = usePress(handleSubmit((input) => open.mutateAsync(input)))
  useShortcut(['mod+s', 'mod+enter'], press, { worksInFields: true, label: 'Criar token' })
  const hint = useKeyHint()
  return (
    <section className="settings-card panel" aria-label="Criar um token">
      <div role="status">
        {open.data && (
          <ShownOnce what="Token" value={open.data.token} onKept={open.reset}>
            Token «{open.data.name}» criado. Copie-o agora: <strong>ele não será mostrado de novo.</strong>
          </ShownOnce>
        )}
      </div>
      <form noValidate className="settings-form" onSubmit={submitting(press)}>
        <Field
          label="Nome"
          isRequired
          error={errors.name?.message}
          help="Para que serve, por exemplo «Integração com o ERP»."
        >
          {(control) => <TextInput control={control} field={register('name')} maxLength={TOKEN_NAME_MAX} />}
        </Field>
        <Field
          label="Permissão"
          isRequired
          error={errors.scope?.message}
          help="O menos que baste. Contas, senhas e tokens só mudam com a sua senha, nunca por um token."
        >
          {(control) => (
            <SelectInput
              control={control}
              field={register('scope')}
              placeholder="Selecione"
              options={SCOPES}
            />
          )}
        </Field>
        <Field
          label="Endereços permitidos"
          error={errors.networks?.message}
          help="De onde pode ser usado, por exemplo 203.0.113.7 ou 203.0.113.0/24. Em branco, de qualquer lugar."
        >
          {(control) => <TextInput control={control} field={register('networks')} />}
        </Field>
        <Field label="Validade" isRequired error={errors.expires_in_days?.message}>
          {(control) => (
            <SelectInput
              control={control}
              field={register('expires_in_days')}
              placeholder="Selecione"
              options={DAYS}
            />
          )}
        </Field>
        <div className="settings-actions">
          <Button
            type="submit"
            intent="primary"
            text="Criar token"
            {...hint('Criar token', 'mod+s')}
            loading={isBusy}
          />
        </div>
      </form>
    </section>
  )
}
