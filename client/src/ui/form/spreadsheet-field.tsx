import { bytes, integer } from '@garantia/shared/format'
import { IMPORT_LIMITS } from '@garantia/shared/orders/import'
import { useId } from 'react'
import { FileButton } from './file-button.tsx'

interface Props {
  label: string
  /** Columns of twelve. */
  span: 4 | 6
  file: File | undefined
  onPick: (file: File) => void
}

/** Chooses a CSV or XLSX file whose first line has headings. */
export function SpreadsheetField({ label, span, file, onPick }: Props) {
  const id = useId()
  return (
    <div className={`field span-${span}`}>
      <label className="field-label is-required" htmlFor={id}>
        {label}
      </label>
      <div className="field-body">
        <div className="import-file">
          <FileButton
            id={id}
            label={label}
            text={file ? 'Trocar arquivo' : 'Escolher arquivo'}
            accept=".csv,.txt,.xlsx"
            onPick={onPick}
          />
          <span role="status">{file?.name}</span>
        </div>
        <div className="field-help">
          CSV ou XLSX com os títulos na primeira linha: até {bytes(IMPORT_LIMITS.bytes)} e{' '}
          {integer(IMPORT_LIMITS.lines)} linhas.
        </div>
      </div>
    </div>
  )
}
