import { lazy } from 'react'
import { OrdersDialog } from '../orders-dialog.tsx'
import type { AssignProps } from './assign-form.tsx'

const AssignForm = lazy(async () => ({ default: (await import('./assign-form.tsx')).AssignForm }))

/** Makes somebody responsible for one or many orders. */
export const AssignDialog = ({ orders, isBusy, ...form }: AssignProps) => (
  <OrdersDialog act="Responsável" orders={orders} isBusy={isBusy} onClose={form.onClose}>
    {(shown) => <AssignForm orders={shown} {...form} />}
  </OrdersDialog>
)
