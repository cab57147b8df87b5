import { HTMLTable } from '@blueprintjs/core'
import { REASONS, type RefusalReason } from '@garantia/shared/claims/reasons'
import type { ClaimLineView, ClaimView } from '@garantia/shared/claims/schema'
import { claimName } from '@garantia/shared/claims/state'
import { openOf, SUM_LABEL } from '@garantia/shared/claims/sums'
import { brl } from '@garantia/shared/format'
import { isSent } from './claim-sums.tsx'
import { lineFacts } from './claim-words.ts'

const COLUMNS = ['claimed', 'authorised', 'paid', 'open'] as const
type Column = (typeof COLUMNS)[number]

/** The lines of a claim; on a phone each amount stands under its line with its name. */
export function ClaimLines({ claim }: { claim: ClaimView }) {
  const shown: readonly Column[] = isSent(claim) ? COLUMNS : ['claimed']
  return (
    <HTMLTable className="claim-lines" aria-label={`Itens da ${claimName(claim)}`}>
      <thead>
        <tr>
          <th scope="col">Item</th>
          {shown.map((name) => (
            <th key={name} scope="col" className="claim-amount">
              {SUM_LABEL[name]}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {claim.lines.map((line) => (
          <tr key={line.id}>
            <td>
              <span className="claim-line-name">{line.description}</span>
              <span className="cell-second">{lineFacts(line)}</span>
              {line.reason && (
                <span className="claim-reason">
                  {REASONS[line.reason as RefusalReason]?.label ?? line.reason}
                </span>
              )}
            </td>
            {shown.map((name) => (
              <td key={name} className="claim-amount numeric" data-label={SUM_LABEL[name]}>
                {amountText(claim, line, name)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </HTMLTable>
  )
}

function amountText({ state }: ClaimView, line: ClaimLineView, name: Column) {
  if (name === 'open') return brl(openOf(state, line))
  const amount = line[name]
  return amount === null ? '—' : brl(amount)
}
