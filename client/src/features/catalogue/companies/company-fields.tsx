import { Button, Callout } from '@blueprintjs/core'
import type { CompanyView } from '@garantia/shared/companies/schema'
import { can } from '@garantia/shared/policy'
import { Controller, useWatch } from 'react-hook-form'
import { useActor } from '../../../lib/actor.ts'
import { trpc } from '../../../lib/trpc.ts'
import { Field } from '../../../ui/form/field.tsx'
import { SelectInput, TextInput } from '../../../ui/form/inputs.tsx'
import { MaskedInput, PHONE_FIELD } from '../../../ui/form/masked-input.tsx'
import { CNPJ, MONEY, STATE, ZIP_CODE } from '../../../ui/form/masks.ts'
import { CheckList, SwitchInput } from '../../../ui/form/toggles.tsx'
import type { CompanyFormState } from './company-form-schema.ts'
import { hasOtherRoot } from './company-form-schema.ts'

interface GroupProps {
  form: CompanyFormState
}
interface IdentityProps extends GroupProps {
  company: CompanyView | undefined
  matrizes: readonly CompanyView[]
  /** Type, CNPJ and parent are shown read-only. */
  isLocked: boolean
}

const TYPES = [
  { value: 'matriz', label: 'Matriz' },
  { value: 'filial', label: 'Filial' },
]

export function IdentityFields({ form, company, matrizes, isLocked }: IdentityProps) {
  const { register, setValue, control: state, formState } = form
  const { errors } = formState
  const [type, parentId, taxId] = useWatch({ control: state, name: ['type', 'parent_id', 'tax_id'] })
  const choices = parentChoices(company, matrizes)
  const parent = matrizes.find(({ id }) => String(id) === parentId)
  const isOfOtherRoot = type === 'filial' && hasOtherRoot(taxId, parent?.tax_id)

  const clearParent = () =>
    setValue('parent_id', '', { shouldDirty: true, shouldValidate: formState.isSubmitted })
  const becomeMatriz = () => {
    setValue('type', 'matriz', { shouldDirty: true, shouldValidate: true })
    clearParent()
    form.setFocus('type')
  }
  return (
    <>
      {type === 'filial' && choices.length === 0 && !isLocked && (
        <Callout compact intent="none" icon={null} className="company-first">
          <strong>Cadastre primeiro a matriz</strong>
          <span>Ainda não há matriz ativa à qual ligar uma filial.</span>
          <Button text="Cadastrar como matriz" onClick={becomeMatriz} />
        </Callout>
      )}
      <Field label="Nome Fantasia" isRequired span={6} error={errors.trading_name?.message}>
        {(control) => <TextInput control={control} field={register('trading_name')} />}
      </Field>
      <Field label="Razão Social" isRequired span={6} error={errors.legal_name?.message}>
        {(control) => <TextInput control={control} field={register('legal_name')} />}
      </Field>
      <Field
        label="CNPJ"
        isRequired
        span={5}
        error={errors.tax_id?.message}
        help={isOfOtherRoot ? 'A raiz deste CNPJ é diferente da raiz da matriz.' : undefined}
      >
        {(control) => (
          <MaskedInput
            control={control}
            field={register('tax_id')}
            mask={CNPJ}
            placeholder="00.000.000/0000-00"
            isDisabled={isLocked}
          />
        )}
      </Field>
      <Field label="Tipo" isRequired span={3} error={errors.type?.message}>
        {(control) => (
          <SelectInput
            control={control}
            field={register('type', {
              onChange: ({ target }) => {
                if (target.value === 'matriz') clearParent()
              },
            })}
            placeholder="Selecione o tipo"
            options={TYPES}
            isDisabled={isLocked}
          />
        )}
      </Field>
      <Field label="Empresa Matriz" isRequired={type === 'filial'} span={4} error={errors.parent_id?.message}>
        {(control) => (
          <SelectInput
            control={control}
            field={register('parent_id')}
            placeholder={type === 'matriz' ? 'Não se aplica' : 'Selecione a matriz'}
            options={choices}
            isDisabled={isLocked || type === 'matriz'}
          />
        )}
      </Field>
    </>
  )
}

/** Active matrizes except the company itself, plus its current parent when that is not among them. */
function parentChoices(company: CompanyView | undefined, matrizes: readonly CompanyView[]) {
  const choices = matrizes
    .filter(({ id }) => id !== company?.id)
    .map(({ id, trading_name }) => ({ value: id, label: trading_name }))
  const present = company?.parent_id ?? null
  if (present !== null && !choices.some(({ value }) => value === present))
    choices.push({ value: present, label: 'Matriz atual' })
  return choices
}

export function PlaceFields({ form: { register, formState } }: GroupProps) {
  const { errors } = formState
  return (
    <>
      <Field label="Endereço" error={errors.address?.message}>
        {(control) => <TextInput control={control} field={register('address')} />}
      </Field>
      <Field label="Cidade" span={6} error={errors.city?.message}>
        {(control) => <TextInput control={control} field={register('city')} />}
      </Field>
      <Field label="Estado" span={2} error={errors.state?.message}>
        {(control) => (
          <MaskedInput control={control} field={register('state')} mask={STATE} placeholder="UF" />
        )}
      </Field>
      <Field label="CEP" span={4} error={errors.zip_code?.message}>
        {(control) => (
          <MaskedInput
            control={control}
            field={register('zip_code')}
            mask={ZIP_CODE}
            inputMode="numeric"
            placeholder="00000-000"
          />
        )}
      </Field>
      <Field label="Telefone" span={6} error={errors.phone?.message}>
        {(control) => <MaskedInput control={control} field={register('phone')} {...PHONE_FIELD} />}
      </Field>
      <Field label="Email" span={6} error={errors.email?.message}>
        {(control) => (
          <TextInput control={control} field={register('email')} type="email" inputMode="email" />
        )}
      </Field>
    </>
  )
}

/** The brands for which the company may open orders, and whether it is active. */
export function ServiceFields({ form: { register, control, formState } }: GroupProps) {
  const { errors } = formState
  const maySetLimit = can(useActor(), 'claim.set-limit')
  const brands = trpc.brands.list.useQuery()
  const options = (brands.data?.data ?? []).map(({ id, display_name }) => ({
    value: id,
    label: display_name,
  }))
  return (
    <>
      {options.length > 0 && (
        <Controller
          control={control}
          name="brand_ids"
          render={({ field }) => (
            <CheckList
              legend="Marcas atendidas"
              help="Nenhuma marcada: a empresa atende todas as marcas."
              error={errors.brand_ids?.message}
              options={options}
              value={field.value}
              onChange={field.onChange}
            />
          )}
        />
      )}
      {maySetLimit && (
        <Field
          label="Limite de baixa por solicitação"
          span={6}
          help="Até aqui gestores dão baixa do que falta de uma solicitação de garantia; acima, só administradores."
          error={errors.write_off_limit?.message}
        >
          {(control) => (
            <MaskedInput
              control={control}
              field={register('write_off_limit')}
              mask={MONEY}
              inputMode="decimal"
            />
          )}
        </Field>
      )}
      <SwitchInput
        field={register('is_active')}
        label="Empresa ativa"
        help="Uma empresa inativa não pode ser escolhida em novas ordens de serviço."
        error={errors.is_active?.message}
      />
    </>
  )
}
