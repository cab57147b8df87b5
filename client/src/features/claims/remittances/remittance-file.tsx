import { Button, Callout, HTMLSelect } from '@blueprintjs/core'
import { ImportIcon } from '@blueprintjs/icons'
import type { RemittanceView } from '@garantia/shared/claims/remittance'
import { bytes, integer } from '@garantia/shared/format'
import { IMPORT_LIMITS } from '@garantia/shared/orders/import'
import { useMutation } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { sendFile } from '../../../lib/files.ts'
import { messageOf } from '../../../lib/messages.ts'
import { trpc } from '../../../lib/trpc.ts'
import { Field } from '../../../ui/form/field.tsx'
import { FileButton } from '../../../ui/form/file-button.tsx'
import { submitting, usePress } from '../../../ui/press.ts'

/** The first step: whose remittance it is, and which file. */
export function RemittanceFile({ onReceived }: { onReceived: (id: number) => void }) {
  const companies = trpc.companies.active.useQuery({})
  const brands = trpc.brands.list.useQuery(undefined, { staleTime: 60_000 })
  const choices = companies.data?.data ?? []
  const [chosenCompany, setCompany] = useState('')
  const [brand, setBrand] = useState('')
  const [file, setFile] = useState<File>()
  const fileId = useId()
  const company = chosenCompany || (choices.length === 1 ? String(choices[0]?.id) : '')
  const sending = useMutation({
    mutationFn: (picked: File) =>
      sendFile<RemittanceView>(`/remittances?company_id=${company}&brand_id=${brand}`, picked),
    onSuccess: ({ id }) => onReceived(id),
  })
  const { press, isBusy } = usePress(() => file && company && brand && sending.mutateAsync(file))
  return (
    <form className="panel import-panel" onSubmit={submitting(press)}>
      <div className="form-grid">
        <Field label="Empresa" isRequired span={4}>
          {(control) => (
            <HTMLSelect
              {...control}
              fill
              value={company}
              onChange={({ currentTarget }) => setCompany(currentTarget.value)}
            >
              <option value="">{companies.isPending ? 'Carregando…' : 'Selecione uma empresa'}</option>
              {choices.map(({ id, trading_name }) => (
                <option key={id} value={id}>
                  {trading_name}
                </option>
              ))}
            </HTMLSelect>
          )}
        </Field>
        <Field label="Marca" isRequired span={4}>
          {(control) => (
            <HTMLSelect
              {...control}
              fill
              value={brand}
              onChange={({ currentTarget }) => setBrand(currentTarget.value)}
            >
              <option value="">{brands.isPending ? 'Carregando…' : 'Selecione uma marca'}</option>
              {(brands.data?.data ?? []).map(({ id, display_name }) => (
                <option key={id} value={id}>
                  {display_name}
                </option>
              ))}
            </HTMLSelect>
          )}
        </Field>
        <div className="field span-4">
          <label className="field-label is-required" htmlFor={fileId}>
            Demonstrativo
          </label>
          <div className="import-file">
            <FileButton
              id={fileId}
              label="Demonstrativo"
              text={file ? 'Trocar arquivo' : 'Escolher arquivo'}
              accept=".csv,.txt,.xlsx"
              onPick={setFile}
            />
            <span role="status">{file?.name}</span>
          </div>
          <div className="field-help">
            CSV ou XLSX com os títulos na primeira linha: até {bytes(IMPORT_LIMITS.bytes)} e{' '}
            {integer(IMPORT_LIMITS.lines)} linhas.
          </div>
        </div>
      </div>
      {sending.error && (
        <Callout compact intent="danger" role="alert">
          {messageOf(sending.error)}
        </Callout>
      )}
      <div className="import-actions">
        <Button
          type="submit"
          intent="primary"
          icon={<ImportIcon />}
          text="Enviar arquivo"
          disabled={!file || !company || !brand}
          loading={isBusy}
        />
        <span className="muted">Nada é lançado antes da conferência.</span>
      </div>
    </form>
  )
}
