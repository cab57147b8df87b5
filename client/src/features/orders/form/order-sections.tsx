import { BasicFields } from './basic-fields.tsx'
import { OpeningField } from './opening-field.tsx'
import type { FieldName, GroupProps, OrderForm } from './order-field.tsx'
import { CustomerFields, FormSection, ValueFields, VehicleFields } from './order-fields.tsx'
import { PAGE_FIELDS } from './order-form-schema.ts'
import { ServiceFields } from './service-fields.tsx'

const REQUIRED: readonly FieldName[] = ['os_number', 'brand_id', 'company_id']

/** NEW-1, EDP-1: the order form as a page. */
export function OrderSections(props: Omit<GroupProps, 'required'>) {
  const group = { ...props, required: REQUIRED }
  return (
    <>
      <FormSection title="Informações Básicas">
        <BasicFields {...group} />
        <OpeningField {...group} />
      </FormSection>
      <FormSection title="Veículo">
        <VehicleFields {...group} />
      </FormSection>
      <FormSection title="Cliente">
        <CustomerFields {...group} />
      </FormSection>
      <FormSection title="Serviço">
        <ServiceFields {...group} />
      </FormSection>
      <FormSection title="Valores">
        <ValueFields {...group} />
      </FormSection>
    </>
  )
}

/** Focuses the first invalid field in reading order. */
export const focusFirstOnPage = (form: OrderForm) => (names: readonly FieldName[]) => {
  const first = PAGE_FIELDS.find((name) => names.includes(name))
  if (first) form.setFocus(first === 'technician_user_id' ? 'technician_name' : first)
}
