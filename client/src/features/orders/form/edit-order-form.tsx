import { Button } from '@blueprintjs/core'
import type { OrderView, TransitionView } from '@garantia/shared/orders/schema'
import { ORDER_STATUS, type OrderStatus } from '@garantia/shared/orders/status'
import { useNavigate } from '@tanstack/react-router'
import { SelectInput } from '../../../ui/form/inputs.tsx'
import { ConflictPrompt } from './conflict-prompt.tsx'
import { FormNotices } from './form-notices.tsx'
import { OrderField, type OrderForm } from './order-field.tsx'
import { dialogForm } from './order-form-schema.ts'
import { OrderTabs, useOrderTabs } from './order-tabs.tsx'
import { useOrderChange } from './use-order-change.ts'
import { useOrderForm } from './use-order-form.ts'
import '../order/orders.css'

interface Props {
  order: OrderView
  onDone: () => void
  /** Called for a transition that needs a reason or a confirmation. */
  onMove: (order: OrderView, to: TransitionView) => void
}

export function EditOrderForm({ order, onDone, onMove }: Props) {
  const state = useOrderForm(dialogForm, order)
  const { form } = state
  const tabs = useOrderTabs(form)
  const change = useOrderChange(order.id, state, {
    focusFirst: tabs.focusFirst,
    nextStatus: () => transitionWithoutPrompt(order, form.getValues('status')),
    onSaved: (saved) => {
      const now = saved ?? order
      const wanted = form.getValues('status')
      const to = now.allowed_transitions.find(({ status }) => status === wanted)
      onDone()
      if (to && wanted !== now.status) onMove(now, to)
    },
  })
  const navigate = useNavigate()
  const openAsPage = () => {
    state.handOver()
    void navigate({ to: '/os/$id/edit', params: { id: order.id }, ignoreBlocker: true })
  }
  return (
    <>
      <OrderTabs
        form={form}
        order={order}
        tabs={tabs}
        submitText="Salvar"
        onSubmit={() => change.submit(tabs.warn)}
        hasChanges={state.hasChanges}
        notices={<FormNotices state={state} change={change} />}
        status={<StatusField form={form} order={order} />}
        aside={<Button variant="minimal" text="Abrir em página" onClick={openAsPage} />}
      />
      <ConflictPrompt change={change} />
    </>
  )
}

/**
 * The wanted status, if it can be saved with the form: it needs no reason and no confirmation, as a
 * completion does.
 */
function transitionWithoutPrompt({ status: current, allowed_transitions }: OrderView, wanted: string) {
  const to = allowed_transitions.find(({ status }) => status === wanted && status !== current)
  return to?.is_allowed && !to.asks_reason && to.status !== 'completed' ? to.status : undefined
}

/** MOD-5: the four choices, plus the current status; those not allowed show why. */
const CHOICES: readonly OrderStatus[] = ['pending', 'in_analysis', 'completed', 'cancelled']

function StatusField({ form, order }: { form: OrderForm; order: OrderView }) {
  const refused = order.allowed_transitions.filter(
    ({ status, is_allowed }) => CHOICES.includes(status) && !is_allowed,
  )
  const options = (CHOICES.includes(order.status) ? CHOICES : [order.status, ...CHOICES]).map((status) => {
    const to = order.allowed_transitions.find((one) => one.status === status)
    return {
      value: status,
      label: ORDER_STATUS[status].label,
      isDisabled: status !== order.status && to?.is_allowed !== true,
    }
  })
  return (
    <OrderField
      form={form}
      required={[]}
      name="status"
      span={6}
      help={
        refused.length > 0 &&
        refused.map(({ status, reason }) => (
          <span key={status} className="refused-choice">
            {ORDER_STATUS[status].label}: {reason}
          </span>
        ))
      }
    >
      {(control) => <SelectInput control={control} field={form.register('status')} options={options} />}
    </OrderField>
  )
}
