import type { ConversionReport, EvidenceList } from '@garantia/shared/evidence/schema'
import { getQueryKey } from '@trpc/react-query'
import { pollInterval } from '../../lib/live-order.ts'
import { queryClient, trpc } from '../../lib/trpc.ts'
import { plainStatus } from './grid/evidence-counts.ts'

/**
 * Poll intervals of the specification (EVI-16, EVI-17) while changes are not reported to the page; the query client
 * pauses both while the page is hidden.
 */
const LIST_EVERY_MS = 3_000
const REPORT_EVERY_MS = 5_000

const withPlainStatus = (list: EvidenceList): EvidenceList => ({
  ...list,
  evidence_files: list.evidence_files.map((file) => ({ ...file, status: plainStatus(file.status) })),
})

/** The parts of a query that the screen uses. */
export interface Read<T> {
  data: T | undefined
  error: unknown
  refetch: () => Promise<unknown>
}

/**
 * Files of an order. Polled while their tab is open, and while any file is being converted, because the page
 * header shows the progress.
 */
export const useEvidenceList = (
  order_id: number,
  { isWatched }: { isWatched: boolean },
): Read<EvidenceList> =>
  trpc.evidence.list.useQuery(
    { order_id },
    {
      select: withPlainStatus,
      refetchInterval: ({ state }) => {
        const files = state.data?.evidence_files ?? []
        // A place in the queue follows other orders, which are not reported here.
        if (files.some((file) => file.queue_position !== null)) return LIST_EVERY_MS
        const isConverting = files.some((file) => plainStatus(file.status) === 'converting')
        return (isWatched || isConverting) && pollInterval(order_id, LIST_EVERY_MS)
      },
    },
  )

export const useConversionReport = (order_id: number): Read<ConversionReport> =>
  trpc.conversion.report.useQuery(
    { order_id },
    { refetchInterval: () => pollInterval(order_id, REPORT_EVERY_MS) },
  )

/** Reads the files of an order anew, wherever they are shown; resolves at the end, also of a failure. */
export const refetchEvidence = (order_id: number) =>
  queryClient.invalidateQueries({ queryKey: getQueryKey(trpc.evidence.list, { order_id }) })
