import { Button, Callout } from '@blueprintjs/core'
import { RefreshIcon, WarningSignIcon } from '@blueprintjs/icons'
import type { EvidenceList } from '@garantia/shared/evidence/schema'
import type { OrderView } from '@garantia/shared/orders/schema'
import { useRef } from 'react'
import { isAwayError, messageOf } from '../../../lib/messages.ts'
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
  // Those of the former brand stay until the new ones are there: nothing open on the tab may close.
  const rules = trpc.brands.evidenceRules.useQuery({ id: brand_id }, { placeholderData: (before) => before })
  const checklist = trpc.evidence.checklist.useQuery({ order_id: id })
  const hold = trpc.retention.holdOf.useQuery({ id })
  const dossiers = trpc.dossier.list.useQuery({ order_id: id })
  // What is shown asks again for what failed, and would be taken away for that time, without an end.
  const wasComplete = useRef(false)
  wasComplete.current ||= [rules, checklist, hold, dossiers].every(
    ({ isPending, failureCount }) => !isPending || failureCount > 0,
  )
  if (!wasComplete.current)
    return <EvidenceTab order={order} evidence={{ ...evidence, data: undefined }} onUpload={onUpload} />
  return (
    <>
      {/* The dossiers say it themselves. */}
      <FailedParts
        parts={[
          { name: 'o que a marca exige', query: rules },
          { name: 'as pendências', query: checklist },
          { name: 'a retenção judicial', query: hold },
        ]}
      />
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

interface Part {
  name: string
  query: { data: unknown; error: unknown; isFetching: boolean; refetch: () => unknown }
}

/** Names the parts that could not be loaded, above the files: they may well be there. */
function FailedParts({ parts }: { parts: readonly Part[] }) {
  const failed = parts.filter(({ query }) => query.data === undefined && query.error !== null)
  const [first] = failed
  if (!first) return null
  return (
    <Callout icon={<WarningSignIcon />} intent="warning" className="evidence-failed" role="alert">
      <p>
        Não foi possível carregar {new Intl.ListFormat('pt-BR').format(failed.map(({ name }) => name))}.{' '}
        <span className="muted">
          {isAwayError(first.query.error) ? 'Carrega quando a conexão voltar.' : messageOf(first.query.error)}
        </span>
      </p>
      <Button
        icon={<RefreshIcon />}
        text="Tentar novamente"
        loading={failed.some(({ query }) => query.isFetching)}
        onClick={() => {
          for (const { query } of failed) void query.refetch()
        }}
      />
    </Callout>
  )
}
