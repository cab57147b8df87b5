import { type BrandInput, type BrandView, brandInput, codeOfBrand } from '@garantia/shared/brands/schema'
import { zodResolver } from '@hookform/resolvers/zod'
import { useRef } from 'react'
import { chosen, formOf, markRefused } from '../../../lib/forms.ts'
import { trpc } from '../../../lib/trpc.ts'
import { reportFailedSave } from '../../../ui/feedback/failed-save.ts'
import { toast } from '../../../ui/feedback/toaster.tsx'
import { Field } from '../../../ui/form/field.tsx'
import { FormModal, ModalForm } from '../../../ui/form/form-modal.tsx'
import { SelectInput, TextInput } from '../../../ui/form/inputs.tsx'
import { useForm } from '../../../ui/form/use-form.ts'

interface Props {
  /** Null keeps the dialog closed. */
  opening: { from: BrandView | undefined } | null
  brands: readonly BrandView[]
  onClose: () => void
  /** Called with the new brand, whose rules are edited next. */
  onOpened: (brand: BrandView) => void
}

export function NewBrandDialog({ opening, brands, onClose, onOpened }: Props) {
  const last = useRef(opening)
  if (opening) last.current = opening
  const opened = useRef<BrandView>(undefined)
  return (
    <FormModal
      isOpen={opening !== null}
      title="Nova marca"
      unsavedLabel="a nova marca"
      width="narrow"
      onClose={onClose}
      onClosed={() => {
        if (opened.current) onOpened(opened.current)
        opened.current = undefined
      }}
    >
      <NewBrandForm
        from={last.current?.from}
        brands={brands}
        onDone={(brand) => {
          opened.current = brand
          onClose()
        }}
      />
    </FormModal>
  )
}

type BrandOpeningFields = Record<keyof BrandInput, string>
const FIELD_NAMES = ['display_name', 'slug', 'copy_from'] as const
const brandForm = formOf<BrandOpeningFields, BrandInput>(
  brandInput,
  (fields) => ({ ...fields, copy_from: chosen(fields.copy_from) }),
  () => ({}),
)

function NewBrandForm({
  from,
  brands,
  onDone,
}: Pick<Props, 'brands'> & { from: BrandView | undefined; onDone: (brand: BrandView) => void }) {
  const form = useForm<BrandOpeningFields, unknown, BrandInput>({
    resolver: zodResolver(brandForm),
    mode: 'onTouched',
    defaultValues: { display_name: '', slug: '', copy_from: from ? String(from.id) : '' },
  })
  const { register, formState, setValue, getFieldState } = form
  const { errors } = formState
  const utils = trpc.useUtils()
  const open = trpc.brands.open.useMutation({
    onSuccess(brand) {
      void utils.brands.invalidate()
      toast.success({ title: 'Marca criada', description: 'Confira as regras antes de abrir OS.' })
      onDone(brand)
    },
    onError(error) {
      const [first] = markRefused(form.setError, error, FIELD_NAMES, () => 'slug')
      if (first) form.setFocus(first)
      reportFailedSave('Erro ao criar marca', error)
    },
  })
  return (
    <ModalForm
      submitText="Criar marca"
      isDirty={formState.isDirty}
      onSubmit={form.handleSubmit((input) => open.mutateAsync(input))}
    >
      <div className="form-grid">
        <Field label="Nome" isRequired error={errors.display_name?.message}>
          {(control) => (
            <TextInput
              control={control}
              field={register('display_name', {
                onChange: ({ target }: { target: HTMLInputElement }) => {
                  if (!getFieldState('slug').isTouched)
                    setValue('slug', codeOfBrand(target.value), { shouldValidate: formState.isSubmitted })
                },
              })}
              maxLength={120}
            />
          )}
        </Field>
        <Field
          label="Código"
          isRequired
          help="Identifica a marca em arquivos de regras. Não muda mais."
          error={errors.slug?.message}
        >
          {(control) => <TextInput control={control} field={register('slug')} maxLength={60} />}
        </Field>
        <Field label="Copiar regras de" error={errors.copy_from?.message}>
          {(control) => (
            <SelectInput
              control={control}
              field={register('copy_from')}
              placeholder="Nenhuma: começar com valores de exemplo"
              options={brands.map(({ id, display_name }) => ({ value: id, label: display_name }))}
            />
          )}
        </Field>
      </div>
    </ModalForm>
  )
}
