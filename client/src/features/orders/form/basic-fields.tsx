import { lazy, Suspense, useEffect } from 'react'
import { useWatch } from 'react-hook-form'
import { trpc } from '../../../lib/trpc.ts'
import { SelectInput } from '../../../ui/form/inputs.tsx'
import { OS_NUMBER } from '../../../ui/form/masks.ts'
import { isTouch } from '../../../ui/page/pointer.ts'
import { type GroupProps, OrderField, OrderInputField } from './order-field.tsx'

const NumberSuggestion = lazy(async () => ({
  default: (await import('./number-suggestion.tsx')).NumberSuggestion,
}))

interface Choice {
  value: number
  label: string
}

/** The brand comes first: it determines which companies can be chosen (NEW-6, NEW-7). */
export function BasicFields(props: GroupProps) {
  const { form, order, isLocked = false } = props
  const { register, control: state, setValue, getValues } = form
  const brandId = Number(useWatch({ control: state, name: 'brand_id' }))
  const brands = trpc.brands.list.useQuery()
  const companies = trpc.brands.companies.useQuery({ id: brandId }, { enabled: brandId > 0 })
  const choices = brandId > 0 ? companies.data?.data : undefined

  const only = choices?.length === 1 ? choices[0]?.id : undefined
  useEffect(() => {
    if (only !== undefined && getValues('company_id') === '')
      setValue('company_id', String(only), { shouldDirty: true, shouldValidate: true })
  }, [only, getValues, setValue])

  // A select ignores a value whose option is missing, so the value is set again once the options have loaded.
  const { data: known } = brands
  useEffect(() => {
    if (known) setValue('brand_id', getValues('brand_id'))
  }, [known, getValues, setValue])

  const brandChoices = withPresent(
    (brands.data?.data ?? [])
      .filter(({ is_active }) => is_active)
      .map(({ id, display_name }) => ({ value: id, label: display_name })),
    order && { value: order.brand_id, label: order.brand.display_name },
  )
  const companyChoices = withPresent(
    (choices ?? []).map(({ id, trading_name }) => ({ value: id, label: trading_name })),
    order && order.brand_id === brandId
      ? { value: order.company_id, label: order.company.trading_name }
      : undefined,
  )
  return (
    <>
      <OrderInputField
        {...props}
        name="os_number"
        span={3}
        mask={OS_NUMBER}
        inputMode="numeric"
        placeholder="000000"
        autoFocus={!order && !isTouch()}
        isReadOnly={order !== undefined}
        help={
          order ? undefined : (
            <Suspense>
              <NumberSuggestion form={form} />
            </Suspense>
          )
        }
      />
      <OrderField
        {...props}
        name="brand_id"
        span={4}
        error={brands.error ? 'Não foi possível carregar as marcas' : undefined}
        help={brands.data?.count === 0 ? 'Nenhuma marca cadastrada: inicialize-as em Marcas.' : undefined}
      >
        {(control) => (
          <SelectInput
            control={control}
            field={register('brand_id', {
              onChange: () => {
                setValue('company_id', '', { shouldDirty: true })
                forgetPeople(form)
              },
            })}
            isDisabled={isLocked}
            placeholder={brands.isPending ? 'Carregando…' : 'Selecione uma marca'}
            options={brandChoices}
          />
        )}
      </OrderField>
      <OrderField
        {...props}
        name="company_id"
        span={5}
        error={companies.error ? 'Não foi possível carregar as empresas' : undefined}
        help={choices?.length === 0 ? 'Nenhuma empresa atende esta marca.' : undefined}
      >
        {(control) => (
          <SelectInput
            key={choices ? brandId : 'none'}
            control={control}
            field={register('company_id', { onChange: () => forgetPeople(form) })}
            isDisabled={isLocked || !choices}
            placeholder={
              brandId > 0 ? (choices ? 'Selecione uma empresa' : 'Carregando…') : 'Escolha a marca primeiro'
            }
            options={companyChoices}
          />
        )}
      </OrderField>
    </>
  )
}

/** The order's current choice stays available even when it is no longer among the choices. */
const withPresent = (choices: Choice[], present: Choice | undefined) =>
  !present || choices.some(({ value }) => value === present.value) ? choices : [...choices, present]

/** People belong to a company: when it changes, only the typed name of the technician is kept. */
function forgetPeople({ getValues, setValue }: GroupProps['form']) {
  for (const name of ['technician_user_id', 'responsible_user_id'] as const)
    if (getValues(name) !== '') setValue(name, '', { shouldDirty: true })
}
