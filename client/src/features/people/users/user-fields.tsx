import { ROLE_LABEL, ROLES } from '@garantia/shared/users/role'
import { useWatch } from 'react-hook-form'
import { Field } from '../../../ui/form/field.tsx'
import { SelectInput, TextInput } from '../../../ui/form/inputs.tsx'
import { MaskedInput, PHONE_FIELD } from '../../../ui/form/masked-input.tsx'
import { CPF } from '../../../ui/form/masks.ts'
import { PasswordInput } from '../../../ui/form/password-input.tsx'
import { SwitchInput } from '../../../ui/form/toggles.tsx'
import type { UserFormState } from './user-form-schema.ts'

interface GroupProps {
  form: UserFormState
}
interface Choice {
  value: number
  label: string
}

export function PersonalFields({ form: { register, formState } }: GroupProps) {
  const { errors } = formState
  return (
    <>
      <Field label="Nome completo" isRequired span={6} error={errors.full_name?.message}>
        {(control) => <TextInput control={control} field={register('full_name')} />}
      </Field>
      <Field label="Email ou nome de usuário" isRequired span={6} error={errors.email?.message}>
        {(control) => <TextInput control={control} field={register('email')} />}
      </Field>
      <Field label="CPF" span={6} error={errors.cpf?.message}>
        {(control) => (
          <MaskedInput
            control={control}
            field={register('cpf')}
            mask={CPF}
            inputMode="numeric"
            placeholder="000.000.000-00"
          />
        )}
      </Field>
      <Field label="Telefone" span={6} error={errors.phone?.message}>
        {(control) => <MaskedInput control={control} field={register('phone')} {...PHONE_FIELD} />}
      </Field>
    </>
  )
}

const ROLE_CHOICES = ROLES.map((role) => ({ value: role, label: ROLE_LABEL[role] }))

interface OrganisationProps extends GroupProps {
  companies: readonly Choice[]
  managers: readonly Choice[]
}
export function OrganisationFields({ form, companies, managers }: OrganisationProps) {
  const { register, setValue, control: state, formState } = form
  const { errors, isSubmitted } = formState
  const role = useWatch({ control: state, name: 'role' })
  const hasNoManager = role === 'manager' || role === 'admin'
  return (
    <>
      <Field label="Função" isRequired span={6} error={errors.role?.message}>
        {(control) => (
          <SelectInput
            control={control}
            field={register('role', {
              deps: isSubmitted ? 'manager_id' : [],
              onChange: ({ target }) => {
                if (target.value === 'manager' || target.value === 'admin')
                  setValue('manager_id', '', { shouldDirty: true, shouldValidate: isSubmitted })
              },
            })}
            placeholder="Selecione a função"
            options={ROLE_CHOICES}
          />
        )}
      </Field>
      <Field
        label="Empresa"
        isRequired
        span={6}
        error={errors.company_id?.message}
        help={companies.length === 0 ? 'Nenhuma empresa ativa: cadastre-a em Empresas.' : undefined}
      >
        {(control) => (
          <SelectInput
            control={control}
            field={register('company_id')}
            placeholder="Selecione a empresa"
            options={companies}
          />
        )}
      </Field>
      <Field
        label="Gestor responsável"
        isRequired={!hasNoManager}
        error={errors.manager_id?.message}
        help={hasNoManager ? 'Gestores e administradores não precisam de gestor responsável.' : undefined}
      >
        {(control) => (
          <SelectInput
            control={control}
            field={register('manager_id')}
            placeholder={hasNoManager ? 'Não se aplica' : 'Selecione o gestor'}
            options={managers}
            isDisabled={hasNoManager}
          />
        )}
      </Field>
      <Field label="Departamento" span={6} error={errors.department?.message}>
        {(control) => <TextInput control={control} field={register('department')} />}
      </Field>
      <Field label="Cargo" span={6} error={errors.position?.message}>
        {(control) => <TextInput control={control} field={register('position')} />}
      </Field>
    </>
  )
}

interface SecurityProps extends GroupProps {
  isNew: boolean
  mayGrant: boolean
}
export function SecurityFields({ form, isNew, mayGrant }: SecurityProps) {
  const { register, formState } = form
  const { errors } = formState
  return (
    <>
      <Field label="Senha" isRequired={isNew} span={6} error={errors.password?.message}>
        {(control) => (
          <PasswordInput
            control={control}
            field={register('password', {
              deps: formState.touchedFields.confirm_password ? 'confirm_password' : [],
            })}
            autoComplete="new-password"
            placeholder={isNew ? 'Mínimo de 8 caracteres' : 'Em branco, mantém a atual'}
          />
        )}
      </Field>
      <Field label="Confirmar senha" isRequired={isNew} span={6} error={errors.confirm_password?.message}>
        {(control) => (
          <PasswordInput
            control={control}
            field={register('confirm_password')}
            autoComplete="new-password"
            placeholder="Repita a senha"
          />
        )}
      </Field>
      <SwitchInput
        field={register('is_active')}
        label="Usuário ativo"
        help="Um usuário inativo não entra, e suas sessões terminam na hora."
        error={errors.is_active?.message}
      />
      {mayGrant && (
        <SwitchInput
          field={register('is_superuser')}
          label="Super Administrador"
          help="Acesso total ao sistema, em todas as empresas."
          error={errors.is_superuser?.message}
        />
      )}
    </>
  )
}
