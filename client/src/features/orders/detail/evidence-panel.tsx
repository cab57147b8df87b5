import type { EvidenceList } from '@garantia/shared/evidence/schema'
import type { OrderView } from '@garantia/shared/orders/schema'
import { trpc } from '../../../lib/trpc.ts'
import type { Read } from '../../evidence/evidence-queries.ts'
import { EvidenceTab } from '../../evidence/evidence-tab.tsx'
import { DossierPanel } from '../../records/dossier/dossier-panel.tsx'
import { LegalHold } from '../../records/retention/legal-hold.tsx'

interface Props {
  order: OrderView
  evidence: Read<EvidenceList>
  onUpload: (files?: Iterable<File>, category?: string) => void
}

/**
 * What an order's evidence tab shows, all at once: a part that came later would push the buttons below it away
 * from under a press.
 */
export function EvidencePanel({ order, evidence, onUpload }: Props) {
  const { id, brand_id } = order
  const parts = [
    // Those of the former brand stay until the new ones are there: nothing open on the tab may close.
    trpc.brands.evidenceRules.useQuery({ id: brand_id }, { placeholderData: (before) => before }),
    trpc.evidence.checklist.useQuery({ order_id: id }),
    trpc.retention.holdOf.useQuery({ id }),
    trpc.dossier.list.useQuery({ order_id: id }),
  ]
  const isComplete = parts.every(({ isPending, failureCount }) => !isPending || failureCount > 0)
  if (!isComplete)
    return <EvidenceTab order={order} evidence={{ ...evidence, data: undefined }} onUpload={onUpload} />
  return (
    <>
      <LegalHold order={order} part="notice" />
      <EvidenceTab
        order={order}
        evidence={evidence}
        above={<DossierPanel order={order} />}
        onUpload={onUpload}
      />
      {!evidence.data && evidence.error && (
        <div className="evidence-beside-error">
          <DossierPanel order={order} />
        </div>
      )}
      {(evidence.data ?? evidence.error) && <LegalHold order={order} part="offer" />}
    </>
  )
}
