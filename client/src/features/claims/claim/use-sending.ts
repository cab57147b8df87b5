import type { SubmissionInput } from '@garantia/shared/claims/answers'
import type { ClaimView } from '@garantia/shared/claims/schema'
import { isUnderWay } from '@garantia/shared/dossier/schema'
import { useState } from 'react'
import { statusOf } from '../../../lib/messages.ts'
import { trpc } from '../../../lib/trpc.ts'
import { useClaimChange } from './use-claim-change.ts'
import { useDossierWait } from './use-dossier-wait.ts'

/**
 * Sends a claim. Where no dossier is sealed of what the order has now, the server has one made and refuses: this waits
 * for it and sends again, so that it stays one press.
 */
export function useSending(claim: ClaimView, onDone: () => void) {
  const utils = trpc.useUtils()
  const { onSuccess, onError } = useClaimChange('Solicitação enviada', onDone)
  const { waitForDossier } = useDossierWait()
  const submit = trpc.claims.submit.useMutation({ onSuccess })
  /** Percent of the dossier that is being sealed. */
  const [sealing, setSealing] = useState<number | null>(null)

  /** Whether a newer dossier than that one was being made, and is sealed now. */
  async function isSealedSince(before: number) {
    const newest = await waitForDossier(claim.order_id, ({ progress }) => setSealing(progress))
    return newest !== undefined && newest.n > before && newest.status === 'sealed'
  }

  async function send(input: Omit<SubmissionInput, 'version'>) {
    const sent = { id: claim.id, version: claim.version, ...input }
    const known = await utils.dossier.list.fetch({ order_id: claim.order_id }, { staleTime: 0 })
    const sealed = known.data.find(({ status }) => !isUnderWay(status))
    try {
      await submit.mutateAsync(sent).catch(async (error: unknown) => {
        if (statusOf(error) !== 409) throw error
        // Refused for something else when no newer dossier is being made.
        if (!(await isSealedSince(sealed?.n ?? 0).finally(() => setSealing(null)))) throw error
        await submit.mutateAsync(sent)
      })
    } catch (error) {
      onError(error)
      throw error
    }
  }
  return { send, sealing, isSent: submit.isSuccess }
}
