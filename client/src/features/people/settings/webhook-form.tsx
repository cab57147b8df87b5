import { Button } from '@blueprintjs/core'
import { TOPIC_LABEL, WEBHOOK_TOPICS, type WebhookTopic, webhookInput } from '@garantia/shared/webhooks'
import { zodResolver } from '@hookform/resolvers/zod'
import { Controller } from 'react-hook-form'
import { chosen, formOf } from '../../../lib/forms.ts'
import { messageOf } from '../../../lib/messages.ts'
import { trpc } from '../../../lib/trpc.ts'
import { toast } from '../../../ui/feedback/toaster.tsx'
import { Field } from '../../../ui/form/field.tsx'
import { SelectInput, TextInput } from '../../../ui/form/inputs.tsx'
import { CheckList } from '../../../ui/form/toggles.tsx'
import { useForm } from '../../../ui/form/use-form.ts'
import { useKeyHint } from '../../../ui/keys/key-hint.ts'
import { useShortcut } from '../../../ui/keys/shortcut.ts'
import { submitting, usePress } from '../../../ui/press.ts'
import { ShownOnce } from './shown-once.tsx'

const BLANK = { url: '', topics: [...WEBHOOK_TOPICS] as WebhookTopic[], company_id: '' }
const form = formOf(
  webhookInput,
  (fields: typeof BLANK) => ({ ...fields, company_id: chosen(fields.company_id) ?? null }),
  () => ({}),
)
const TOPICS = WEBHOOK_TOPICS.map((value) => ({ value, label: TOPIC_LABEL[value] }))

/** An address of another system, and what it is told of. */
export function WebhookForm() {
  const utils = trpc.useUtils()
  const companies = trpc.companies.active.useQuery({})
  const { register, control, handleSubmit, formState, reset } = useForm({
    resolver: zodResolver(form),
    defaultValues: BLANK,
  })
  const { errors } = formState
  const create = trpc.webhooks.create.useMutation({
    onSuccess: async () => {
      reset(BLANK)
      await utils.webhooks.list.invalidate()
    },
    onError: (error) => toast.error({ title: 'Erro', description: messageOf(error) }),
  })
  const { press, isBusy } = usePress(handleSubmit((input) => create.mutateAsync(input)))
  useShortcut(['mod+s', 'mod+enter'], press, { worksInFields: true, label: 'Criar webhook' })
  const hint = useKeyHint()
  return (
    <section className="settings-card panel" aria-label="Criar um webhook">
      <div role="status">
        {create.data && (
          <ShownOnce what="Segredo" value={create.data.secret} onKept={create.reset}>
            Webhook criado. Copie o segredo para o sistema que recebe:{' '}
            <strong>ele não será mostrado de novo.</strong>
          </ShownOnce>
        )}
      </div>
      <form noValidate className="settings-form" onSubmit={submitting(press)}>
        <Field
          label="Endereço"
          isRequired
          error={errors.url?.message}
          help="Do sistema que recebe, por exemplo https://dms.exemplo.com.br/garantia."
        >
          {(control) => <TextInput control={control} field={register('url')} inputMode="url" />}
        </Field>
        <Controller
          control={control}
          name="topics"
          render={({ field: { value, onChange } }) => (
            <CheckList
              legend="Assuntos"
              error={errors.topics?.message}
              options={TOPICS}
              value={value}
              onChange={onChange}
            />
          )}
        />
        <Field label="Empresa" help="De que empresa são as OS.">
          {(control) => (
            <SelectInput
              control={control}
              field={register('company_id')}
              placeholder="Todas as empresas"
              options={(companies.data?.data ?? []).map(({ id, trading_name }) => ({
                value: id,
                label: trading_name,
              }))}
            />
          )}
        </Field>
        <div className="settings-actions">
          <Button
            type="submit"
            intent="primary"
            text="Criar webhook"
            {...hint('Criar webhook', 'mod+s')}
            loading={isBusy}
          />
        </div>
      </form>
    </section>
  )
}
