import { can } from '@garantia/shared/policy'
import { useActor } from '../../../lib/actor.ts'
import { DAY } from '../../../ui/form/masks.ts'
import { type GroupProps, OrderInputField } from './order-field.tsx'

/** The opening date counts against deadlines: only managers and above may backdate it (D-13). */
export function OpeningField({ span = 3, ...props }: GroupProps & { span?: 3 | 6 }) {
  const actor = useActor()
  if (!props.order || !can(actor, 'order.backdate', props.order)) return null
  return (
    <OrderInputField
      {...props}
      name="opened_at"
      span={span}
      mask={DAY}
      inputMode="numeric"
      placeholder="dd/mm/aaaa"
    />
  )
}
