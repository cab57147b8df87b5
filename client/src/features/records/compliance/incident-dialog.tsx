import {
  INCIDENT_LABEL,
  INCIDENT_TEXTS,
  type IncidentContent,
  type IncidentView,
  NOTICE,
  NOTICES,
} from '@garantia/shared/privacy/incident'
import { zodResolver } from '@hookform/resolvers/zod'
import { useRef, useState } from 'react'
import { markRefused } from '../../../lib/forms.ts'
import { messageOf } from '../../../lib/messages.ts'
import { trpc } from '../../../lib/trpc.ts'
import { toast } from '../../../ui/feedback/toaster.tsx'
import { Field } from '../../../ui/form/field.tsx'
import { FormModal, ModalForm } from '../../../ui/form/form-modal.tsx'
import { SelectInput, TextBox, TextInput } from '../../../ui/form/inputs.tsx'
import { SwitchInput } from '../../../ui/form/toggles.tsx'
import { useForm } from '../../../ui/form/use-form.ts'
import {
  fieldsOf,
  INCIDENT_FIELDS,
  type IncidentFields,
  incidentForm,
  newIncident,
} from './incident-form-schema.ts'

interface Props {
  /** Null keeps the dialog closed. */
  subject: IncidentView | 'new' | null
  onClose: () => void
}

export function IncidentDialog({ subject, onClose }: Props) {
  const last = useRef<IncidentView | 'new'>('new')
  if (subject !== null) last.current = subject
  const shown = subject ?? last.current
  return (
    <FormModal
      isOpen={subject !== null}
      title={shown === 'new' ? 'Registrar incidente' : 'Editar incidente'}
      unsavedLabel="o relatório do incidente"
      onClose={onClose}
    >
      <IncidentForm incident={shown === 'new' ? null : shown} onDone={onClose} />
    </FormModal>
  )
}

const NOTICE_OPTIONS = NOTICES.map((value) => ({ value, label: NOTICE[value] }))

function IncidentForm({ incident, onDone }: { incident: IncidentView | null; onDone: () => void }) {
  const [before] = useState(() => fieldsOf(incident?.content ?? newIncident(new Date())))
  const form = useForm<IncidentFields, unknown, IncidentContent>({
    resolver: zodResolver(incidentForm),
    mode: 'onTouched',
    defaultValues: before,
  })
  const utils = trpc.useUtils()
  const settled = {
    onSuccess: () => {
      void utils.compliance.incidents.invalidate()
      toast.success({ title: 'Sucesso!', description: 'Relatório do incidente salvo.' })
      onDone()
    },
    onError: (error: unknown) => {
      const [first] = markRefused(form.setError, error, INCIDENT_FIELDS, () => undefined)
      if (first) form.setFocus(first)
      toast.error({ title: 'Erro', description: messageOf(error) })
    },
  }
  const open = trpc.compliance.openIncident.useMutation(settled)
  const change = trpc.compliance.changeIncident.useMutation(settled)
  const submit = form.handleSubmit((content) =>
    incident
      ? change.mutateAsync({ id: incident.id, version: incident.version, content })
      : open.mutateAsync(content),
  )
  const { register, formState } = form
  const error = (name: keyof IncidentFields) => formState.errors[name]?.message
  const line = (name: keyof IncidentFields, label: string, rest: LineProps = {}) => (
    <Field
      label={label}
      error={error(name)}
      span={rest.span ?? 6}
      isRequired={rest.isRequired ?? false}
      help={rest.help}
    >
      {(control) => (
        <TextInput
          control={control}
          field={register(name)}
          {...(rest.type && { type: rest.type })}
          {...(rest.isCount && { inputMode: 'numeric' as const })}
        />
      )}
    </Field>
  )
  return (
    <ModalForm submitText="Salvar" isDirty={formState.isDirty} onSubmit={submit}>
      <div className="form-grid">
        {line('title', 'Nome do incidente', { span: 12, isRequired: true })}
        {line('known_at', 'Conhecido em', { type: 'datetime-local', isRequired: true })}
        {line('occurred', 'Ocorrido em, se sabido', {
          help: 'Dia e hora ou período, como 24/11/2026 às 14:30, ou de 20 a 24/11/2026.',
        })}
        <Field label="Avaliação" error={error('notice')} span={6}>
          {(control) => <SelectInput control={control} field={register('notice')} options={NOTICE_OPTIONS} />}
        </Field>
        <div className="span-6">
          <SwitchInput
            field={register('is_small_agent')}
            label="Agente de pequeno porte"
            help="O prazo é contado em dobro."
          />
        </div>
        {INCIDENT_TEXTS.map((name) => (
          <Field
            key={name}
            label={INCIDENT_LABEL[name]}
            error={error(name)}
            isRequired={name === 'description'}
          >
            {(control) => <TextBox control={control} field={register(name)} rows={2} />}
          </Field>
        ))}
        {line('subjects_affected', 'Titulares afetados', { isCount: true })}
        {line('subjects_total', 'Titulares nas atividades afetadas', { isCount: true })}
        {line('authority_at', 'Comunicado à ANPD em', { type: 'datetime-local' })}
        {line('authority_protocol', 'Protocolo da ANPD')}
        {line('subjects_at', 'Comunicado aos titulares em', { type: 'datetime-local' })}
        {line('officer', 'Encarregado e contato')}
        {line('controller', 'Controlador')}
        {line('operator', 'Operador')}
        <SwitchInput field={register('is_closed')} label="Encerrado" />
      </div>
    </ModalForm>
  )
}
interface LineProps {
  span?: 6 | 12
  type?: 'datetime-local'
  help?: string
  isCount?: boolean
  isRequired?: boolean
}
