import { Button, Callout, Radio, RadioGroup } from '@blueprintjs/core'
import { counted, integer } from '@garantia/shared/format'
import type { ImportCheck as ImportCheckInput, ImportReport, ImportRun } from '@garantia/shared/orders/import'
import { useEffect, useRef, useState } from 'react'
import { messageOf } from '../../../lib/messages.ts'
import { trpc } from '../../../lib/trpc.ts'
import { usePress } from '../../../ui/press.ts'
import { ImportProblems } from './import-problems.tsx'

interface Props {
  /** What the report is about. */
  checked: ImportCheckInput
  report: ImportReport
  /** Called with the lines that are left out. */
  onRun: (problems: ImportReport['problems']) => void
}

/** What the import would do, what is wrong with which line, and the import. */
export function ImportCheck({ checked, report, onRun }: Props) {
  const { id } = checked
  const { lines, valid, existing, refused, problems } = report
  const fresh = valid - existing
  const [mode, setMode] = useState<ImportRun['mode']>('valid')
  const heading = useRef<HTMLHeadingElement>(null)
  // The result appears below the button that was pressed, out of sight on a small screen.
  useEffect(() => heading.current?.focus(), [])
  const utils = trpc.useUtils()
  const run = trpc.orderImports.run.useMutation({
    onSuccess(view) {
      utils.orderImports.one.setData({ id }, view)
      void utils.orderList.invalidate()
      onRun(problems)
    },
  })
  const { press, isBusy } = usePress(() => run.mutateAsync({ ...checked, mode }))
  return (
    <section className="panel import-panel" aria-labelledby="import-check">
      <h2 id="import-check" ref={heading} tabIndex={-1}>
        Conferência
      </h2>
      <dl className="import-counts">
        <Count name="Linhas" count={lines} />
        <Count name="A criar" count={fresh} />
        <Count name="Já existem" count={existing} />
        <Count name="Com problemas" count={refused} />
      </dl>
      {problems.length > 0 && (
        <>
          <ImportProblems id={id} problems={problems} />
          <RadioGroup
            label="O que fazer"
            selectedValue={mode}
            onChange={({ currentTarget }) => setMode(currentTarget.value as ImportRun['mode'])}
          >
            <Radio
              value="valid"
              label={`Importar só as linhas sem problemas e deixar de fora ${counted(refused, 'linha', 'linhas')}`}
            />
            <Radio value="all" label="Não importar nada enquanto houver problemas" />
          </RadioGroup>
        </>
      )}
      {run.error && (
        <Callout compact intent="danger" role="alert">
          {messageOf(run.error)}
        </Callout>
      )}
      <div className="import-actions">
        <Button
          intent="primary"
          text={`Importar ${counted(fresh, 'OS', 'OS')}`}
          disabled={fresh === 0 || (mode === 'all' && refused > 0)}
          loading={isBusy}
          onClick={press}
        />
        {fresh === 0 && (
          <span>
            {refused > 0
              ? 'Nada a importar: as linhas de OS novas têm problemas. Corrija o arquivo e confira de novo.'
              : 'Nada a importar: nenhuma linha é de uma OS nova.'}
          </span>
        )}
      </div>
    </section>
  )
}

const Count = ({ name, count }: { name: string; count: number }) => (
  <div>
    <dt>{name}</dt>
    <dd>{integer(count)}</dd>
  </div>
)
