import { Button } from '@blueprintjs/core'
import { isMasked } from '@garantia/shared/br/mask'
import { formatPhone } from '@garantia/shared/br/phone'
import { formatTaxId } from '@garantia/shared/br/tax-id'
import { formatPlate, isChassis } from '@garantia/shared/br/vehicle'
import { brandOfChassis } from '@garantia/shared/br/wmi'
import { date } from '@garantia/shared/format'
import type { CUSTOMER_FIELDS } from '@garantia/shared/orders/masking'
import type { EarlierOrder } from '@garantia/shared/orders/prefill'
import { useState } from 'react'
import { useWatch } from 'react-hook-form'
import { messageOf } from '../../../lib/messages.ts'
import { trpc } from '../../../lib/trpc.ts'
import { toast } from '../../../ui/feedback/toaster.tsx'
import { usePress } from '../../../ui/press.ts'
import type { OrderForm } from './order-field.tsx'
import type { OrderFields } from './order-form-schema.ts'

/**
 * What the chassis of a new order tells: an earlier order, whose vehicle and customer can be taken over, and
 * the maker by its first three characters. Nothing is filled by itself.
 */
export function ChassisHints({ form }: { form: OrderForm }) {
  const [typed, brand] = useWatch({ control: form.control, name: ['vehicle_chassis', 'brand_id'] })
  const chassis = typed.trim().toUpperCase()
  const isWhole = isChassis(chassis)
  const earlier = trpc.orders.earlier.useQuery({ chassis }, { enabled: isWhole, staleTime: 60_000 })
  const brands = trpc.brands.list.useQuery()
  const [usedFor, setUsedFor] = useState('')
  const code = isWhole ? brandOfChassis(chassis) : null
  const maker = brands.data?.data.find(({ slug, is_active }) => is_active && slug === code)
  const found = earlier.data && usedFor !== chassis ? earlier.data : null
  const reveal = trpc.orders.reveal.useMutation({
    onError: (error) => toast.error({ title: 'Erro', description: messageOf(error) }),
  })
  /** With what was masked, asked for at once; null when that was refused, which has been said. */
  const wholeOf = async (order: EarlierOrder) => {
    const fields = MASKED.filter((field) => isMasked(order[field] ?? ''))
    if (fields.length === 0) return order
    const revealed = await reveal.mutateAsync({ id: order.id, fields }).catch(() => null)
    return revealed && { ...order, ...revealed }
  }
  const { press, isBusy } = usePress(async (earlier: EarlierOrder) => {
    const order = await wholeOf(earlier)
    if (order) takeOver(order)
  })
  const takeOver = (order: EarlierOrder) => {
    for (const [name, text] of Object.entries(fieldsOf(order)))
      if (text !== '')
        form.setValue(name as keyof OrderFields, text, { shouldDirty: true, shouldValidate: true })
    setUsedFor(chassis)
    form.setFocus('vehicle_chassis')
  }
  const chooseBrand = (id: number) => {
    form.setValue('brand_id', String(id), { shouldDirty: true, shouldValidate: true })
    form.setValue('company_id', '', { shouldDirty: true })
    form.setFocus('vehicle_chassis')
  }
  return (
    <span className="chassis-hints" role="status">
      {found && (
        <span className="chassis-advice">
          Mesmo chassi da OS {found.os_number}, de {date(found.opened_at)}.
          <Button size="small" text="Usar veículo e cliente" loading={isBusy} onClick={() => press(found)} />
        </span>
      )}
      {maker && brand !== String(maker.id) && (
        <span className="chassis-advice">
          {chassis.slice(0, 3)} costuma ser {maker.display_name}.
          <Button
            size="small"
            text={`Escolher ${maker.display_name}`}
            onClick={() => chooseBrand(maker.id)}
          />
        </span>
      )}
    </span>
  )
}

/** Written again, as the rule is not in what the form loads. */
const MASKED: typeof CUSTOMER_FIELDS = ['customer_document', 'customer_phone', 'customer_email']

/** Form values of what the earlier order knows. */
const fieldsOf = (order: EarlierOrder): Partial<OrderFields> => ({
  vehicle_model: order.vehicle_model ?? '',
  vehicle_year: order.vehicle_year?.toString() ?? '',
  vehicle_color: order.vehicle_color ?? '',
  vehicle_plate: formatPlate(order.vehicle_plate ?? ''),
  customer_name: order.customer_name ?? '',
  customer_phone: formatPhone(order.customer_phone ?? ''),
  customer_email: order.customer_email ?? '',
  customer_document: formatTaxId(order.customer_document ?? ''),
})
