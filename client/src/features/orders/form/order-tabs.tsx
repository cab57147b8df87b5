import { FIELD_LABEL } from '@garantia/shared/orders/field-label'
import type { ReactElement, ReactNode } from 'react'
import { useState } from 'react'
import { flushSync } from 'react-dom'
import { toast } from '../../../ui/feedback/toaster.tsx'
import { ModalForm } from '../../../ui/form/form-modal.tsx'
import { TabTitle } from '../../../ui/form/tab-title.tsx'
import { PageTabs } from '../../../ui/page/page-tabs.tsx'
import { BasicFields } from './basic-fields.tsx'
import { OpeningField } from './opening-field.tsx'
import type { FieldName, GroupProps, OrderForm } from './order-field.tsx'
import { CustomerFields, ValueFields, VehicleFields, VehicleValueField } from './order-fields.tsx'
import { FIRST_TAB_REQUIRED, ORDER_FORM_TABS, type OrderFormTab } from './order-form-schema.ts'
import { ServiceFields } from './service-fields.tsx'

/** MOD-6 to MOD-12. */
const REQUIRED: readonly FieldName[] = [
  'os_number',
  'brand_id',
  'company_id',
  'problem_description',
  'customer_name',
  'customer_phone',
  'vehicle_model',
]

/** The active tab, and focusing a field that may be in the other tab (MOD-2, MOD-3). */
export function useOrderTabs(form: OrderForm) {
  const [tab, setTab] = useState<OrderFormTab>('main')
  const focusFirst = (names: readonly FieldName[]) => {
    for (const { id, fields } of ORDER_FORM_TABS) {
      const first = fields.find((name) => names.includes(name))
      if (!first) continue
      flushSync(() => setTab(id))
      // technician_user_id has no field of its own: it is chosen by name. The number of an existing order has
      // none either.
      return form.setFocus(first === 'technician_user_id' ? 'technician_name' : first)
    }
  }
  const warn = (names: readonly FieldName[]) => {
    focusFirst(names)
    const blank = names.filter((name) => form.getValues(name).trim() === '')
    toast.warning({
      title: blank.length > 0 ? 'Campos obrigatórios' : 'Verifique os campos',
      description: labelsOf(blank.length > 0 ? blank : names),
    })
  }
  const next = async () => {
    if (await form.trigger([...FIRST_TAB_REQUIRED])) return flushSync(() => setTab('people'))
    warn(FIRST_TAB_REQUIRED.filter((name) => form.getFieldState(name).invalid))
  }
  return { tab, setTab, focusFirst, warn, next: () => void next() }
}
const labelsOf = (names: readonly FieldName[]) => names.map((name) => FIELD_LABEL[name]).join(', ')

interface Props extends Omit<GroupProps, 'required'> {
  tabs: ReturnType<typeof useOrderTabs>
  submitText: string
  onSubmit: () => unknown
  /** Shown above the fields. */
  notices: ReactNode
  /** Status field of an existing order, between its number and the description. */
  status?: ReactNode
  aside: ReactNode
  /** Whether something would be lost on closing. */
  hasChanges: boolean
}

/** MOD-1: the order form in two tabs. */
export function OrderTabs({
  tabs,
  submitText,
  onSubmit,
  notices,
  status,
  aside,
  hasChanges,
  ...rest
}: Props) {
  const group = { ...rest, required: REQUIRED }
  const { tab, setTab } = tabs
  const { errors } = rest.form.formState
  const panels: Record<OrderFormTab, ReactElement> = {
    main: (
      <div className="form-grid">
        <BasicFields {...group} />
        {status}
        <OpeningField {...group} span={6} />
        <ServiceFields {...group} />
        <ValueFields {...group} withVehicle={false} />
      </div>
    ),
    people: (
      <>
        <h3 className="form-part">Cliente</h3>
        <div className="form-grid">
          <CustomerFields {...group} />
        </div>
        <h3 className="form-part">Veículo</h3>
        <div className="form-grid">
          <VehicleFields {...group} />
          <VehicleValueField {...group} />
        </div>
      </>
    ),
  }
  return (
    <ModalForm
      submitText={submitText}
      isDirty={hasChanges}
      onSubmit={onSubmit}
      next={tab === 'main' ? { go: tabs.next, isOnlyWay: !rest.order } : undefined}
      onBack={tab === 'people' ? () => setTab('main') : undefined}
      aside={aside}
    >
      {notices}
      <PageTabs
        name="order-form"
        keepsHidden
        selected={tab}
        onSelect={setTab}
        tabs={ORDER_FORM_TABS.map(({ id, title, fields }) => ({
          id,
          label: title,
          title: <TabTitle title={title} hasError={fields.some((name) => errors[name] !== undefined)} />,
          panel: panels[id],
        }))}
      />
    </ModalForm>
  )
}
