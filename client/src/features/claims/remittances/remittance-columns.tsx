import { Button, Callout, HTMLSelect } from '@blueprintjs/core'
import {
  REMITTANCE_FIELD_NAMES,
  REMITTANCE_FIELDS,
  type RemittanceField,
  type RemittanceMapping,
  type RemittanceView,
  remittanceMapping,
} from '@garantia/shared/claims/remittance'
import { useState } from 'react'
import { messageOf } from '../../../lib/messages.ts'
import { trpc } from '../../../lib/trpc.ts'
import { Field } from '../../../ui/form/field.tsx'
import { submitting, usePress } from '../../../ui/press.ts'
import { RemittanceCheck } from './remittance-check.tsx'

/** Which column is what; then what booking by it would do. */
export function RemittanceColumns({ found }: { found: RemittanceView }) {
  const { id, headings, sample } = found
  const [mapping, setMapping] = useState<Partial<RemittanceMapping>>(found.mapping)
  const check = trpc.remittances.check.useMutation()
  const judged = remittanceMapping.safeParse(mapping)
  const wrong = judged.error?.issues[0]?.message
  const { press, isBusy } = usePress(() => judged.data && check.mutateAsync({ id, mapping: judged.data }))
  const choose = (field: RemittanceField, column: string) => {
    const { [field]: _, ...rest } = mapping
    setMapping(column === '' ? rest : { ...rest, [field]: Number(column) })
    check.reset()
  }
  return (
    <>
      <form className="panel import-panel" aria-label="Colunas" onSubmit={submitting(press)}>
        <h2>Colunas</h2>
        <p className="muted">
          As colunas são reconhecidas pelos títulos e lembradas para esta marca. Abaixo de cada uma, o
          primeiro valor.
        </p>
        <div className="form-grid">
          {REMITTANCE_FIELD_NAMES.map((field) => {
            const column = mapping[field]
            return (
              <Field
                key={field}
                label={REMITTANCE_FIELDS[field].label}
                isRequired={field === 'amount'}
                span={4}
                help={
                  column === undefined ? undefined : (
                    <span className="import-sample">
                      {sample.map((cells) => cells[column]).find(Boolean) ?? '(vazia)'}
                    </span>
                  )
                }
              >
                {(control) => (
                  <HTMLSelect
                    {...control}
                    fill
                    value={column ?? ''}
                    onChange={({ currentTarget }) => choose(field, currentTarget.value)}
                  >
                    <option value="">—</option>
                    {headings.map((heading, index) => (
                      // biome-ignore lint/suspicious/noArrayIndexKey: two columns may have the same heading
                      <option key={index} value={index}>
                        {heading || `Coluna ${index + 1}`}
                      </option>
                    ))}
                  </HTMLSelect>
                )}
              </Field>
            )
          })}
        </div>
        {check.error && (
          <Callout compact intent="danger" role="alert">
            {messageOf(check.error)}
          </Callout>
        )}
        <div className="import-actions">
          <Button
            type="submit"
            intent={check.data ? 'none' : 'primary'}
            text="Conferir"
            disabled={!judged.success}
            loading={isBusy}
          />
          {wrong && <span className="muted">{wrong}.</span>}
        </div>
      </form>
      {check.data && judged.data && (
        <RemittanceCheck remittance={found} mapping={judged.data} report={check.data} />
      )}
    </>
  )
}
