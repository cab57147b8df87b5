import type { LegalClockView } from '@garantia/shared/claims/visits'
import { trpc } from '../../../lib/trpc.ts'
import { reportFailedSave } from '../../../ui/feedback/failed-save.ts'
import { toast } from '../../../ui/feedback/toaster.tsx'

/** Callbacks of a call that changes the visits of an order: what counts their days is read again. */
export function useVisitChange(
  order_id: number,
  done: string,
  onDone?: () => void,
  onRefused?: (error: unknown) => void,
) {
  const utils = trpc.useUtils()
  return {
    async onSuccess(clock: LegalClockView, { order_id: changed }: { order_id: number }) {
      if (changed === order_id) utils.deadlines.legalClock.setData({ order_id }, clock)
      void utils.deadlines.page.invalidate()
      void utils.deadlines.counts.invalidate()
      void utils.orderList.invalidate()
      void utils.orders.history.invalidate()
      void utils.claims.invalidate()
      toast.success({ title: done })
      onDone?.()
      await utils.deadlines.legalClock.invalidate()
    },
    onError(error: unknown) {
      void utils.deadlines.legalClock.invalidate()
      onRefused?.(error)
      reportFailedSave('Erro ao salvar a visita', error)
    },
  }
}
