import type { ClaimView } from '@garantia/shared/claims/schema'
import { claimName } from '@garantia/shared/claims/state'
import { trpc } from '../../../lib/trpc.ts'
import { reportFailedSave } from '../../../ui/feedback/failed-save.ts'
import { toast } from '../../../ui/feedback/toaster.tsx'

/**
 * Callbacks of a call that changes a claim: the answer is shown at once, what depends on it is read again. A refusal
 * is reported, and shows the claim as it is by now.
 */
export function useClaimChange(done: string, onDone: () => void, onRefused?: (error: unknown) => void) {
  const utils = trpc.useUtils()
  const refresh = ({ order_id }: Pick<ClaimView, 'order_id'>) => {
    void utils.claims.ofOrder.invalidate({ order_id })
    void utils.claimList.invalidate()
    void utils.parts.invalidate()
    void utils.orders.history.invalidate({ id: order_id })
    void utils.dossier.list.invalidate({ order_id })
  }
  return {
    onSuccess(claim: ClaimView) {
      utils.claims.ofOrder.setData({ order_id: claim.order_id }, (before) => {
        if (!before) return before
        const others = before.data.filter(({ id }) => id !== claim.id)
        const data = [...others, claim].sort((a, b) => a.n - b.n)
        return { data, count: data.length }
      })
      refresh(claim)
      toast.success({ title: done, description: claimName(claim) })
      onDone()
    },
    onError(error: unknown) {
      void utils.claims.invalidate()
      onRefused?.(error)
      reportFailedSave('Erro ao salvar a solicitação', error)
    },
  }
}
