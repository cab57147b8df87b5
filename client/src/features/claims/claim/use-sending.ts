import type { SubmissionInput } from '@garantia/shared/claims/answers'
import type { ClaimView } from '@garantia/shared/claims/schema'
import { isUnderWay } from '@garantia/shared/dossier/schema'
import { useState } from 'react'
import { statusOf } from '../../../lib/messages.ts'
import { trpc } from '../../../lib/trpc.ts'
import { useClaimChange } from './use-claim-change.ts'

const ASK_EVERY_MS = 1_000
/** After that long the person is asked to send it again. */
const SEALED_WITHIN_MS = 120_000

/**
 * Sends a claim. Where no dossier is sealed of what the order has now, the server has one made and refuses: this waits
 * for it and sends again, so that it stays one press.
 */
export function useSending(claim: ClaimView, onDone: () => void) {
  const utils = trpc.useUtils()
  const { onSuccess, onError } = useClaimChange('Solicitação enviada', onDone)
  const submit = trpc.claims.submit.useMutation({ onSuccess })
  /** Percent of the dossier that is being sealed. */
  const [sealing, setSealing] = useState<number | null>(null)

  /** True when the dossier that was being made is sealed; false when none was, or it failed. */
  async function waitForDossier(before: number) {
    const { order_id } = claim
    for (const until = Date.now() + SEALED_WITHIN_MS; Date.now() < until; ) {
      const [newest] = (await utils.dossier.list.fetch({ order_id }, { staleTime: 0 })).data
      if (!newest || newest.n <= before) return false
      if (!isUnderWay(newest.status)) return newest.status === 'sealed'
      setSealing(newest.progress)
      await new Promise((resolve) => setTimeout(resolve, ASK_EVERY_MS))
    }
    return false
  }

  async function send(input: Omit<SubmissionInput, 'version'>) {
    const sent = { id: claim.id, version: claim.version, ...input }
    const known = await utils.dossier.list.fetch({ order_id: claim.order_id }, { staleTime: 0 })
    const sealed = known.data.find(({ status }) => !isUnderWay(status))
    try {
      await submit.mutateAsync(sent).catch(async (error: unknown) => {
        if (statusOf(error) !== 409) throw error
        // Refused for something else when no newer dossier is being made.
        if (!(await waitForDossier(sealed?.n ?? 0).finally(() => setSealing(null)))) throw error
        await submit.mutateAsync(sent)
      })
    } catch (error) {
      onError(error)
      throw error
    }
  }
  return { send, sealing, isSent: submit.isSuccess }
}
