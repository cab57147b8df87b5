import type { CompanyView } from '@garantia/shared/companies/schema'
import { can } from '@garantia/shared/policy'
import { ROLE_LABEL } from '@garantia/shared/users/role'
import type { UserInput } from '@garantia/shared/users/schema'
import { zodResolver } from '@hookform/resolvers/zod'
import { type ReactElement, useState } from 'react'
import { flushSync } from 'react-dom'
import type { FieldErrors } from 'react-hook-form'
import { useActor } from '../../../lib/actor.ts'
import { changedFields, markRefused } from '../../../lib/forms.ts'
import { trpc } from '../../../lib/trpc.ts'
import { reportFailedSave } from '../../../ui/feedback/failed-save.ts'
import { toast } from '../../../ui/feedback/toaster.tsx'
import { ModalForm } from '../../../ui/form/form-modal.tsx'
import { TabTitle } from '../../../ui/form/tab-title.tsx'
import { useForm } from '../../../ui/form/use-form.ts'
import { useFormDraft } from '../../../ui/form/use-form-draft.ts'
import { PageTabs } from '../../../ui/page/page-tabs.tsx'
import { OrganisationFields, PersonalFields, SecurityFields } from './user-fields.tsx'
import {
  editUserForm,
  FIELD_NAMES,
  fieldInConflict,
  fieldsOf,
  firstOf,
  type Manager,
  newUserForm,
  USER_TABS,
  type UserFields,
  type UserTabId,
} from './user-form-schema.ts'
import type { UserRow } from './user-row.ts'

interface Props {
  /** Undefined for a new user. */
  user: UserRow | undefined
  companies: readonly CompanyView[]
  managers: readonly Manager[]
  onDone: () => void
}

export function UserForm({ user, companies, managers, onDone }: Props) {
  const before = user
    ? fieldsOf(user)
    : fieldsOf({ company_id: companies[0]?.id ?? null, manager_id: managers[0]?.id ?? null })
  const form = useForm<UserFields, unknown, UserInput>({
    resolver: zodResolver(user ? editUserForm : newUserForm),
    mode: 'onTouched',
    defaultValues: before,
    // The invalid field may be in a hidden tab; focusFirst handles it.
    shouldFocusError: false,
  })
  useFormDraft(`user-${user?.id ?? 'new'}`, form, ['password', 'confirm_password'])
  const { isDirty, errors } = form.formState
  const [tab, setTab] = useState<UserTabId>('personal')
  /** Shows the first tab with an error and focuses the field (ADM-21). */
  const focusFirst = (names: readonly string[]) => {
    const first = firstOf(names)
    if (!first) return undefined
    flushSync(() => setTab(first.tab.id))
    form.setFocus(first.field)
    return first.tab.title
  }
  const pointOut = (wrong: FieldErrors<UserFields>) => {
    const title = focusFirst(Object.keys(wrong))
    if (title) toast.error({ title: 'Erro', description: `Verifique os campos na aba ${title}` })
  }

  const utils = trpc.useUtils()
  const saved = (description: string) => () => {
    void utils.users.invalidate()
    toast.success({ title: 'Sucesso!', description })
    onDone()
  }
  const onError = (error: unknown) => {
    focusFirst(markRefused(form.setError, error, FIELD_NAMES, fieldInConflict))
    reportFailedSave('Erro', error)
  }
  const open = trpc.users.open.useMutation({ onSuccess: saved('Usuário criado com sucesso.'), onError })
  const change = trpc.users.change.useMutation({
    onSuccess: saved('Usuário atualizado com sucesso.'),
    onError,
  })
  const submit = form.handleSubmit(async (input) => {
    if (!user) return open.mutateAsync(input)
    const changes = changedFields(before, form.getValues(), input)
    if (Object.keys(changes).length === 0) return onDone()
    await change.mutateAsync({ id: user.id, change: changes })
  }, pointOut)

  const mayGrant = can(useActor(), 'user.grant-superuser')
  const panels: Record<UserTabId, ReactElement> = {
    personal: <PersonalFields form={form} />,
    organisation: (
      <OrganisationFields
        form={form}
        companies={companyChoices(companies, user)}
        managers={managerChoices(managers, user)}
      />
    ),
    security: <SecurityFields form={form} isNew={!user} mayGrant={mayGrant} />,
  }
  return (
    <ModalForm submitText="Salvar" isDirty={isDirty} canSubmit={!user || isDirty} onSubmit={submit}>
      <PageTabs
        name="user"
        keepsHidden
        selected={tab}
        onSelect={setTab}
        tabs={USER_TABS.map(({ id, title, fields }) => ({
          id,
          title: <TabTitle title={title} hasError={fields.some((name) => errors[name] !== undefined)} />,
          panel: <div className="form-grid">{panels[id]}</div>,
        }))}
      />
    </ModalForm>
  )
}

/** The current company or manager stays available even when it is no longer among the choices. */
function companyChoices(companies: readonly CompanyView[], user: UserRow | undefined) {
  const choices = companies.map(({ id, trading_name }) => ({ value: id, label: trading_name }))
  return withPresent(choices, user?.company_id ?? null, `${user?.company_name} (inativa)`)
}
function managerChoices(managers: readonly Manager[], user: UserRow | undefined) {
  const choices = managers.map(({ id, full_name, role }) => ({
    value: id,
    label: `${full_name} (${ROLE_LABEL[role]})`,
  }))
  return withPresent(choices, user?.manager_id ?? null, 'Gestor atual (indisponível)')
}
const withPresent = (choices: { value: number; label: string }[], present: number | null, label: string) =>
  present === null || choices.some(({ value }) => value === present)
    ? choices
    : [...choices, { value: present, label }]
