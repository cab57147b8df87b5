import { AnchorButton, Button, ProgressBar } from '@blueprintjs/core'
import { DuplicateIcon, ShareIcon } from '@blueprintjs/icons'
import type { BrandView } from '@garantia/shared/brands/schema'
import { type SubmissionInput, submissionInput } from '@garantia/shared/claims/answers'
import { SUBMISSION_CHANNEL, SUBMISSION_CHANNELS } from '@garantia/shared/claims/brand-rules'
import type { ClaimView } from '@garantia/shared/claims/schema'
import { STEP_LABEL } from '@garantia/shared/claims/steps'
import type { OrderView } from '@garantia/shared/orders/schema'
import { zodResolver } from '@hookform/resolvers/zod'
import type { z } from 'zod'
import { copyText } from '../../../lib/clipboard.ts'
import { messageOf } from '../../../lib/messages.ts'
import { trpc } from '../../../lib/trpc.ts'
import { toast } from '../../../ui/feedback/toaster.tsx'
import { Field } from '../../../ui/form/field.tsx'
import { ModalForm } from '../../../ui/form/form-modal.tsx'
import { SelectInput, TextBox, TextInput } from '../../../ui/form/inputs.tsx'
import { useForm } from '../../../ui/form/use-form.ts'
import { useFormDraft } from '../../../ui/form/use-form-draft.ts'
import { useKeyHint } from '../../../ui/keys/key-hint.ts'
import { useShortcut } from '../../../ui/keys/shortcut.ts'
import { CopyButton } from '../../../ui/page/copy-button.tsx'
import { usePress } from '../../../ui/press.ts'
import { type PortalField, portalFieldsOf } from './portal-fields.ts'
import { SinceLastSending } from './since-last-sending.tsx'
import { useSending } from './use-sending.ts'
import './send-form.css'

const form = submissionInput.pick({ channel: true, brand_number: true, note: true })
const CHANNELS = SUBMISSION_CHANNELS.map((value) => ({ value, label: SUBMISSION_CHANNEL[value] }))
type Fields = z.input<typeof form>

interface Props {
  order: OrderView
  claim: ClaimView
  onDone: () => void
}

/** Sends a claim, or sends it anew: the data for the brand's portal, its address, and the number that it gave. */
export function SendForm({ order, claim, onDone }: Props) {
  const { register, handleSubmit, formState, ...rest } = useForm<
    Fields,
    unknown,
    Pick<SubmissionInput, keyof Fields>
  >({
    resolver: zodResolver(form),
    mode: 'onTouched',
    defaultValues: { brand_number: claim.brand_number ?? '', note: '' },
  })
  useFormDraft(`claim-sending-${claim.id}`, { register, handleSubmit, formState, ...rest })
  const { send, sealing, isSent } = useSending(claim, onDone)
  const brands = trpc.brands.list.useQuery(undefined, { staleTime: 60_000 })
  const brand = brands.data?.data.find(({ id }) => id === claim.brand_id)
  const label = STEP_LABEL[claim.state === 'returned' ? 'resend' : 'send']
  return (
    <ModalForm submitText={label} isDirty={formState.isDirty && !isSent} onSubmit={handleSubmit(send)}>
      <div className="form-grid">
        <Field
          label="Número que a marca deu"
          span={6}
          error={formState.errors.brand_number?.message}
          help="Pode ficar em branco e ser informado com a resposta."
        >
          {(control) => <TextInput control={control} field={register('brand_number')} maxLength={60} />}
        </Field>
        {brand?.submission_email && (
          <Field
            label="Como enviar"
            span={6}
            error={formState.errors.channel?.message}
            help={`E-mail do analista: ${brand.submission_email}`}
          >
            {(control) => (
              <SelectInput
                control={control}
                field={register('channel', { value: brand.submission_channel })}
                options={CHANNELS}
              />
            )}
          </Field>
        )}
        <Field label="Observação" error={formState.errors.note?.message}>
          {(control) => <TextBox control={control} field={register('note')} rows={2} />}
        </Field>
      </div>
      {(claim.state === 'returned' || claim.type === 'appeal') && <SinceLastSending claim={claim} />}
      <PortalData order={order} claim={claim} brand={brand} />
      <p className="muted send-note">
        O envio leva a versão selada do dossiê; se falta uma, ela é selada agora. Depois disso itens e valores
        não mudam mais.
      </p>
      <div role="status">
        {sealing !== null && (
          <div className="send-sealing">
            <p>Selando o dossiê. O envio segue sozinho.</p>
            <ProgressBar
              value={sealing / 100}
              animate={false}
              stripes={false}
              aria-label={`Dossiê: ${sealing} %`}
            />
          </div>
        )}
      </div>
    </ModalForm>
  )
}

interface PortalProps {
  order: OrderView
  claim: ClaimView
  brand: BrandView | undefined
}

/** What the brand asks, each with its button, and all at once. */
function PortalData({ order, claim, brand }: PortalProps) {
  const reveal = trpc.orders.reveal.useMutation({
    onError: (error) => toast.error({ title: 'Erro', description: messageOf(error) }),
  })
  const wholeOf = async ({ masked, text }: PortalField) => {
    if (masked === null) return text
    const answer = await reveal.mutateAsync({ id: order.id, fields: [masked] }).catch(() => null)
    return answer?.[masked] ?? null
  }
  const fields = portalFieldsOf(order, claim, brand?.submission_fields ?? [])
  const copyAll = async () => {
    const lines: string[] = []
    for (const field of fields) {
      const whole = await wholeOf(field)
      if (whole === null) return
      lines.push(`${field.label}: ${whole}`)
    }
    if (await copyText(lines.join('\n')))
      toast.success({
        title: 'Dados copiados',
        description: `${lines.length} campos da OS ${order.os_number}`,
      })
    else toast.error({ title: 'Não foi possível copiar', description: 'Copie campo por campo.' })
  }
  const { press, isBusy } = usePress(copyAll)
  useShortcut('alt+c', press, { worksInFields: true, label: 'Copiar tudo' })
  const hint = useKeyHint()
  return (
    <section className="portal" aria-label="Dados para a marca">
      <div className="portal-head">
        <h3>Dados para a marca</h3>
        <Button
          size="small"
          icon={<DuplicateIcon />}
          text="Copiar tudo"
          {...hint('Copiar tudo', 'alt+c')}
          loading={isBusy}
          onClick={press}
        />
        {brand?.submission_url && (
          <AnchorButton
            size="small"
            icon={<ShareIcon />}
            text={`Abrir ${brand.submission_system ?? 'portal da marca'}`}
            href={brand.submission_url}
            target="_blank"
            rel="noreferrer"
          />
        )}
      </div>
      <dl className="portal-fields">
        {fields.map((field) => (
          <div key={field.name}>
            <dt>{field.label}</dt>
            <dd>
              <span className="portal-value">{field.text}</span>
              <CopyButton what={field.label.toLowerCase()} text={() => wholeOf(field)} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
