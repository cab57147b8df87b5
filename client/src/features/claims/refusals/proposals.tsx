import type { RuleProposal } from '@garantia/shared/claims/reports'
import { can } from '@garantia/shared/policy'
import { useActor } from '../../../lib/actor.ts'
import { trpc } from '../../../lib/trpc.ts'
import { LinkButton } from '../../../ui/page/link-button.tsx'

/** What the refusals of the last 30 days suggest to ask for; a person saves it in the rules of the brand, or not. */
export function Proposals() {
  const proposals = trpc.reasons.proposals.useQuery()
  const mayChange = can(useActor(), 'brand.change')
  const found = proposals.data?.data ?? []
  if (found.length === 0) return null
  return (
    <section className="panel refusal-proposals" aria-label="Propostas para as regras das marcas">
      <ul>
        {found.map((one) => (
          <Proposal key={`${one.brand.id} ${one.category}`} proposal={one} mayChange={mayChange} />
        ))}
      </ul>
      {!mayChange && <p className="muted">Quem administra as marcas pode mudar as regras.</p>}
    </section>
  )
}

const Proposal = ({ proposal, mayChange }: { proposal: RuleProposal; mayChange: boolean }) => (
  <li>
    <span>{proposal.text}</span>
    <span className="refusal-proposal-actions">
      {mayChange && (
        <LinkButton
          size="small"
          text="Abrir as regras"
          to="/brands"
          search={{ regras: proposal.brand.id, exigir: proposal.category }}
        />
      )}
      <LinkButton
        size="small"
        variant="minimal"
        text="Ver as recusas"
        to="/solicitacoes"
        search={Object.fromEntries(
          Object.entries(proposal.criteria).map(([name, value]) => [name, String(value)]),
        )}
      />
    </span>
  </li>
)
