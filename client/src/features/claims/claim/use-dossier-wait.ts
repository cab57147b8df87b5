import { type DossierView, isUnderWay } from '@garantia/shared/dossier/schema'
import { trpc } from '../../../lib/trpc.ts'

const ASK_EVERY_MS = 1_000
/** What takes longer is left to be sent later. */
const SEALED_WITHIN_MS = 120_000

/** The newest dossier of an order, and waiting until it is no longer being made. */
export function useDossierWait() {
  const utils = trpc.useUtils()
  const newestOf = async (order_id: number) =>
    (await utils.dossier.list.fetch({ order_id }, { staleTime: 0 })).data[0]

  /** The newest dossier once it is ready or has failed; undefined when there is none, or it takes too long. */
  async function waitForDossier(
    order_id: number,
    onProgress: (dossier: DossierView) => void = () => undefined,
  ) {
    for (const until = Date.now() + SEALED_WITHIN_MS; Date.now() < until; ) {
      const newest = await newestOf(order_id)
      if (!newest || !isUnderWay(newest.status)) return newest
      onProgress(newest)
      await new Promise((resolve) => setTimeout(resolve, ASK_EVERY_MS))
    }
    return undefined
  }
  return { newestOf, waitForDossier }
}
