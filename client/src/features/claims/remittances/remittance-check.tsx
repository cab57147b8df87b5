import { Button, Callout, HTMLTable } from '@blueprintjs/core'
import { DIFFERENCE } from '@garantia/shared/claims/reasons'
import {
  LINE_OUTCOME,
  type RemittanceMapping,
  type RemittanceReport,
  type RemittanceView,
  SHOWN_DIFFERENCES,
} from '@garantia/shared/claims/remittance'
import { brl, counted, date, dayIn, integer, isoDay } from '@garantia/shared/format'
import { useEffect, useRef, useState } from 'react'
import { messageOf } from '../../../lib/messages.ts'
import { trpc } from '../../../lib/trpc.ts'
import { usePress } from '../../../ui/press.ts'
import { BookingFields } from './booking-fields.tsx'
import { refreshAfterRun } from './refresh-after-run.ts'
import { RemittanceCounts } from './remittance-counts.tsx'

interface Props {
  remittance: RemittanceView
  mapping: RemittanceMapping
  report: RemittanceReport
}

/** What the booking would do, which lines would wait for a decision, and the booking. */
export function RemittanceCheck({ remittance: { id, ...remittance }, mapping, report }: Props) {
  const { lines, outcomes, differences, refused, problems } = report
  const [number, setNumber] = useState(remittance.number ?? '')
  const [paidOn, setPaidOn] = useState(() => date(new Date()))
  const day = dayIn(paidOn)
  const heading = useRef<HTMLHeadingElement>(null)
  // The result appears below the button that was pressed, out of sight on a small screen.
  useEffect(() => heading.current?.focus(), [])
  const utils = trpc.useUtils()
  const run = trpc.remittances.run.useMutation({
    onSuccess(view) {
      utils.remittances.one.setData({ id }, view)
      void refreshAfterRun(utils)
    },
  })
  const { press, isBusy } = usePress(
    () => day && run.mutateAsync({ id, mapping, number: number.trim() || null, paid_on: isoDay(day) }),
  )
  return (
    <section className="panel import-panel" aria-labelledby="remittance-check">
      <h2 id="remittance-check" ref={heading} tabIndex={-1}>
        Conferência
      </h2>
      <RemittanceCounts report={report} />
      {problems.length > 0 && (
        <Callout compact intent="warning" icon={null}>
          {counted(refused, 'linha fica de fora', 'linhas ficam de fora')}:{' '}
          {problems
            .slice(0, 5)
            .map(({ line, message }) => `linha ${line}, ${message}`)
            .join('; ')}
        </Callout>
      )}
      {differences.length > 0 && (
        <>
          <p className="muted">
            Estas linhas não são lançadas: esperam por uma decisão em Divergências
            {differences.length >= SHOWN_DIFFERENCES && ` (as primeiras ${SHOWN_DIFFERENCES})`}.
          </p>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it is scrolled, and nothing in it takes the focus */}
          <section className="import-problems remittance-lines" aria-label="Linhas que divergem" tabIndex={0}>
            <HTMLTable compact striped>
              <thead>
                <tr>
                  <th scope="col">Linha</th>
                  <th scope="col">Nº na marca</th>
                  <th scope="col">OS</th>
                  <th scope="col">Solicitação</th>
                  <th scope="col" className="claim-amount">
                    Pago
                  </th>
                  <th scope="col" className="claim-amount">
                    Esperado
                  </th>
                  <th scope="col">Motivo</th>
                </tr>
              </thead>
              <tbody className="numeric">
                {differences.map((one) => (
                  <tr key={one.line}>
                    <td data-label="Linha">{integer(one.line)}</td>
                    <td className="import-value" data-label="Nº na marca">
                      {one.brand_number ?? '—'}
                    </td>
                    <td data-label="OS">{one.os_number ?? '—'}</td>
                    <td data-label="Solicitação">{one.claim ?? '—'}</td>
                    <td className="claim-amount" data-label="Pago">
                      {brl(one.amount)}
                    </td>
                    <td className="claim-amount" data-label="Esperado">
                      {one.expected === null ? '—' : brl(one.expected)}
                    </td>
                    <td data-label="Motivo">
                      {one.difference ? DIFFERENCE[one.difference] : LINE_OUTCOME[one.outcome]}
                    </td>
                  </tr>
                ))}
              </tbody>
            </HTMLTable>
          </section>
        </>
      )}
      <BookingFields
        number={number}
        paidOn={paidOn}
        wrongDay={day ? undefined : 'Informe uma data válida, dd/mm/aaaa'}
        onNumber={setNumber}
        onPaidOn={setPaidOn}
      />
      {run.error && (
        <Callout compact intent="danger" role="alert">
          {messageOf(run.error)}
        </Callout>
      )}
      <div className="import-actions">
        <Button
          intent="primary"
          text={
            outcomes.matched > 0
              ? `Lançar ${counted(outcomes.matched, 'pagamento', 'pagamentos')}`
              : 'Guardar as divergências'
          }
          disabled={!day || lines === 0}
          loading={isBusy}
          onClick={press}
        />
      </div>
    </section>
  )
}
