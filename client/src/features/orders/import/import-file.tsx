import { Button, Callout, HTMLSelect } from '@blueprintjs/core'
import { DownloadIcon, ImportIcon } from '@blueprintjs/icons'
import { FIELD_LABEL } from '@garantia/shared/orders/field-label'
import type { ImportView } from '@garantia/shared/orders/import'
import { IMPORT_FIELD_NAMES } from '@garantia/shared/orders/import-line'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { saveBlob, sendFile } from '../../../lib/files.ts'
import { messageOf } from '../../../lib/messages.ts'
import { trpc } from '../../../lib/trpc.ts'
import { Field } from '../../../ui/form/field.tsx'
import { SpreadsheetField } from '../../../ui/form/spreadsheet-field.tsx'
import { submitting, usePress } from '../../../ui/press.ts'

const COLUMNS = IMPORT_FIELD_NAMES.map((field) => FIELD_LABEL[field])

/** A file with only the headings, in which lines are filled. */
const saveTemplate = () =>
  saveBlob(new Blob([`\ufeff${COLUMNS.join(';')}\r\n`], { type: 'text/csv' }), 'modelo-importacao.csv')

/** The first step: for which company, and which file. */
export function ImportFile({ onReceived }: { onReceived: (id: number) => void }) {
  const companies = trpc.companies.active.useQuery({})
  const choices = companies.data?.data ?? []
  const [company, setCompany] = useState('')
  const [file, setFile] = useState<File>()
  const [only] = choices.length === 1 ? choices : []
  useEffect(() => {
    if (only) setCompany(String(only.id))
  }, [only])
  const sending = useMutation({
    mutationFn: (picked: File) =>
      sendFile<ImportView>(`/service-orders/imports?company_id=${company}`, picked),
    onSuccess: ({ id }) => onReceived(id),
  })
  const { press, isBusy } = usePress(() => file && company && sending.mutateAsync(file))
  return (
    <form className="panel import-panel" onSubmit={submitting(press)}>
      <div className="form-grid">
        <Field label="Empresa" isRequired span={6}>
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
        <SpreadsheetField label="Arquivo" span={6} file={file} onPick={setFile} />
      </div>
      <p className="import-fields">
        Colunas que podem ser lidas: {COLUMNS.join(', ')}. Só o número da OS é obrigatório; a ordem não
        importa, e outras colunas são ignoradas.
      </p>
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
          disabled={!file || !company}
          loading={isBusy}
        />
        <Button
          icon={<DownloadIcon />}
          text="Baixar um modelo (CSV)"
          variant="minimal"
          onClick={saveTemplate}
        />
      </div>
    </form>
  )
}
