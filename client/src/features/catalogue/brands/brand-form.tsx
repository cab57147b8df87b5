import { Callout } from '@blueprintjs/core'
import type { BrandChange, BrandView } from '@garantia/shared/brands/schema'
import { EVIDENCE_CATEGORIES, EVIDENCE_CATEGORY } from '@garantia/shared/evidence/category'
import { counted } from '@garantia/shared/format'
import { zodResolver } from '@hookform/resolvers/zod'
import { useEffect, useState } from 'react'
import type { Path } from 'react-hook-form'
import { changedFields, markRefused } from '../../../lib/forms.ts'
import { trpc } from '../../../lib/trpc.ts'
import { reportFailedSave } from '../../../ui/feedback/failed-save.ts'
import { toast } from '../../../ui/feedback/toaster.tsx'
import { ModalForm } from '../../../ui/form/form-modal.tsx'
import { useForm } from '../../../ui/form/use-form.ts'
import { useFormDraft } from '../../../ui/form/use-form-draft.ts'
import { FormatFields, LimitFields, NamingField, RequiredFields, SubmissionFields } from './brand-fields.tsx'
import { type BrandFields, brandForm, fieldsOf } from './brand-form-schema.ts'
import { ClaimRuleFields } from './claim-rule-fields.tsx'

interface Props {
  brand: BrandView
  /** A category of evidence that refusals propose to ask for: filled in, for a person to save or not. */
  asked?: string | undefined
  onDone: () => void
}
export function BrandForm({ brand, asked, onDone }: Props) {
  const [before] = useState(() => fieldsOf(brand))
  const form = useForm<BrandFields, unknown, BrandChange>({
    resolver: zodResolver(brandForm),
    mode: 'onTouched',
    defaultValues: before,
  })
  useFormDraft(`brand-${brand.id}`, form)
  const proposed = EVIDENCE_CATEGORIES.find((category) => category === asked)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the drawer opens
  useEffect(() => {
    if (!proposed) return
    const field = `required_categories.${proposed}` as const
    if (!Number(form.getValues(field))) form.setValue(field, '1', { shouldDirty: true })
  }, [])
  const utils = trpc.useUtils()
  const change = trpc.brands.change.useMutation({
    onSuccess({ display_name }) {
      void utils.brands.invalidate()
      void utils.evidence.invalidate()
      toast.success({
        title: 'Regras salvas',
        description: `As OS abertas de ${display_name} estão sendo conferidas de novo.`,
      })
      onDone()
    },
    onError(error) {
      const names = Object.keys(before) as Path<BrandFields>[]
      const [first] = markRefused(form.setError, error, names, () => undefined)
      if (first) form.setFocus(first)
      reportFailedSave('Erro', error)
    },
  })
  const submit = form.handleSubmit(async (input) => {
    const changes = changedFields(before, form.getValues(), input)
    if (Object.keys(changes).length === 0) return onDone()
    await change.mutateAsync({ id: brand.id, version: brand.version, change: changes })
  })
  return (
    <ModalForm submitText="Salvar" isDirty={form.formState.isDirty} onSubmit={submit}>
      <div className="form-grid">
        {brand.is_sample && (
          <Callout compact icon={null} intent="none" className="brand-section">
            <strong>Valores de exemplo. Confira com a montadora.</strong>
          </Callout>
        )}
        {proposed && (
          <Callout compact icon={null} intent="primary" className="brand-section">
            Preenchido pelas recusas: exigir 1 de {EVIDENCE_CATEGORY[proposed]}. Salve para aceitar, ou
            cancele.
          </Callout>
        )}
        <OpenOrders brand={brand} />
        <LimitFields form={form} />
        <FormatFields form={form} />
        <NamingField form={form} />
        <RequiredFields form={form} />
        <SubmissionFields form={form} wasSample={brand.is_sample} />
        <ClaimRuleFields form={form} />
      </div>
    </ModalForm>
  )
}

/** What saving means for the orders that are open. */
function OpenOrders({ brand }: { brand: BrandView }) {
  const { data } = trpc.brands.use.useQuery({ id: brand.id }, { gcTime: 0 })
  return (
    <p className="brand-section muted" role="status">
      {!data && 'Contando as OS abertas…'}
      {data?.open_orders === 0 && 'Nenhuma OS desta marca está aberta.'}
      {data !== undefined &&
        data.open_orders > 0 &&
        `${counted(data.open_orders, 'OS aberta segue', 'OS abertas seguem')} as novas regras assim que forem salvas: limites e evidências exigidas são conferidos de novo. Arquivos já convertidos guardam o nome até serem convertidos de novo.`}
    </p>
  )
}
