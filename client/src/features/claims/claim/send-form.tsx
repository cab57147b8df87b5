import { Button, ProgressBar } from '@blueprintjs/core'
import { DuplicateIcon, ShareIcon } from '@blueprintjs/icons'
import { isMasked } from '@garantia/shared/br/mask'
import { maskChassis } from '@garantia/shared/br/vehicle'
import { type SubmissionInput, submissionInput } from '@garantia/shared/claims/answers'
import type { ClaimView } from '@garantia/shared/claims/schema'
import { STEP_LABEL } from '@garantia/shared/claims/steps'
import type { OrderView } from '@garantia/shared/orders/schema'
import { zodResolver } from '@hookform/resolvers/zod'
import { useForm } from 'react-hook-form'
import type { z } from 'zod'
import { copyText } from '../../../lib/clipboard.ts'
import { messageOf } from '../../../lib/messages.ts'
import { trpc } from '../../../lib/trpc.ts'
import { toast } from '../../../ui/feedback/toaster.tsx'
import { Field } from '../../../ui/form/field.tsx'
import { ModalForm } from '../../../ui/form/form-modal.tsx'
import { TextBox, TextInput } from '../../../ui/form/inputs.tsx'
import { useFormDraft } from '../../../ui/form/use-form-draft.ts'
import { CopyButton } from '../../../ui/page/copy-button.tsx'
import { usePress } from '../../../ui/press.ts'
import { portalFieldsOf } from './portal-fields.ts'
import { SinceLastSending } from './since-last-sending.tsx'
import { useSending } from './use-sending.ts'
import './send-form.css'

const form = submissionInput.pick({ brand_number: true, note: true })
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
        <Field label="Observação" error={formState.errors.note?.message}>
          {(control) => <TextBox control={control} field={register('note')} rows={2} />}
        </Field>
      </div>
      {(claim.state === 'returned' || claim.type === 'appeal') && <SinceLastSending claim={claim} />}
      <PortalData order={order} claim={claim} />
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

/** What the portal asks, each with its button, and all at once. */
function PortalData({ order, claim }: Omit<Props, 'onDone'>) {
  const brands = trpc.brands.list.useQuery(undefined, { staleTime: 60_000 })
  const brand = brands.data?.data.find(({ id }) => id === claim.brand_id)
  const reveal = trpc.orders.reveal.useMutation({
    onError: (error) => toast.error({ title: 'Erro', description: messageOf(error) }),
  })
  /** The chassis is masked until it is copied, which the security log notes. */
  const chassis = async () => {
    if (!order.vehicle_chassis || !isMasked(order.vehicle_chassis)) return order.vehicle_chassis
    const answer = await reveal.mutateAsync({ id: order.id, fields: ['vehicle_chassis'] }).catch(() => null)
    return answer?.vehicle_chassis ?? null
  }
  const fields = portalFieldsOf(order, claim).filter(({ text }) => Boolean(text))
  const { press, isBusy } = usePress(async () => {
    const whole = await chassis()
    const all = [...(whole ? [{ label: 'Chassi', text: whole }] : []), ...fields]
    if (await copyText(all.map(({ label, text }) => `${label}: ${text}`).join('\n')))
      toast.success({ title: 'Dados copiados', description: `${all.length} campos da OS ${order.os_number}` })
    else toast.error({ title: 'Não foi possível copiar', description: 'Copie campo por campo.' })
  })
  return (
    <section className="portal" aria-label="Dados para o portal da marca">
      <div className="portal-head">
        <h3>Dados para o portal</h3>
        <Button size="small" icon={<DuplicateIcon />} text="Copiar tudo" loading={isBusy} onClick={press} />
        {brand?.submission_url && (
          <a className="bp6-button bp6-small" href={brand.submission_url} target="_blank" rel="noreferrer">
            <ShareIcon />
            <span className="bp6-button-text">Abrir {brand.submission_system ?? 'portal da marca'}</span>
          </a>
        )}
      </div>
      <dl className="portal-fields">
        {order.vehicle_chassis && (
          <div>
            <dt>Chassi</dt>
            <dd>
              <span className="clip">{maskChassis(order.vehicle_chassis)}</span>
              <CopyButton what="chassi" text={chassis} />
            </dd>
          </div>
        )}
        {fields.map(({ label, text }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              <span className="clip" title={text ?? undefined}>
                {text}
              </span>
              <CopyButton what={label.toLowerCase()} text={text ?? ''} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
