import { Button } from '@blueprintjs/core'
import {
  EVIDENCE_CATEGORIES,
  EVIDENCE_CATEGORY,
  type EvidenceCategory,
  OFFERED_CATEGORIES,
} from '@garantia/shared/evidence/category'
import {
  GUEST_BYTES,
  GUEST_BYTES_DEFAULT,
  GUEST_DAYS,
  GUEST_DAYS_DEFAULT,
  GUEST_FILES_DEFAULT,
  GUEST_LABEL_MAX,
  GUEST_SHOWN,
  GUEST_SHOWN_NAMES,
  type GuestShown,
  guestLinkInput,
} from '@garantia/shared/evidence/guest-link'
import { bytes, counted } from '@garantia/shared/format'
import type { OrderView } from '@garantia/shared/orders/schema'
import { zodResolver } from '@hookform/resolvers/zod'
import { useState } from 'react'
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
import { NewGuestLink } from './new-guest-link.tsx'

interface Props {
  order: OrderView
  /** Categories that the brand still asks for, and all that it asks for. */
  missing: readonly EvidenceCategory[]
  required: readonly EvidenceCategory[]
}

const DAYS = GUEST_DAYS.map((days) => ({ value: days, label: counted(days, 'dia', 'dias') }))
const FILES = [10, GUEST_FILES_DEFAULT, 100, 200].map((files) => ({
  value: files,
  label: counted(files, 'arquivo', 'arquivos'),
}))
const SIZES = GUEST_BYTES.map((size) => ({ value: size, label: bytes(size) }))
const SHOWN = GUEST_SHOWN_NAMES.map((value) => ({ value, label: GUEST_SHOWN[value] }))

/** A new link. What the brand still misses is ticked; the address is shown once, as a code and as text. */
export function GuestLinkForm({ order, missing, required }: Props) {
  const utils = trpc.useUtils()
  const [blank] = useState(() => ({
    label: '',
    categories: [...(missing.length > 0 ? missing : required.length > 0 ? required : OFFERED_CATEGORIES)],
    shows: ['vehicle_model', 'vehicle_plate'] as GuestShown[],
    expires_in_days: String(GUEST_DAYS_DEFAULT),
    max_files: String(GUEST_FILES_DEFAULT),
    max_bytes: String(GUEST_BYTES_DEFAULT),
  }))
  const [form] = useState(() =>
    formOf(
      guestLinkInput,
      (fields: typeof blank) => ({
        ...fields,
        order_id: order.id,
        expires_in_days: chosen(fields.expires_in_days),
        max_files: chosen(fields.max_files),
        max_bytes: chosen(fields.max_bytes),
      }),
      () => ({}),
    ),
  )
  const { register, control, handleSubmit, formState, reset } = useForm({
    resolver: zodResolver(form),
    defaultValues: blank,
  })
  const { errors } = formState
  const make = trpc.guestLinks.make.useMutation({
    onSuccess: async () => {
      reset(blank)
      await utils.guestLinks.list.invalidate({ order_id: order.id })
    },
    onError: (error) => toast.error({ title: 'Erro', description: messageOf(error) }),
  })
  const { press, isBusy } = usePress(handleSubmit((input) => make.mutateAsync(input)))
  useShortcut(['mod+s', 'mod+enter'], press, { worksInFields: true, label: 'Criar link' })
  const hint = useKeyHint()
  if (make.data) return <NewGuestLink link={make.data} onKept={make.reset} />
  return (
    <form noValidate className="guest-link-form" aria-label="Criar um link" onSubmit={submitting(press)}>
      <div className="form-grid">
        <Field
          label="Para quem"
          isRequired
          span={12}
          error={errors.label?.message}
          help="Fica registrado em cada foto: por exemplo «Mecânico João»."
        >
          {(field) => (
            <TextInput control={field} field={register('label')} maxLength={GUEST_LABEL_MAX} autoFocus />
          )}
        </Field>
        <Field label="Validade" isRequired span={4} error={errors.expires_in_days?.message}>
          {(field) => <SelectInput control={field} field={register('expires_in_days')} options={DAYS} />}
        </Field>
        <Field label="Até" isRequired span={4} error={errors.max_files?.message}>
          {(field) => <SelectInput control={field} field={register('max_files')} options={FILES} />}
        </Field>
        <Field label="No total" isRequired span={4} error={errors.max_bytes?.message}>
          {(field) => <SelectInput control={field} field={register('max_bytes')} options={SIZES} />}
        </Field>
      </div>
      <Controller
        control={control}
        name="categories"
        render={({ field: { value, onChange } }) => (
          <CheckList
            legend="Fotos pedidas"
            error={errors.categories?.message}
            options={EVIDENCE_CATEGORIES.filter(
              (one) => OFFERED_CATEGORIES.includes(one) || required.includes(one),
            ).map((one) => ({ value: one, label: EVIDENCE_CATEGORY[one] }))}
            value={value}
            onChange={onChange}
          />
        )}
      />
      <Controller
        control={control}
        name="shows"
        render={({ field: { value, onChange } }) => (
          <CheckList
            legend="A página mostra"
            help="Nada mais da OS aparece para quem abre o link."
            error={errors.shows?.message}
            options={SHOWN}
            value={value}
            onChange={onChange}
          />
        )}
      />
      <div className="guest-link-actions">
        <Button
          type="submit"
          intent="primary"
          text="Criar link"
          {...hint('Criar link', 'mod+s')}
          loading={isBusy}
        />
      </div>
    </form>
  )
}
