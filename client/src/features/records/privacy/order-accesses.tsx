import type { OrderView } from '@garantia/shared/orders/schema'
import { AccessList } from './access-list.tsx'
import './privacy.css'

/** «Quem acessou» of one order, for whoever leads work on it. */
export const OrderAccesses = ({ order }: { order: OrderView }) => (
  <section className="order-accesses" aria-label="Quem acessou">
    <AccessList
      label="Acessos a esta OS"
      filter={{ order_id: order.id }}
      empty="Ninguém consultou, baixou ou exportou esta OS até agora."
      actions={null}
    />
  </section>
)
