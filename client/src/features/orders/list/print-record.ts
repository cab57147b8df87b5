import { useEffect, useRef } from 'react'
import { trpc } from '../../../lib/trpc.ts'
import { usePress } from '../../../ui/press.ts'
import { listInput, type OrdersSearch } from './orders-search.ts'

/** Tells the server when the browser begins to print the list, by its own key or menu. */
export function usePrintRecord(state: OrdersSearch) {
  const { mutateAsync } = trpc.orderList.recordPrint.useMutation()
  const { press } = usePress(() => mutateAsync(listInput(state)))
  const latest = useRef(press)
  latest.current = press
  useEffect(() => {
    const record = () => latest.current()
    window.addEventListener('beforeprint', record)
    return () => window.removeEventListener('beforeprint', record)
  }, [])
}
