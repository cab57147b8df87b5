import type { ClaimDifference, ClaimView } from '@garantia/shared/claims/schema'
import { FIELD_LABEL } from '@garantia/shared/orders/field-label'
import { messageOf } from '../../../lib/messages.ts'
import { trpc } from '../../../lib/trpc.ts'
import './send-form.css'

/** What the brand has not seen yet: files and facts that differ from the dossier that went along last. */
export function SinceLastSending({ claim }: { claim: Pick<ClaimView, 'id'> }) {
  const { data, error } = trpc.claims.difference.useQuery({ id: claim.id }, { gcTime: 0 })
  return (
    <section className="since-sending" aria-label="O que mudou desde o último envio">
      <h3>Desde o dossiê enviado{data && `, versão ${data.dossier_n}`}</h3>
      {data ? (
        <Differences difference={data} />
      ) : (
        <p className="muted" role="status">
          {error ? messageOf(error) : 'Comparando…'}
        </p>
      )}
    </section>
  )
}

function Differences({ difference: { added, removed, changed, fields } }: { difference: ClaimDifference }) {
  const labels = FIELD_LABEL as Record<string, string | undefined>
  const lines = [
    ['Arquivos novos', added],
    ['Arquivos excluídos', removed],
    ['Arquivos alterados', changed],
    ['Dados da OS', fields.map((name) => labels[name] ?? name)],
  ] as const
  const shown = lines.filter(([, names]) => names.length > 0)
  if (shown.length === 0) return <p className="muted">Nada mudou na OS nem nos arquivos.</p>
  return (
    <ul>
      {shown.map(([label, names]) => (
        <li key={label}>
          <span className="muted">{label}:</span> {names.join(', ')}
        </li>
      ))}
    </ul>
  )
}
