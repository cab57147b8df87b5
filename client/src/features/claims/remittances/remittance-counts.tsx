import { LINE_OUTCOME, LINE_OUTCOMES, type RemittanceReport } from '@garantia/shared/claims/remittance'
import { brl, integer } from '@garantia/shared/format'

/** How many lines have which outcome, and what they come to. */
export const RemittanceCounts = ({ report }: { report: RemittanceReport }) => (
  <dl className="import-counts">
    <div>
      <dt>Linhas</dt>
      <dd>{integer(report.lines)}</dd>
    </div>
    <div>
      <dt>Total</dt>
      <dd>{brl(report.total)}</dd>
    </div>
    {LINE_OUTCOMES.map((outcome) => (
      <div key={outcome}>
        <dt>{LINE_OUTCOME[outcome]}</dt>
        <dd>{integer(report.outcomes[outcome])}</dd>
      </div>
    ))}
    {report.refused > 0 && (
      <div>
        <dt>Sem valor ou número</dt>
        <dd>{integer(report.refused)}</dd>
      </div>
    )}
  </dl>
)
