import { Button } from '@blueprintjs/core'
import { useNavigate } from '@tanstack/react-router'
import { DraftNotice } from './form-notices.tsx'
import { NewOrderPhotos } from './new-order-photos.tsx'
import { dialogForm } from './order-form-schema.ts'
import { OrderTabs, useOrderTabs } from './order-tabs.tsx'
import { useNewOrder } from './use-new-order.ts'
import { useOrderForm } from './use-order-form.ts'
import '../order/orders.css'

export function NewOrderForm({ onDone }: { onDone: () => void }) {
  const state = useOrderForm(dialogForm)
  const tabs = useOrderTabs(state.form)
  const { submit } = useNewOrder(state, tabs.focusFirst, onDone)
  const navigate = useNavigate()
  const openAsPage = () => {
    state.handOver()
    void navigate({ to: '/nova-os', ignoreBlocker: true })
  }
  return (
    <OrderTabs
      form={state.form}
      tabs={tabs}
      submitText="Criar OS"
      onSubmit={() => submit(tabs.warn)}
      hasChanges={state.hasChanges}
      notices={
        <>
          <DraftNotice state={state} />
          <NewOrderPhotos state={state} focusFirst={tabs.focusFirst} />
        </>
      }
      aside={<Button variant="minimal" text="Abrir em página" onClick={openAsPage} />}
    />
  )
}
