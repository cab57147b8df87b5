import { useEffect } from 'react'
import { useWatch } from 'react-hook-form'
import { trpc } from '../../../lib/trpc.ts'
import { SelectInput, TextInput } from '../../../ui/form/inputs.tsx'
import { type GroupProps, OrderField, OrderInputField } from './order-field.tsx'

export const ServiceFields = (props: GroupProps) => (
  <>
    <OrderInputField {...props} name="problem_description" isLong />
    <OrderInputField {...props} name="diagnosis" span={6} isLong />
    <OrderInputField {...props} name="solution_applied" span={6} isLong />
    <OrderInputField {...props} name="parts_replaced" span={4} isLong />
    <TechnicianField {...props} />
    <ResponsibleField {...props} />
  </>
)

/** Technicians of the company are suggested; any other name may be typed (D-16). */
function TechnicianField(props: GroupProps) {
  const { register, control: state, setValue } = props.form
  const company_id = Number(useWatch({ control: state, name: 'company_id' }))
  const { data: people } = trpc.orders.technicians.useQuery({ company_id }, { enabled: company_id > 0 })
  const field = register('technician_name', {
    onChange: ({ target }) => {
      const person = people?.find(({ full_name }) => full_name === target.value.trim())
      setValue('technician_user_id', person ? String(person.id) : '', { shouldDirty: true })
    },
  })
  const error = props.form.formState.errors.technician_user_id?.message
  return (
    <OrderField
      {...props}
      name="technician_name"
      span={4}
      error={error}
      help={people && people.length > 0 ? 'Escolha uma pessoa da empresa ou digite outro nome.' : undefined}
    >
      {(control) => (
        <TextInput
          control={control}
          field={field}
          isDisabled={props.isLocked ?? false}
          suggestions={people?.map(({ full_name }) => full_name) ?? []}
        />
      )}
    </OrderField>
  )
}

/** Whoever may see the company can be responsible for its orders. */
function ResponsibleField(props: GroupProps) {
  const { register, control: state, setValue, getValues } = props.form
  const company_id = Number(useWatch({ control: state, name: 'company_id' }))
  const { data: people } = trpc.orders.assignees.useQuery(
    { company_ids: [company_id] },
    { enabled: company_id > 0 },
  )
  const { order } = props
  const own = order?.company_id === company_id && order.responsible_user_id !== null ? order : undefined
  const options = (people ?? []).map(({ id, name }) => ({ value: id, label: name }))
  if (own?.responsible_user_id && !people?.some(({ id }) => id === own.responsible_user_id))
    options.push({ value: own.responsible_user_id, label: own.responsible_name ?? '' })
  // A select ignores a value whose option is missing, so the value is set again once the options have loaded.
  useEffect(() => {
    if (people) setValue('responsible_user_id', getValues('responsible_user_id'))
  }, [people, getValues, setValue])
  return (
    <OrderField {...props} name="responsible_user_id" span={4}>
      {(control) => (
        <SelectInput
          control={control}
          field={register('responsible_user_id')}
          isDisabled={props.isLocked || company_id === 0}
          placeholder={company_id > 0 ? 'Ninguém' : 'Escolha a empresa primeiro'}
          options={options}
        />
      )}
    </OrderField>
  )
}
