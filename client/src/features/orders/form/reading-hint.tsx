import { Button } from '@blueprintjs/core'
import { changeAskedBy } from '@garantia/shared/evidence/reading-warnings'
import type { OrderView } from '@garantia/shared/orders/schema'
import { useWatch } from 'react-hook-form'
import { trpc } from '../../../lib/trpc.ts'
import type { OrderForm } from './order-field.tsx'
import { fieldsOf } from './order-form-schema.ts'

interface Props {
  form: OrderForm
  order: OrderView
  name: 'vehicle_plate' | 'vehicle_chassis' | 'vehicle_mileage'
}

/** Offers what a photo of the order shows for an empty field, or for one that it contradicts. */
export function ReadingHint({ form, order, name }: Props) {
  const { data } = trpc.evidence.list.useQuery({ order_id: order.id })
  const typed = useWatch({ control: form.control, name })
  const change = (data?.evidence_files ?? [])
    .map(({ reading }) => reading && changeAskedBy(reading, order))
    .find((one) => one && name in one)
  const text = change && fieldsOf({ ...order, ...change })[name]
  if (!text || text === typed) return null
  const use = () => {
    form.setValue(name, text, { shouldDirty: true, shouldValidate: true })
    form.setFocus(name)
  }
  return (
    <span className="chassis-advice">
      Lido numa foto da OS.
      <Button size="small" text={`Usar ${text}`} onClick={use} />
    </span>
  )
}
