import { Button, Callout } from '@blueprintjs/core'
import { DownloadIcon } from '@blueprintjs/icons'
import { saveBlob } from '../../../lib/files.ts'
import { trpc } from '../../../lib/trpc.ts'
import { sampleRemittance } from './sample-remittance.ts'

/** In a demonstration: a file to try the import with, and whose it is. */
export function SampleFile({ onChosen }: { onChosen: (owner: { company: string; brand: string }) => void }) {
  const claims = trpc.claimList.page.useQuery({
    state: 'accepted,partial,credited',
    is_open: true,
    limit: 100,
  })
  const sample = sampleRemittance(claims.data?.items ?? [])
  if (!sample) return null
  return (
    <Callout compact className="sample-remittance">
      <p>Demonstração: este arquivo paga solicitações que aguardam crédito, uma delas a menos.</p>
      <Button
        icon={<DownloadIcon />}
        text="Baixar demonstrativo de exemplo"
        onClick={() => {
          saveBlob(new Blob(['\ufeff', sample.csv], { type: 'text/csv' }), sample.name)
          onChosen({ company: String(sample.company_id), brand: String(sample.brand_id) })
        }}
      />
    </Callout>
  )
}
