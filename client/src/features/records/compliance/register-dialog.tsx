import { Button } from '@blueprintjs/core'
import {
  ACTIVITY_FIELDS,
  ACTIVITY_LABEL,
  type Activity,
  type RegisterContent,
  type RegisterView,
  registerContent,
} from '@garantia/shared/privacy/register'
import { useRef } from 'react'
import { detailOf, messageOf } from '../../../lib/messages.ts'
import { trpc } from '../../../lib/trpc.ts'
import { toast } from '../../../ui/feedback/toaster.tsx'
import { Field } from '../../../ui/form/field.tsx'
import { FormModal, ModalForm } from '../../../ui/form/form-modal.tsx'
import { TextBox, TextInput } from '../../../ui/form/inputs.tsx'
import { useForm } from '../../../ui/form/use-form.ts'
import { usePress } from '../../../ui/press.ts'

/** What of the register is edited: its head, an activity by its place, or a new one. */
export type RegisterPart = 'head' | 'new' | number

interface Props {
  view: RegisterView
  /** Null keeps the dialog closed. */
  part: RegisterPart | null
  onClose: () => void
}

export function RegisterDialog({ view, part, onClose }: Props) {
  const last = useRef<RegisterPart>('head')
  if (part !== null) last.current = part
  const shown = part ?? last.current
  return (
    <FormModal
      isOpen={part !== null}
      title={shown === 'head' ? 'Responsáveis' : shown === 'new' ? 'Adicionar atividade' : 'Editar atividade'}
      unsavedLabel="alterações no registro"
      onClose={onClose}
    >
      <PartForm view={view} part={shown} onDone={onClose} />
    </FormModal>
  )
}

const HEAD_LABEL = {
  controller: 'Controlador',
  officer: 'Encarregado',
  officer_contact: 'Contato do encarregado',
} as const
const HEAD_FIELDS = ['controller', 'officer', 'officer_contact'] as const
const BLANK = Object.fromEntries(ACTIVITY_FIELDS.map((field) => [field, ''])) as Activity
const REQUIRED: readonly string[] = ['name', 'purpose', 'legal_basis', 'data']

type Texts = Record<string, string>
function textsOf({ activities, ...head }: RegisterContent, part: RegisterPart): Texts {
  if (part === 'head') return head
  return part === 'new' ? BLANK : (activities[part] ?? BLANK)
}
/** The register with the edited part in its place; null removes an activity. */
function changed(content: RegisterContent, part: RegisterPart, texts: Texts | null): RegisterContent {
  if (part === 'head') return { ...content, ...texts }
  const { activities } = content
  if (part === 'new') return { ...content, activities: [...activities, texts as unknown as Activity] }
  return {
    ...content,
    activities: activities.flatMap((one, index) =>
      index !== part ? one : texts ? [texts as unknown as Activity] : [],
    ),
  }
}

function PartForm({ view, part, onDone }: { view: RegisterView; part: RegisterPart; onDone: () => void }) {
  const before = textsOf(view.content, part)
  const { register, handleSubmit, formState, setError, setFocus } = useForm<Texts>({ defaultValues: before })
  const utils = trpc.useUtils()
  const save = trpc.compliance.saveRegister.useMutation({
    onSuccess: (saved) => {
      utils.compliance.register.setData({}, saved)
      void utils.compliance.register.invalidate()
      toast.success({ title: 'Sucesso!', description: `Versão ${saved.version} do registro salva.` })
      onDone()
    },
    onError: (error) =>
      toast.error({
        title: 'Erro',
        description: Array.isArray(detailOf(error)) ? 'Revise os campos do registro.' : messageOf(error),
      }),
  })
  const submit = (texts: Texts | null) => {
    const content = changed(view.content, part, texts)
    const { error } = registerContent.safeParse(content)
    for (const { path, message } of error?.issues ?? []) setError(String(path.at(-1)), { message })
    const [first] = error?.issues ?? []
    if (first) return setFocus(String(first.path.at(-1)))
    return save.mutateAsync({ version: view.version, content })
  }
  const { press: remove, isBusy } = usePress(() => submit(null))
  const isRemovable = typeof part === 'number' && view.content.activities.length > 1
  const names = part === 'head' ? HEAD_FIELDS : ACTIVITY_FIELDS
  const label = (name: string) => ({ ...HEAD_LABEL, ...ACTIVITY_LABEL })[name as 'name']
  return (
    <ModalForm
      submitText="Salvar"
      isDirty={formState.isDirty}
      onSubmit={handleSubmit(submit)}
      aside={
        isRemovable && (
          <Button
            variant="minimal"
            intent="danger"
            text="Remover atividade"
            loading={isBusy}
            onClick={() => void remove()}
          />
        )
      }
    >
      <div className="form-grid">
        {names.map((name) => (
          <Field
            key={name}
            label={label(name)}
            isRequired={REQUIRED.includes(name)}
            error={formState.errors[name]?.message}
          >
            {(control) =>
              part === 'head' || name === 'name' ? (
                <TextInput control={control} field={register(name)} />
              ) : (
                <TextBox control={control} field={register(name)} rows={2} />
              )
            }
          </Field>
        ))}
      </div>
    </ModalForm>
  )
}
