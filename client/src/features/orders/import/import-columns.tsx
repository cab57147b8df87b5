import { Button, Callout, HTMLSelect } from '@blueprintjs/core'
import { FIELD_LABEL } from '@garantia/shared/orders/field-label'
import type { ImportReport, ImportView } from '@garantia/shared/orders/import'
import { IMPORT_FIELD_NAMES, type ImportField, type ImportMapping } from '@garantia/shared/orders/import-line'
import { useState } from 'react'
import { readDraft, useDraft, useDraftKey } from '../../../lib/drafts.ts'
import { messageOf } from '../../../lib/messages.ts'
import { trpc } from '../../../lib/trpc.ts'
import { Field } from '../../../ui/form/field.tsx'
import { submitting, usePress } from '../../../ui/press.ts'
import { ImportCheck } from './import-check.tsx'

interface Props {
  found: ImportView
  onRun: (problems: ImportReport['problems']) => void
}

/** Which column fills which field, and what an import by it would do. */
export function ImportColumns({ found, onRun }: Props) {
  const { id, headings, sample } = found
  const key = useDraftKey(`import-${id}`)
  const [proposed] = useState({ mapping: found.mapping, brand: found.brand_id?.toString() ?? '' })
  const [start] = useState(() => readDraft<typeof proposed>(key) ?? proposed)
  const [mapping, setMapping] = useState<ImportMapping>(start.mapping)
  const [brand, setBrand] = useState(start.brand)
  const isChanged = mapping !== proposed.mapping || brand !== proposed.brand
  useDraft(key, isChanged, () => ({ mapping, brand }))
  const brands = trpc.brands.list.useQuery()
  const check = trpc.orderImports.check.useMutation()
  const active = (brands.data?.data ?? []).filter(({ is_active }) => is_active)
  const { press, isBusy } = usePress(() => {
    // The one used last time may have been switched off.
    const chosen = active.find((one) => String(one.id) === brand)
    return check.mutateAsync({ id, mapping, brand_id: chosen?.id ?? null })
  })
  const choose = (field: ImportField, column: string) => {
    const { [field]: _, ...rest } = mapping
    setMapping(column === '' ? rest : { ...rest, [field]: Number(column) })
    check.reset()
  }
  return (
    <>
      <form className="panel import-panel" aria-label="Colunas" onSubmit={submitting(press)}>
        <h2>Colunas</h2>
        <p className="muted">
          As colunas são reconhecidas pelos títulos e lembradas para esta empresa. Abaixo de cada uma, o
          primeiro valor.
        </p>
        <div className="form-grid">
          {IMPORT_FIELD_NAMES.map((field) => {
            const column = mapping[field]
            return (
              <Field
                key={field}
                label={FIELD_LABEL[field]}
                isRequired={field === 'os_number'}
                span={3}
                help={
                  column === undefined ? undefined : (
                    <span className="import-sample">{firstOf(sample, column)}</span>
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
          <Field label="Marca das demais linhas" span={3} help="Das linhas em que o arquivo não diz a marca.">
            {(control) => (
              <HTMLSelect
                {...control}
                fill
                value={brand}
                onChange={({ currentTarget }) => {
                  setBrand(currentTarget.value)
                  check.reset()
                }}
              >
                <option value="">—</option>
                {active.map(({ id, display_name }) => (
                  <option key={id} value={id}>
                    {display_name}
                  </option>
                ))}
              </HTMLSelect>
            )}
          </Field>
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
            disabled={mapping.os_number === undefined}
            loading={isBusy}
          />
          {mapping.os_number === undefined && (
            <span className="muted">Escolha a coluna do número da OS.</span>
          )}
        </div>
      </form>
      {check.data && <ImportCheck checked={check.variables} report={check.data} onRun={onRun} />}
    </>
  )
}

const firstOf = (sample: readonly string[][], column: number) =>
  sample.map((cells) => cells[column]).find((text) => text) ?? '(vazia)'
