import { type SavedView, viewInput } from '@garantia/shared/orders/views'
import { zodResolver } from '@hookform/resolvers/zod'
import { useForm } from 'react-hook-form'
import type { z } from 'zod'
import { useMe } from '../../../../lib/actor.ts'
import { markRefused } from '../../../../lib/forms.ts'
import { trpc } from '../../../../lib/trpc.ts'
import { reportFailedSave } from '../../../../ui/feedback/failed-save.ts'
import { toast } from '../../../../ui/feedback/toaster.tsx'
import { Field } from '../../../../ui/form/field.tsx'
import { ModalForm } from '../../../../ui/form/form-modal.tsx'
import { TextInput } from '../../../../ui/form/inputs.tsx'
import { SwitchInput } from '../../../../ui/form/toggles.tsx'
import { useFormDraft } from '../../../../ui/form/use-form-draft.ts'

interface Props {
  criteria: SavedView['criteria']
  onClose: () => void
}

const fields = viewInput.pick({ name: true, is_shared: true })
const NAMES = ['name', 'is_shared'] as const

export function SaveViewForm({ criteria, onClose }: Props) {
  const { data: me } = useMe()
  const utils = trpc.useUtils()
  const form = useForm<z.output<typeof fields>>({
    resolver: zodResolver(fields),
    mode: 'onTouched',
    defaultValues: { name: '', is_shared: false },
  })
  const { register, handleSubmit, formState, setError, setFocus } = form
  useFormDraft('view', form)
  const save = trpc.orderViews.save.useMutation({
    onSuccess: ({ name }) => {
      void utils.orderViews.list.invalidate()
      toast.success({ title: 'Vista salva', description: name })
      onClose()
    },
    onError: (error) => {
      if (markRefused(setError, error, NAMES, () => 'name').length > 0) setFocus('name')
      reportFailedSave('Erro ao salvar vista', error, 'Erro desconhecido')
    },
  })
  return (
    <ModalForm
      submitText="Salvar"
      isDirty={formState.isDirty && !save.isSuccess}
      onSubmit={handleSubmit((view) => save.mutateAsync({ ...view, criteria }))}
    >
      <div className="form-grid">
        <Field
          label="Nome"
          isRequired
          help="Guarda a busca, os filtros e a ordem de agora."
          error={formState.errors.name?.message}
        >
          {(control) => <TextInput control={control} field={register('name')} maxLength={60} />}
        </Field>
        {me?.company_id !== null && (
          <SwitchInput field={register('is_shared')} label="Compartilhar com a minha empresa" />
        )}
      </div>
    </ModalForm>
  )
}
