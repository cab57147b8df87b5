import { type SavedView, type ViewCriteria, type ViewList, viewFields } from '@garantia/shared/views/schema'
import { zodResolver } from '@hookform/resolvers/zod'
import type { z } from 'zod'
import { useMe } from '../../../lib/actor.ts'
import { markRefused } from '../../../lib/forms.ts'
import { trpc } from '../../../lib/trpc.ts'
import { reportFailedSave } from '../../../ui/feedback/failed-save.ts'
import { toast } from '../../../ui/feedback/toaster.tsx'
import { Field } from '../../../ui/form/field.tsx'
import { ModalForm } from '../../../ui/form/form-modal.tsx'
import { TextInput } from '../../../ui/form/inputs.tsx'
import { SwitchInput } from '../../../ui/form/toggles.tsx'
import { useForm } from '../../../ui/form/use-form.ts'
import { useFormDraft } from '../../../ui/form/use-form-draft.ts'

/** What is saved: with an id one of the own views, which stays what it shows. */
export interface NamedView extends Partial<Pick<SavedView, 'id' | 'name' | 'is_shared'>> {
  list: ViewList
  criteria: ViewCriteria
}
interface Props {
  view: NamedView
  onClose: () => void
}

const NAMES = ['name', 'is_shared'] as const

export function SaveViewForm({ view: { id, list, name = '', is_shared = false, criteria }, onClose }: Props) {
  const { data: me } = useMe()
  const utils = trpc.useUtils()
  const form = useForm<z.output<typeof viewFields>>({
    resolver: zodResolver(viewFields),
    mode: 'onTouched',
    defaultValues: { name, is_shared },
  })
  const { register, handleSubmit, formState, setError, setFocus } = form
  useFormDraft(id === undefined ? `${list}-view` : `view-${id}`, form)
  const save = trpc.savedViews.save.useMutation({
    onSuccess: ({ name }) => {
      void utils.savedViews.list.invalidate({ list })
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
      onSubmit={handleSubmit((view) => save.mutateAsync({ ...view, id, list, criteria }))}
    >
      <div className="form-grid">
        <Field
          label="Nome"
          isRequired
          help={id === undefined ? 'Guarda a busca, os filtros e a ordem de agora.' : undefined}
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
