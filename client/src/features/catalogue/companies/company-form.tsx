import type { CompanyDetail, CompanyInput, CompanyView } from '@garantia/shared/companies/schema'
import { can } from '@garantia/shared/policy'
import { zodResolver } from '@hookform/resolvers/zod'
import { useState } from 'react'
import { useActor } from '../../../lib/actor.ts'
import { changedFields, markRefused } from '../../../lib/forms.ts'
import { trpc } from '../../../lib/trpc.ts'
import { reportFailedSave } from '../../../ui/feedback/failed-save.ts'
import { toast } from '../../../ui/feedback/toaster.tsx'
import { ModalForm } from '../../../ui/form/form-modal.tsx'
import { useForm } from '../../../ui/form/use-form.ts'
import { useFormDraft } from '../../../ui/form/use-form-draft.ts'
import { IdentityFields, PlaceFields, ServiceFields } from './company-fields.tsx'
import {
  type CompanyFields,
  companyForm,
  FIELD_NAMES,
  fieldInConflict,
  fieldsOf,
} from './company-form-schema.ts'
import { CompanyLogo, NewCompanyLogo, useLogoUpload } from './company-logo.tsx'

interface Props {
  /** Absent for a new company. */
  company?: CompanyDetail
  matrizes: readonly CompanyView[]
  onDone: () => void
}

export function CompanyForm({ company, matrizes, onDone }: Props) {
  const before = fieldsOf(company)
  const form = useForm<CompanyFields, unknown, CompanyInput>({
    resolver: zodResolver(companyForm),
    mode: 'onTouched',
    defaultValues: before,
  })
  const [picture, setPicture] = useState<File | null>(null)
  const sendLogo = useLogoUpload()
  useFormDraft(`company-${company?.id ?? 'new'}`, form)
  const utils = trpc.useUtils()
  const saved = (description: string) => (row: CompanyDetail) => {
    utils.companies.one.setData({ id: row.id }, row)
    void utils.companies.invalidate()
    void utils.brands.companies.invalidate()
    toast.success({ title: 'Sucesso!', description })
    onDone()
  }
  const onError = (error: unknown) => {
    const [first] = markRefused(form.setError, error, FIELD_NAMES, fieldInConflict)
    if (first) form.setFocus(first)
    reportFailedSave('Erro', error)
  }
  const open = trpc.companies.open.useMutation({ onSuccess: saved('Empresa criada com sucesso.'), onError })
  const change = trpc.companies.change.useMutation({
    onSuccess: saved('Empresa atualizada com sucesso.'),
    onError,
  })
  const submit = form.handleSubmit(async (input) => {
    if (!company) {
      const { id } = await open.mutateAsync(input)
      return picture && sendLogo({ id, picture })
    }
    const changes = changedFields(before, form.getValues(), input)
    if (Object.keys(changes).length === 0) return onDone()
    await change.mutateAsync({ id: company.id, change: changes })
  })

  // Type, CNPJ and parent determine visibility scopes: the server refuses these changes from a manager
  // (D-38).
  const mayRestructure = can(useActor(), 'company.restructure')
  return (
    <ModalForm submitText="Salvar" isDirty={form.formState.isDirty || picture !== null} onSubmit={submit}>
      <div className="form-grid">
        <IdentityFields form={form} company={company} matrizes={matrizes} isLocked={!mayRestructure} />
        <PlaceFields form={form} />
        <ServiceFields form={form} />
        {company ? (
          <CompanyLogo company={company} />
        ) : (
          <NewCompanyLogo picture={picture} onPick={setPicture} />
        )}
      </div>
    </ModalForm>
  )
}
