import { Button } from '@blueprintjs/core'
import { correctedChassis } from '@garantia/shared/br/vehicle'
import { brl } from '@garantia/shared/format'
import { totalOf } from '@garantia/shared/orders/total'
import { type ComponentProps, lazy, type ReactNode, Suspense, useId } from 'react'
import { useWatch } from 'react-hook-form'
import { PHONE_FIELD } from '../../../ui/form/masked-input.tsx'
import { CHASSIS, MILEAGE, MONEY, moneyIn, PLATE, TAX_ID, YEAR } from '../../../ui/form/masks.ts'
import { type GroupProps, OrderInputField } from './order-field.tsx'

/** Offers beside the fields are not needed to show a form. */
const ChassisHints = lazy(async () => ({ default: (await import('./chassis-hints.tsx')).ChassisHints }))
const ReadingHint = lazy(async () => ({ default: (await import('./reading-hint.tsx')).ReadingHint }))
const InvoiceButton = lazy(async () => ({ default: (await import('./invoice-button.tsx')).InvoiceButton }))

export function FormSection({ title, children }: { title: string; children: ReactNode }) {
  const id = useId()
  return (
    <section className="form-section panel" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <div className="form-grid">{children}</div>
    </section>
  )
}

export const CustomerFields = (props: GroupProps) => (
  <>
    <OrderInputField {...props} name="customer_name" span={6} />
    <OrderInputField {...props} name="customer_phone" span={6} {...PHONE_FIELD} />
    <OrderInputField {...props} name="customer_email" span={6} inputMode="email" />
    <OrderInputField
      {...props}
      name="customer_document"
      span={6}
      mask={TAX_ID}
      placeholder="000.000.000-00"
    />
  </>
)

/** What a photo shows, in the form of an order that has photos. */
const readHint = ({ form, order, isLocked }: GroupProps, name: ComponentProps<typeof ReadingHint>['name']) =>
  order && !isLocked ? (
    <Suspense>
      <ReadingHint form={form} order={order} name={name} />
    </Suspense>
  ) : undefined

export const VehicleFields = (props: GroupProps) => (
  <>
    <OrderInputField {...props} name="vehicle_model" span={6} />
    <OrderInputField
      {...props}
      name="vehicle_year"
      span={3}
      mask={YEAR}
      inputMode="numeric"
      placeholder="aaaa"
    />
    <OrderInputField {...props} name="vehicle_color" span={3} />
    <OrderInputField
      {...props}
      name="vehicle_plate"
      span={3}
      mask={PLATE}
      placeholder="ABC1D23"
      help={readHint(props, 'vehicle_plate')}
    />
    <OrderInputField
      {...props}
      name="vehicle_mileage"
      span={3}
      mask={MILEAGE}
      inputMode="numeric"
      placeholder="0"
      help={readHint(props, 'vehicle_mileage')}
    />
    <ChassisField {...props} />
  </>
)

/**
 * The letters I, O and Q are almost always a misread 1 or 0: the form suggests a correction but never refuses
 * them (D-15).
 */
function ChassisField(props: GroupProps) {
  const { control, setValue, setFocus } = props.form
  const corrected = correctedChassis(useWatch({ control, name: 'vehicle_chassis' }))
  const correct = () => {
    setValue('vehicle_chassis', corrected ?? '', { shouldDirty: true, shouldValidate: true })
    setFocus('vehicle_chassis')
  }
  const advice = corrected !== null && !props.isLocked && (
    <span className="chassis-advice">
      Chassis não usam I, O nem Q.
      <Button size="small" text={`Trocar por ${corrected}`} onClick={correct} />
    </span>
  )
  const isNew = !props.order && !props.isLocked
  return (
    <OrderInputField
      {...props}
      name="vehicle_chassis"
      span={6}
      mask={CHASSIS}
      placeholder="17 letras e números"
      help={
        advice ||
        (isNew && (
          <Suspense>
            <ChassisHints form={props.form} />
          </Suspense>
        )) ||
        readHint(props, 'vehicle_chassis')
      }
    />
  )
}

export function ValueFields({ withVehicle = true, ...props }: GroupProps & { withVehicle?: boolean }) {
  const [service, parts] = useWatch({ control: props.form.control, name: ['service_value', 'parts_value'] })
  const total = totalOf(moneyIn(service), moneyIn(parts))
  const money = { mask: MONEY, inputMode: 'decimal', placeholder: 'R$ 0,00' } as const
  const span = withVehicle ? 3 : 4
  return (
    <>
      {withVehicle && <VehicleValueField {...props} />}
      <OrderInputField {...props} {...money} name="service_value" span={span} />
      <OrderInputField {...props} {...money} name="parts_value" span={span} />
      <div className={`field span-${span}`}>
        <span className="field-label">Valor total</span>
        <div className="field-body">
          <output className="form-total" aria-label="Valor total">
            {brl(total)}
          </output>
        </div>
      </div>
      {!props.isLocked && (
        <Suspense>
          <InvoiceButton form={props.form} />
        </Suspense>
      )}
    </>
  )
}

export const VehicleValueField = (props: GroupProps) => (
  <OrderInputField
    {...props}
    name="vehicle_value"
    span={3}
    mask={MONEY}
    inputMode="decimal"
    placeholder="R$ 0,00"
  />
)
