import { useWatch } from 'react-hook-form'
import { trpc } from '../../../lib/trpc.ts'
import { TextInput } from '../../../ui/form/inputs.tsx'
import { type GroupProps, OrderField, OrderInputField } from './order-field.tsx'

export const ServiceFields = (props: GroupProps) => (
  <>
    <OrderInputField {...props} name="problem_description" isLong />
    <OrderInputField {...props} name="diagnosis" span={6} isLong />
    <OrderInputField {...props} name="solution_applied" span={6} isLong />
    <OrderInputField {...props} name="parts_replaced" span={6} isLong />
    <TechnicianField {...props} />
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
      span={6}
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
