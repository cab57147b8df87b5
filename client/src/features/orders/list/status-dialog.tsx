import type { OrderRow } from '@garantia/shared/orders/schema'
import { lazy } from 'react'
import { OrdersDialog } from './orders-dialog.tsx'
import type { StatusFormProps } from './status-forms.tsx'

const StatusForms = lazy(async () => ({ default: (await import('./status-forms.tsx')).StatusForms }))

interface Props extends StatusFormProps {
  orders: readonly OrderRow[]
  isBusy: boolean
}

/** Changes the status of one or many orders. */
export const StatusDialog = ({ orders, isBusy, ...form }: Props) => (
  <OrdersDialog act="Mudar status" orders={orders} isBusy={isBusy} onClose={form.onClose}>
    {(shown) => <StatusForms orders={shown} {...form} />}
  </OrdersDialog>
)
