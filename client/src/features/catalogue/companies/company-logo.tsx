import { Button } from '@blueprintjs/core'
import { LOGO_FORMATS, LOGO_HELP } from '@garantia/shared/companies/logo'
import type { CompanyDetail } from '@garantia/shared/companies/schema'
import { useMutation } from '@tanstack/react-query'
import { useId } from 'react'
import { sendFile } from '../../../lib/files.ts'
import { trpc } from '../../../lib/trpc.ts'
import { reportFailedSave } from '../../../ui/feedback/failed-save.ts'
import { toast } from '../../../ui/feedback/toaster.tsx'
import { FileButton } from '../../../ui/form/file-button.tsx'
import { usePress } from '../../../ui/press.ts'

const ACCEPTED = LOGO_FORMATS.map((format) => `image/${format}`).join(',')

/** The logo of a company, which is saved at once: the form around it knows nothing of it. */
export function CompanyLogo({ company: { id, logo_url } }: { company: CompanyDetail }) {
  const utils = trpc.useUtils()
  const report = (title: string) => ({
    onSuccess: (row: CompanyDetail) => {
      utils.companies.one.setData({ id }, row)
      toast.success({ title })
    },
    onError: (error: unknown) => reportFailedSave('Erro no logotipo', error),
  })
  const sending = useMutation({
    mutationFn: (picture: File) => sendFile<CompanyDetail>(`/companies/${id}/logo`, picture),
    ...report('Logotipo salvo'),
  })
  const removal = trpc.companies.removeLogo.useMutation(report('Logotipo removido'))
  const save = usePress((picture: File) => sending.mutateAsync(picture))
  const remove = usePress(() => removal.mutateAsync({ id }))
  const fieldId = useId()
  return (
    <div className="field span-12">
      <label className="field-label" htmlFor={fieldId}>
        Logotipo
      </label>
      <div className="company-logo">
        {logo_url && <img className="company-logo-picture bp6-light" src={logo_url} alt="Logotipo atual" />}
        <FileButton
          id={fieldId}
          label="Logotipo"
          text={logo_url ? 'Trocar imagem' : 'Escolher imagem'}
          accept={ACCEPTED}
          isBusy={save.isBusy}
          onPick={save.press}
        />
        {logo_url && (
          <Button
            variant="minimal"
            intent="danger"
            text="Remover logotipo"
            loading={remove.isBusy}
            onClick={remove.press}
          />
        )}
      </div>
      <div className="field-help">{LOGO_HELP}</div>
    </div>
  )
}
