import { brl } from '@garantia/shared/format'
import type { OrderInput } from '@garantia/shared/orders/schema'
import { totalOf } from '@garantia/shared/orders/total'
import { zodResolver } from '@hookform/resolvers/zod'
import { type ReactNode, useEffect, useId } from 'react'
import { type UseFormReturn, useForm, useWatch } from 'react-hook-form'
import { markRefused } from '../../lib/forms.ts'
import { trpc } from '../../lib/trpc.ts'
import { Field } from '../../ui/field.tsx'
import { SelectInput, TextBox, TextInput } from '../../ui/inputs.tsx'
import { MaskedInput } from '../../ui/masked-input.tsx'
import { CHASSIS, MILEAGE, MONEY, moneyIn, OS_NUMBER, PHONE, PLATE, TAX_ID, YEAR } from '../../ui/masks.ts'
import { FIELD_NAMES, fieldsOf, type OrderFields, orderForm } from './order-form-schema.ts'

export type OrderForm = UseFormReturn<OrderFields, unknown, OrderInput>

/** Validates on blur, then on every change (GEN-11), by the rules the server keeps. */
export const useOrderForm = (order?: Partial<OrderInput>): OrderForm =>
  useForm<OrderFields, unknown, OrderInput>({
    resolver: zodResolver(orderForm),
    mode: 'onTouched',
    defaultValues: fieldsOf(order),
  })

/** Puts what the server refused onto its field; the only conflict of an order is its number. */
export function showRefusal({ setError, setFocus }: OrderForm, error: unknown) {
  const [first] = markRefused(setError, error, FIELD_NAMES, () => 'os_number')
  if (first) setFocus(first)
}

interface GroupProps {
  form: OrderForm
}

export function FormSection({ title, children }: { title: string; children: ReactNode }) {
  const id = useId()
  return (
    <section className="form-section panel" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <div className="form-grid">{children}</div>
    </section>
  )
}

/** The brand comes first: it decides which companies may be chosen. */
export function BasicFields({ form }: GroupProps) {
  const { register, control: state, setValue, getValues, formState } = form
  const { errors } = formState
  const brandId = Number(useWatch({ control: state, name: 'brand_id' }))
  const brands = trpc.brands.list.useQuery()
  const companies = trpc.brands.companies.useQuery({ id: brandId }, { enabled: brandId > 0 })
  const choices = brandId > 0 ? companies.data?.data : undefined

  const only = choices?.length === 1 ? choices[0]?.id : undefined
  useEffect(() => {
    if (only !== undefined && getValues('company_id') === '')
      setValue('company_id', String(only), { shouldDirty: true, shouldValidate: true })
  }, [only, getValues, setValue])

  return (
    <>
      <Field label="Número da OS" isRequired span={3} error={errors.os_number?.message}>
        {(control) => (
          <MaskedInput
            control={control}
            field={register('os_number')}
            mask={OS_NUMBER}
            inputMode="numeric"
            placeholder="000000"
            autoFocus
          />
        )}
      </Field>
      <Field
        label="Marca"
        isRequired
        span={4}
        error={errors.brand_id?.message ?? (brands.error ? 'Não foi possível carregar as marcas' : undefined)}
        help={brands.data?.count === 0 ? 'Nenhuma marca cadastrada: inicialize-as em Marcas.' : undefined}
      >
        {(control) => (
          <SelectInput
            control={control}
            field={register('brand_id', {
              onChange: () => setValue('company_id', '', { shouldDirty: true }),
            })}
            placeholder={brands.isPending ? 'Carregando…' : 'Selecione uma marca'}
            options={activeOf(brands.data?.data).map(({ id, display_name }) => ({
              value: id,
              label: display_name,
            }))}
          />
        )}
      </Field>
      <Field
        label="Empresa"
        isRequired
        span={5}
        error={
          errors.company_id?.message ??
          (companies.error ? 'Não foi possível carregar as empresas' : undefined)
        }
        help={choices?.length === 0 ? 'Nenhuma empresa atende esta marca.' : undefined}
      >
        {(control) => (
          <SelectInput
            // The choice may be set before its option is there; a new list must show it then.
            key={choices ? brandId : 'none'}
            control={control}
            field={register('company_id')}
            isDisabled={!choices}
            placeholder={
              brandId > 0 ? (choices ? 'Selecione uma empresa' : 'Carregando…') : 'Escolha a marca primeiro'
            }
            options={(choices ?? []).map(({ id, trading_name }) => ({ value: id, label: trading_name }))}
          />
        )}
      </Field>
    </>
  )
}
const activeOf = <T extends { is_active: boolean }>(list: readonly T[] = []) =>
  list.filter((one) => one.is_active)

export function VehicleFields({ form: { register, formState } }: GroupProps) {
  const { errors } = formState
  return (
    <>
      <Field label="Modelo" span={6} error={errors.vehicle_model?.message}>
        {(control) => <TextInput control={control} field={register('vehicle_model')} />}
      </Field>
      <Field label="Ano" span={3} error={errors.vehicle_year?.message}>
        {(control) => (
          <MaskedInput
            control={control}
            field={register('vehicle_year')}
            mask={YEAR}
            inputMode="numeric"
            placeholder="aaaa"
          />
        )}
      </Field>
      <Field label="Cor" span={3} error={errors.vehicle_color?.message}>
        {(control) => <TextInput control={control} field={register('vehicle_color')} />}
      </Field>
      <Field label="Placa" span={3} error={errors.vehicle_plate?.message}>
        {(control) => (
          <MaskedInput
            control={control}
            field={register('vehicle_plate')}
            mask={PLATE}
            placeholder="ABC1D23"
          />
        )}
      </Field>
      <Field label="Quilometragem" span={3} error={errors.vehicle_mileage?.message}>
        {(control) => (
          <MaskedInput
            control={control}
            field={register('vehicle_mileage')}
            mask={MILEAGE}
            inputMode="numeric"
            placeholder="0"
          />
        )}
      </Field>
      <Field label="Chassi" span={6} error={errors.vehicle_chassis?.message}>
        {(control) => (
          <MaskedInput
            control={control}
            field={register('vehicle_chassis')}
            mask={CHASSIS}
            placeholder="17 letras e números"
          />
        )}
      </Field>
    </>
  )
}

export function CustomerFields({ form: { register, formState } }: GroupProps) {
  const { errors } = formState
  return (
    <>
      <Field label="Nome" span={6} error={errors.customer_name?.message}>
        {(control) => <TextInput control={control} field={register('customer_name')} />}
      </Field>
      <Field label="Email" span={6} error={errors.customer_email?.message}>
        {(control) => (
          <TextInput control={control} field={register('customer_email')} type="email" inputMode="email" />
        )}
      </Field>
      <Field label="Telefone" span={6} error={errors.customer_phone?.message}>
        {(control) => (
          <MaskedInput
            control={control}
            field={register('customer_phone')}
            mask={PHONE}
            inputMode="tel"
            placeholder="(11) 98765-4321"
          />
        )}
      </Field>
      <Field label="CPF ou CNPJ" span={6} error={errors.customer_document?.message}>
        {(control) => (
          <MaskedInput
            control={control}
            field={register('customer_document')}
            mask={TAX_ID}
            placeholder="000.000.000-00"
          />
        )}
      </Field>
    </>
  )
}

export function ServiceFields({ form: { register, formState } }: GroupProps) {
  const { errors } = formState
  return (
    <>
      <Field label="Descrição do problema" error={errors.problem_description?.message}>
        {(control) => <TextBox control={control} field={register('problem_description')} />}
      </Field>
      <Field label="Diagnóstico" span={6} error={errors.diagnosis?.message}>
        {(control) => <TextBox control={control} field={register('diagnosis')} />}
      </Field>
      <Field label="Solução aplicada" span={6} error={errors.solution_applied?.message}>
        {(control) => <TextBox control={control} field={register('solution_applied')} />}
      </Field>
      <Field label="Peças substituídas" span={6} error={errors.parts_replaced?.message}>
        {(control) => <TextBox control={control} field={register('parts_replaced')} />}
      </Field>
      <Field label="Técnico" span={6} error={errors.technician_name?.message}>
        {(control) => <TextInput control={control} field={register('technician_name')} />}
      </Field>
    </>
  )
}

export function ValueFields({ form: { register, control: state, formState } }: GroupProps) {
  const { errors } = formState
  const [service, parts] = useWatch({ control: state, name: ['service_value', 'parts_value'] })
  const total = totalOf(moneyIn(service), moneyIn(parts))
  const money = (label: string, name: 'service_value' | 'parts_value' | 'vehicle_value') => (
    <Field label={label} span={3} error={errors[name]?.message}>
      {(control) => (
        <MaskedInput
          control={control}
          field={register(name)}
          mask={MONEY}
          inputMode="decimal"
          placeholder="R$ 0,00"
        />
      )}
    </Field>
  )
  return (
    <>
      {money('Valor do veículo', 'vehicle_value')}
      {money('Valor do serviço', 'service_value')}
      {money('Valor das peças', 'parts_value')}
      <div className="field span-3">
        <span className="field-label">Valor total</span>
        <output className="form-total" aria-label="Valor total">
          {brl(total)}
        </output>
      </div>
    </>
  )
}
