import { Button, Callout } from '@blueprintjs/core'
import { ImportIcon } from '@blueprintjs/icons'
import type { RemittanceView } from '@garantia/shared/claims/remittance'
import { useMutation } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useMe } from '../../../lib/actor.ts'
import { sendFile } from '../../../lib/files.ts'
import { messageOf } from '../../../lib/messages.ts'
import { SpreadsheetField } from '../../../ui/form/spreadsheet-field.tsx'
import { submitting, usePress } from '../../../ui/press.ts'
import { OwnerFields, useOwnCompany } from './owner-fields.tsx'

const SampleFile = lazy(async () => ({ default: (await import('./sample-file.tsx')).SampleFile }))

/** The first step: whose remittance it is, and which file. */
export function RemittanceFile({ onReceived }: { onReceived: (id: number) => void }) {
  const [chosenCompany, setCompany] = useState('')
  const [brand, setBrand] = useState('')
  const [file, setFile] = useState<File>()
  const { data: me } = useMe()
  const company = useOwnCompany(chosenCompany)
  const sending = useMutation({
    mutationFn: (picked: File) =>
      sendFile<RemittanceView>(`/remittances?company_id=${company}&brand_id=${brand}`, picked),
    onSuccess: ({ id }) => onReceived(id),
  })
  const { press, isBusy } = usePress(() => file && company && brand && sending.mutateAsync(file))
  return (
    <form className="panel import-panel" onSubmit={submitting(press)}>
      {me?.is_demonstration && (
        <Suspense fallback={null}>
          <SampleFile
            onChosen={(owner) => {
              setCompany(owner.company)
              setBrand(owner.brand)
            }}
          />
        </Suspense>
      )}
      <div className="form-grid is-stacked-narrow">
        <OwnerFields company={company} brand={brand} onCompany={setCompany} onBrand={setBrand} />
        <SpreadsheetField label="Demonstrativo" span={4} file={file} onPick={setFile} />
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
