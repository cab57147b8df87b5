import type { ClaimRow } from '@garantia/shared/claims/schema'
import type { BulkResult } from '@garantia/shared/orders/bulk'
import { useState } from 'react'
import { trpc } from '../../../lib/trpc.ts'
import { useDossierWait } from '../claim/use-dossier-wait.ts'

export interface Sealing {
  done: number
  total: number
}

/**
 * Sends several claims. Those whose dossier is not sealed yet are refused at first, and the refusal has it sealed:
 * this waits for these dossiers and sends their claims then. The result names each order once.
 */
export function useBulkSending(claims: readonly ClaimRow[]) {
  const { newestOf, waitForDossier } = useDossierWait()
  const submit = trpc.claimList.submitMany.useMutation()
  const [sealing, setSealing] = useState<Sealing | null>(null)

  async function send(note: string | null): Promise<BulkResult> {
    const first = await submit.mutateAsync({ ids: claims.map(({ id }) => id), note })
    const refused = new Set(first.refused.map(({ id }) => id))
    // Also those whose dossier is sealed by now; what was refused for something else is refused again.
    const waiting: ClaimRow[] = []
    try {
      for (const claim of claims)
        if (refused.has(claim.id) && (await newestOf(claim.order_id))) waiting.push(claim)
      if (waiting.length === 0) return first
      // They are sealed one after the other anyway, so that one at a time is asked about.
      for (const [done, { order_id }] of waiting.entries()) {
        setSealing({ done, total: waiting.length })
        // When one takes too long, so will those behind it.
        if (!(await waitForDossier(order_id))) break
      }
      const ids = waiting.map(({ id }) => id)
      const second = await submit.mutateAsync({ ids, note })
      return {
        done: [...first.done, ...second.done],
        refused: [...first.refused.filter(({ id }) => !ids.includes(id)), ...second.refused],
      }
    } catch {
      // What was sent is said; the others are refused as «being sealed», and can be sent later.
      return first
    }
  }
  return { send: (note: string | null) => send(note).finally(() => setSealing(null)), sealing }
}
